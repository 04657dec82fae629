/** A run in a real n8n takes seconds, more on a busy machine. */
jest.setTimeout(120_000);
