import { Customer } from './customer.mts';
import { Faults } from './faults.mts';
import type { Message, ReplyButton } from './messages.mts';
import type { Wire } from './wire.mts';

export interface AccountOptions {
	/** Shown on the sandbox's page. */
	name?: string;
	/** False: free-form messages need no open conversation window. Default: true. */
	hasWindow?: boolean;
	/** False: without the role that lists of webhooks and of channels need. Default: true. */
	enterprise?: boolean;
}

export interface NewTemplate {
	name: string;
	/** With placeholders from `{{1}}` on. */
	body: string;
	/** Default: `en_US`. */
	language?: string;
	category?: string;
	/** Quick replies. */
	buttons?: ReplyButton[];
	/** Default: `APPROVED`. */
	status?: 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED';
}

/** Where an account is, and its keys. */
export interface AccountKeys {
	id: string;
	secretKey: string;
	publicKey: string;
	channelId: string;
}

/** Digits that no other customer has: what is under test may know customers by their number alone. */
const freshNumber = (): string =>
	`5500${[...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte % 10).join('')}`;

/** A channel of an account, with its chats. */
export class Channel {
	readonly #wire: Wire;
	readonly channelId: string;
	/** Id of the account. */
	readonly id: string;
	/** Root of the service, without `/v1`. */
	readonly baseUrl: string;
	/** What goes wrong for this account alone. */
	readonly faults: Faults;

	constructor(wire: Wire, { id, channelId }: Pick<AccountKeys, 'id' | 'channelId'>) {
		this.#wire = wire;
		this.id = id;
		this.channelId = channelId;
		this.baseUrl = wire.url;
		this.faults = new Faults(wire, id);
	}

	/** A customer who has not written yet. `number`: made up when left out. */
	customer({ name = 'Customer', number = freshNumber() } = {}): Customer {
		return new Customer(this.#wire, this.channelId, number, name);
	}

	/** The messages of all chats, oldest first: the newest 10,000. */
	async messages(): Promise<Message[]> {
		const path = `/messages?channelId=${this.channelId}&limit=10000`;
		const { messages } = await this.#wire.call<{ messages: Message[] }>('GET', path);
		return messages;
	}

	/** Adds a template that can be sent. */
	async addTemplate(template: NewTemplate): Promise<void> {
		const body = { status: 'APPROVED', ...template, tenant: this.id };
		await this.#wire.call('POST', '/message-templates', body);
	}
}

/** An account of its own in the sandbox, with one connected channel. What happens in others does not reach it. */
export class Account extends Channel {
	readonly #wire: Wire;
	/** The key that what is under test calls the service with. */
	readonly secretKey: string;
	readonly publicKey: string;

	constructor(wire: Wire, keys: AccountKeys) {
		super(wire, keys);
		this.#wire = wire;
		this.secretKey = keys.secretKey;
		this.publicKey = keys.publicKey;
	}

	/** Removes the account with all that it has. */
	async remove(): Promise<void> {
		await this.#wire.call('DELETE', `/tenants/${this.id}`);
	}
}
