/** The sandbox, for tests of what talks to it. See README.md. */
import { Account, type AccountOptions, Channel } from './account.mts';
import { type Duration, millisecondsOf, shown } from './duration.mts';
import { Faults } from './faults.mts';
import { poll } from './timers.mts';
import { SandboxError, Wire } from './wire.mts';

export type { Account, AccountOptions, Channel, NewTemplate } from './account.mts';
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
} from './messages.mts';
export { ExpectationError } from './transcript.mts';
export { SandboxError } from './wire.mts';

export interface ConnectOptions {
	/** What the sandbox was started with, when it is on another machine. */
	token?: string;
	/** How long it is waited for a sandbox that is being started. Default: 10 s. */
	within?: Duration;
}

/** A sandbox that runs. */
export class Sandbox {
	readonly #wire: Wire;
	/** Of all accounts. Those of one account are its own `faults`. */
	readonly faults: Faults;

	constructor(wire: Wire) {
		this.#wire = wire;
		this.faults = new Faults(wire);
	}

	/** Root of the service, without `/v1`. */
	get url(): string {
		return this.#wire.url;
	}

	/** Adds an account with keys of its own and one connected channel. */
	async account({
		name = 'Test',
		hasWindow = true,
		enterprise = true,
	}: AccountOptions = {}): Promise<Account> {
		const mark = crypto.randomUUID();
		const keys = { secretKey: `sandbox_sk_${mark}`, publicKey: `sandbox_pk_${mark}` };
		const channels = [{ name, hasWindow }];
		const { tenants } = await this.#wire.call<{
			tenants: Array<{ id: string; channels: string[] }>;
		}>('POST', '/seed', { tenants: [{ name, ...keys, enterprise, channels }] });
		const [tenant] = tenants;
		const channelId = tenant?.channels[0];
		if (tenant === undefined || channelId === undefined)
			throw new SandboxError('The sandbox added no account', 0);
		return new Account(this.#wire, { id: tenant.id, ...keys, channelId });
	}

	/**
	 * A channel that there is, such as the demo account's.
	 *
	 * @throws SandboxError when there is none
	 */
	async channel(channelId: string): Promise<Channel> {
		const { tenants } = await this.#wire.call<{
			tenants: Array<{ id: string; channels: Array<{ id: string }> }>;
		}>('GET', '/state');
		const owner = tenants.find(({ channels }) => channels.some(({ id }) => id === channelId));
		if (!owner) throw new SandboxError(`The sandbox has no channel ${channelId}`, 404);
		return new Channel(this.#wire, { id: owner.id, channelId });
	}

	/**
	 * Moves the sandbox's clock forward, for all accounts: conversation windows close, retries become due.
	 *
	 * @returns what the clock shows now
	 */
	async advance(duration: Duration): Promise<Date> {
		const advance = millisecondsOf(duration) / 1000;
		const { now } = await this.#wire.call<{ now: string }>('POST', '/clock', { advance });
		return new Date(now);
	}

	/** The whole state of the sandbox, as JSON, to be kept in a file. Secrets of webhooks are in it. */
	async exportState(): Promise<unknown> {
		return await this.#wire.call('GET', '/export');
	}

	/** Puts an exported state in the place of all that the sandbox holds, for all accounts. */
	async importState(state: unknown): Promise<void> {
		await this.#wire.call('POST', '/import', state);
	}

	/**
	 * Calls any route of the control API.
	 *
	 * @param path after `/_sandbox`
	 * @throws SandboxError when it is refused
	 */
	async control<T>(method: string, path: string, body?: unknown): Promise<T> {
		return await this.#wire.call<T>(method, path, body);
	}
}

/**
 * The sandbox at an address, such as `http://127.0.0.1:4010`.
 *
 * @throws SandboxError when there is none, or it asks for another token
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
			await wire.call('GET', '/faults');
			return true;
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
