import { join } from 'node:path';

/** The repository's folder. */
export const checkout = join(import.meta.dirname, '..');

/** The file of a development dependency's program, to run with Node.js. */
export const tool = (path: string): string => join(checkout, 'node_modules', path);
