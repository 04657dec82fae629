import { createRequire } from 'node:module';

import type { z } from 'zod';

/**
 * The zod of the contract's files. They are CommonJS and the sandbox's files are modules, so each
 * has its own copy in memory. The package has only one.
 */
export const contractZod = (createRequire(import.meta.url)('zod') as { z: typeof z }).z;
