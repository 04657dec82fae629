import {
	extendZodWithOpenApi,
	OpenApiGeneratorV31,
	OpenAPIRegistry,
} from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';

import { contractZod } from '../openapi/contractZod.mts';
import { SCHEMA_URL } from './record.mts';
import { writtenSchema } from './schema.mts';

// Both are asked for the shape of their schemas.
extendZodWithOpenApi(z);
extendZodWithOpenApi(contractZod);

/** The JSON Schema of scripts for editors, generated from the schema that checks them. */
export function rehearsalJsonSchema(): object {
	const registry = new OpenAPIRegistry();
	registry.register('Rehearsal', writtenSchema);
	const { components } = new OpenApiGeneratorV31(registry.definitions).generateComponents();
	return {
		$schema: 'https://json-schema.org/draft/2020-12/schema',
		$id: SCHEMA_URL,
		title: 'Rehearsal of a conversation',
		...(components?.schemas?.Rehearsal as object),
	};
}
