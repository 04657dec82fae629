import { z } from 'zod';

import type { Meta } from './meta.mts';

/** Longest template routing lag, in seconds: twice the published "about 5 minutes". */
const MAX_LAG = 600;

/** Errors of an upload. Published but for what comes before `_REFUSED`. */
export const UPLOAD_ERRORS = [
	'MISSING_APP_CREDENTIALS',
	'UPLOAD_REFUSED',
	'CONFIG_UNREACHABLE',
] as const;

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
	/** Number of the first page of the channel list: 0 on the newest pages, unknown on older ones. */
	firstPage: z.union([z.literal(0), z.literal(1)]),
	/** The response to a refused connect. Both forms are published. */
	connectRefusal: z.enum(['SUCCESS_FALSE', 'ERROR']),
	/** Seconds for which a connection code is valid. */
	codeLifetime: z.number().int().min(1).max(86_400),
	/**
	 * Error shape of refused sends: the newer or the older pages'. Media and template errors have
	 * their own.
	 */
	sendErrors: z.enum(['A', 'C']),
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
	/** The status of a template's refusal by the chat application. Both are published. */
	templateRefusals: z.union([z.literal(422), z.literal(502)]),
	/** What becomes of the upload of a header's file: its handle, or this error. */
	templateUploads: z.enum(['TAKEN', ...UPLOAD_ERRORS]),
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
	firstPage: 0,
	connectRefusal: 'SUCCESS_FALSE',
	codeLifetime: 600,
	sendErrors: 'A',
	closedWindow: 'REFUSED',
	blockedAddress: null,
	templateRefusals: 422,
	templateUploads: 'TAKEN',
	templateReview: { verdict: 'BY_HAND', afterMs: 5000, reason: 'INVALID_FORMAT' },
};

/** What an imitation of a service sets. */
type Given = Pick<SandboxSettings, 'firstPage' | 'closedWindow' | 'templateRefusals'>;

export class Settings {
	readonly #meta: Meta;
	readonly #given: Partial<SandboxSettings>;
	#current = DEFAULTS;

	/** @param given count more than the stored ones, until they are changed */
	constructor(meta: Meta, given: Given = DEFAULTS) {
		this.#meta = meta;
		const { firstPage, closedWindow, templateRefusals } = given;
		this.#given = {
			...(firstPage === DEFAULTS.firstPage ? {} : { firstPage }),
			...(closedWindow === DEFAULTS.closedWindow ? {} : { closedWindow }),
			...(templateRefusals === DEFAULTS.templateRefusals ? {} : { templateRefusals }),
		};
		this.reload();
	}

	reload(): void {
		const stored = this.#meta.get('settings');
		// A stored state from before a setting existed gets its default.
		const kept = stored
			? settingsSchema.parse({ ...DEFAULTS, ...(JSON.parse(stored) as object) })
			: DEFAULTS;
		this.#current = { ...kept, ...this.#given };
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
