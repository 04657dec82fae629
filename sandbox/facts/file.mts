import { z } from 'zod';

/** Characters of a service's words that are kept. */
export const WORDS_MAX = 200;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;

const word = z.string().regex(/^[\w.@-]{0,64}$/);

/** What came instead of what the contract says: forms, statuses and safe words. */
export const foundSchema = z
	.strictObject({
		status: z.number().int().min(100).max(599),
		/** Shape of an error body. */
		shape: z.enum(['A', 'B', 'C', 'D', 'other']),
		/** The service's words, without anything that belongs to the account. */
		words: z.string().max(WORDS_MAX),
		subCode: word,
		header: z.string().regex(HEADER),
		/** Seconds that something took. */
		seconds: z.number().min(0).max(86_400),
		/** It had not happened yet after `seconds`. */
		unfinished: z.literal(true),
		number: z.number().int(),
		/** The name that came instead, or what was missing. */
		word,
		names: z.array(word).max(50),
	})
	.partial();
export type Found = z.infer<typeof foundSchema>;

const entrySchema = z.strictObject({
	id: z.string().min(1).max(64),
	/** Null: not probed. */
	holds: z.boolean().nullable(),
	/** The statement. */
	says: z.string().max(200).optional(),
	found: foundSchema.optional(),
	/** Why it was not probed. */
	reason: z.string().max(300).optional(),
});

export const FACTS_FORMAT = 'business-messaging-facts';

/** What a probe found, for an issue. */
export const factsFileSchema = z.strictObject({
	format: z.literal(FACTS_FORMAT),
	version: z.literal(1),
	/** When it ended: ISO 8601. */
	probedAt: z.string().max(40),
	/** What ended the probe early. */
	stopped: z.string().max(40).optional(),
	facts: z.array(entrySchema).max(1000),
});
export type FactsFile = z.infer<typeof factsFileSchema>;
export type FactEntry = z.infer<typeof entrySchema>;
