/** Largest request body in bytes, without its files. Nothing is published: assumed. */
export const BODY_LIMIT = 256 * 1024;
