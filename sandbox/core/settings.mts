import { z } from 'zod';

import type { Meta } from './meta.mts';

/** Longest template routing lag, in seconds: twice the published "about 5 minutes". */
const MAX_LAG = 600;

/** How this sandbox behaves where the service leaves a choice. */
export const settingsSchema = z.object({
	/**
	 * The last state that a sent message reaches by itself, and the milliseconds of the sandbox's
	 * clock between two states.
	 */
	progression: z.object({
		upTo: z.enum(['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED']),
		stepMs: z.number().int().min(0).max(86_400_000),
	}),
	/** Seconds until a created or changed template webhook takes effect. */
	templateRoutingLag: z.number().int().min(0).max(MAX_LAG),
	/**
	 * How a free-form message ends while the window is closed: refused at once, or accepted and
	 * FAILED later. Which one a service does is open.
	 */
	closedWindow: z.enum(['REFUSED', 'FAILED']),
	/**
	 * If set, every call of the service is refused as if it came from this address, which the account
	 * has not allowed.
	 */
	blockedAddress: z.string().trim().min(1).max(64).nullable(),
	/** How the reviewers decide on submitted templates, and after which milliseconds. */
	templateReview: z.object({
		verdict: z.enum(['BY_HAND', 'APPROVED', 'REJECTED']),
		afterMs: z.number().int().min(0).max(86_400_000),
		/** Of a rejection. */
		reason: z.string().min(1).max(512),
	}),
});
export type SandboxSettings = z.infer<typeof settingsSchema>;

const { progression, templateReview } = settingsSchema.shape;
/** A change: what is left out stays, also within a setting. */
export const settingsPatchSchema = settingsSchema
	.extend({
		progression: progression.partial().strict(),
		templateReview: templateReview.partial().strict(),
	})
	.partial()
	.strict();

const DEFAULTS: SandboxSettings = {
	progression: { upTo: 'DELIVERED', stepMs: 300 },
	templateRoutingLag: 0,
	closedWindow: 'REFUSED',
	blockedAddress: null,
	templateReview: { verdict: 'BY_HAND', afterMs: 5000, reason: 'INVALID_FORMAT' },
};

export class Settings {
	readonly #meta: Meta;
	#current = DEFAULTS;

	constructor(meta: Meta) {
		this.#meta = meta;
		this.reload();
	}

	reload(): void {
		const stored = this.#meta.get('settings');
		this.#current = stored ? settingsSchema.parse(JSON.parse(stored)) : DEFAULTS;
	}

	get current(): Readonly<SandboxSettings> {
		return this.#current;
	}

	change({ progression, templateReview, ...others }: z.infer<typeof settingsPatchSchema>): void {
		this.#current = {
			...this.#current,
			...others,
			progression: { ...this.#current.progression, ...progression },
			templateReview: { ...this.#current.templateReview, ...templateReview },
		};
		this.#meta.set('settings', JSON.stringify(this.#current));
	}
}
