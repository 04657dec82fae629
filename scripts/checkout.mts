import { join } from 'node:path';

/** The repository's folder. */
export const checkout = join(import.meta.dirname, '..');

/** A program of a development dependency, to be run with Node.js. */
export const tool = (path: string): string => join(checkout, 'node_modules', path);
