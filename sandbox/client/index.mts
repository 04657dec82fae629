/** The sandbox's client for tests. See README.md. */
import { Account, type AccountOptions, Channel } from './account.mts';
import { type Duration, millisecondsOf, shown } from './duration.mts';
import { Faults } from './faults.mts';
import { poll } from './timers.mts';
import { SandboxError, Wire } from './wire.mts';

export type {
	Account,
	AccountOptions,
	Channel,
	NewTemplate,
	TemplateComponent,
} from './account.mts';
export type {
	Customer,
	ExpectTemplateOptions,
	SendFileOptions,
	TextPattern,
	Within,
} from './customer.mts';
export type { Duration } from './duration.mts';
export type { ActiveFault, Fault, Faults, RouteFault, WebhookFault } from './faults.mts';
export type {
	ActionButton,
	BusinessContent,
	Contact,
	CustomerContent,
	Message,
	MessageStatus,
	ReplyButton,
	ShownTemplate,
	TemplateButton,
	TemplateDetails,
} from './messages.mts';
export { ExpectationError } from './transcript.mts';
export { SandboxError } from './wire.mts';

export interface ConnectOptions {
	/** The token of the sandbox, if it asks for one. */
	token?: string;
	/** How long to wait for a sandbox that is starting. Default: 10 s. */
	within?: Duration;
}

/** A running sandbox. */
export class Sandbox {
	readonly #wire: Wire;
	/** Faults of all accounts. Each account also has `faults` of its own. */
	readonly faults: Faults;

	constructor(wire: Wire) {
		this.#wire = wire;
		this.faults = new Faults(wire);
	}

	/** Root of the service, without `/v1`. */
	get url(): string {
		return this.#wire.url;
	}

	/** Adds an account with its own keys and one connected channel. */
	async account({
		name = 'Test',
		type,
		hasWindow,
		enterprise = true,
	}: AccountOptions = {}): Promise<Account> {
		const mark = crypto.randomUUID();
		const keys = { secretKey: `sandbox_sk_${mark}`, publicKey: `sandbox_pk_${mark}` };
		const channels = [{ name, type, hasWindow }];
		const { tenants } = await this.#wire.call<{
			tenants: Array<{ id: string; channels: string[] }>;
		}>('POST', '/seed', { tenants: [{ name, ...keys, enterprise, channels }] });
		const [tenant] = tenants;
		const channelId = tenant?.channels[0];
		if (tenant === undefined || channelId === undefined)
			throw new SandboxError('The sandbox added no account', 0);
		// Without a type, the channel is of the official kind.
		const hasNumbers = type === undefined || (await this.#ownerOf(channelId)).hasNumbers;
		return new Account(this.#wire, { id: tenant.id, ...keys, channelId, hasNumbers });
	}

	/**
	 * An existing channel, such as the demo account's.
	 *
	 * @throws SandboxError if it does not exist
	 */
	async channel(channelId: string): Promise<Channel> {
		return new Channel(this.#wire, { channelId, ...(await this.#ownerOf(channelId)) });
	}

	/** The account of a channel, and whether the channel's customers have phone numbers. */
	async #ownerOf(channelId: string): Promise<{ id: string; hasNumbers: boolean }> {
		const { tenants } = await this.#wire.call<{
			tenants: Array<{ id: string; channels: Array<{ id: string; hasNumbers: boolean }> }>;
		}>('GET', '/state');
		for (const { id, channels } of tenants) {
			const channel = channels.find((one) => one.id === channelId);
			if (channel) return { id, hasNumbers: channel.hasNumbers };
		}
		throw new SandboxError(`The sandbox has no channel ${channelId}`, 404);
	}

	/**
	 * Moves the sandbox's clock forward, for all accounts: conversation windows close, retries become
	 * due.
	 *
	 * @returns the new time
	 */
	async advance(duration: Duration): Promise<Date> {
		const advance = millisecondsOf(duration) / 1000;
		const { now } = await this.#wire.call<{ now: string }>('POST', '/clock', { advance });
		return new Date(now);
	}

	/**
	 * Calls any route of the control API.
	 *
	 * @param path after `/_sandbox`
	 * @throws SandboxError if the sandbox refuses
	 */
	async control<T>(method: string, path: string, body?: unknown): Promise<T> {
		return await this.#wire.call<T>(method, path, body);
	}
}

/**
 * The sandbox at an address, such as `http://127.0.0.1:4010`.
 *
 * @throws SandboxError if no sandbox listens there, or it needs another token
 */
export async function connect(
	url: string,
	{ token, within = '10s' }: ConnectOptions = {},
): Promise<Sandbox> {
	const wire = new Wire(url, token);
	const limit = millisecondsOf(within);
	let silence: unknown;
	const isThere = await poll(async () => {
		try {
			const known = await wire.call<{ faults?: unknown } | null>('GET', '/faults');
			// Anybody could answer with JSON.
			if (Array.isArray(known?.faults)) return true;
			throw new SandboxError(`${wire.url} is not a sandbox`, 200);
		} catch (error) {
			if (!(error instanceof SandboxError && error.status === 0)) throw error;
			silence = error;
			return undefined;
		}
	}, limit);
	if (isThere) return new Sandbox(wire);
	throw new SandboxError(
		`No sandbox listens at ${wire.url} within ${shown(limit)}. Start one: npx business-messaging-sandbox`,
		0,
		{ cause: silence },
	);
}
