import { z } from 'zod';

import type { Meta } from './meta.mts';

/** Longest template routing lag, in seconds: twice the published "about 5 minutes". */
const MAX_LAG = 600;

/** How this sandbox behaves where the service leaves room. */
export const settingsSchema = z.object({
	/** How far a sent message comes by itself, and the time between two states in milliseconds of the sandbox's clock. */
	progression: z.object({
		upTo: z.enum(['PENDING', 'SENT', 'DELIVERED', 'READ', 'FAILED']),
		stepMs: z.number().int().min(0).max(86_400_000),
	}),
	/** Seconds until a created or changed template webhook takes effect. */
	templateRoutingLag: z.number().int().min(0).max(MAX_LAG),
	/** Number of the first page of the channel list: 0 on the newest pages, not said on older ones. */
	firstPage: z.union([z.literal(0), z.literal(1)]),
	/** How a refused connect is answered: both forms are published. */
	connectRefusal: z.enum(['SUCCESS_FALSE', 'ERROR']),
	/** Seconds that a connection code is good for. */
	codeLifetime: z.number().int().min(1).max(86_400),
	/** Shape of what send refuses: the newer pages' or the older ones'. What is wrong with media or templates has its own. */
	sendErrors: z.enum(['A', 'C']),
	/** While set, every call of the service is refused as coming from this address, which the account has not allowed. */
	blockedAddress: z.string().trim().min(1).max(64).nullable(),
});
export type SandboxSettings = z.infer<typeof settingsSchema>;

const DEFAULTS: SandboxSettings = {
	progression: { upTo: 'DELIVERED', stepMs: 300 },
	templateRoutingLag: 0,
	firstPage: 0,
	connectRefusal: 'SUCCESS_FALSE',
	codeLifetime: 600,
	sendErrors: 'A',
	blockedAddress: null,
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
		// What was kept before a setting came up has its default.
		this.#current = stored
			? settingsSchema.parse({ ...DEFAULTS, ...(JSON.parse(stored) as object) })
			: DEFAULTS;
	}

	get current(): Readonly<SandboxSettings> {
		return this.#current;
	}

	change(part: Partial<SandboxSettings>): void {
		this.#current = { ...this.#current, ...part };
		this.#meta.set('settings', JSON.stringify(this.#current));
	}
}
