import { extendZodWithOpenApi, OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { contractZod } from './contractZod.mts';

// Both are asked for the shape of their schemas.
extendZodWithOpenApi(z);
extendZodWithOpenApi(contractZod);

/** An empty collection of schemas for a document. */
export const newRegistry = (): OpenAPIRegistry => new OpenAPIRegistry();
