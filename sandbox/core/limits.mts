/** Largest request body, in bytes, but for the files in it. Nothing is published: assumed. */
export const BODY_LIMIT = 256 * 1024;
