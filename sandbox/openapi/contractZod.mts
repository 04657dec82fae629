import { createRequire } from 'node:module';

import type { z } from 'zod';

/** The zod of the contract's files: they are CommonJS and the sandbox's are modules, so each kind has its own copy in memory. In the package there is one. */
export const contractZod = (createRequire(import.meta.url)('zod') as { z: typeof z }).z;
