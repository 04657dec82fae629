import { Customer } from './customer.mts';
import { Faults } from './faults.mts';
import type { Message, ReplyButton } from './messages.mts';
import type { Wire } from './wire.mts';

export interface AccountOptions {
	/** Shown on the sandbox's page. */
	name?: string;
	/** The type of its channel, such as `MESSENGER_BOT`. Default: the official kind. */
	type?: string;
	/** False: free-form messages do not need an open conversation window. Default: by the type. */
	hasWindow?: boolean;
	/**
	 * False: the account lacks the role that lists of webhooks and of channels need. Default: true.
	 */
	enterprise?: boolean;
}

/** A part of a template, such as `{type: 'FOOTER', text: 'The shop'}`. */
export interface TemplateComponent {
	type: string;
	[field: string]: unknown;
}

interface TemplateBasics {
	name: string;
	/** Default: `en_US`. */
	language?: string;
	/** Default: `UTILITY`. */
	category?: string;
	/** Default: `APPROVED`. */
	status?: 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED';
	/** Name of the business account, made if there is none. Default: the account's first. */
	business?: string;
}

/** A template: the body's text and quick replies, or the components as the service lists them. */
export type NewTemplate = TemplateBasics &
	(
		| {
				/** With variables: `{{1}}`, `{{2}}` and so on, or `{{name}}`. */
				body: string;
				/** Quick replies. */
				buttons?: ReplyButton[];
		  }
		| { components: TemplateComponent[] }
	);

/** The address and the keys of an account. */
export interface AccountKeys {
	id: string;
	secretKey: string;
	publicKey: string;
	channelId: string;
	/** Whether customers of the channel have phone numbers. Otherwise they have names. */
	hasNumbers: boolean;
}

const freshDigits = (): string =>
	[...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte % 10).join('');

/** A channel of an account, with its chats. */
export class Channel {
	readonly #wire: Wire;
	readonly channelId: string;
	/** Id of the account. */
	readonly id: string;
	/** Root of the service, without `/v1`. */
	readonly baseUrl: string;
	/** Faults for this account only. */
	readonly faults: Faults;
	readonly #hasNumbers: boolean;

	constructor(
		wire: Wire,
		{ id, channelId, hasNumbers }: Pick<AccountKeys, 'id' | 'channelId' | 'hasNumbers'>,
	) {
		this.#wire = wire;
		this.id = id;
		this.channelId = channelId;
		this.#hasNumbers = hasNumbers;
		this.baseUrl = wire.url;
		this.faults = new Faults(wire, id);
	}

	/**
	 * A customer who has not written yet. `number`: how the channel knows them, a phone number or a
	 * name such as `@customer_1234`. If left out, it is generated and unique, because the code under
	 * test may know customers only by it.
	 */
	customer({ name = 'Customer', number = this.#freshIdentifier() } = {}): Customer {
		return new Customer(this.#wire, this.channelId, number, name);
	}

	#freshIdentifier(): string {
		return `${this.#hasNumbers ? '5500' : '@customer_'}${freshDigits()}`;
	}

	/** The newest 10,000 messages of all chats, oldest first. */
	async messages(): Promise<Message[]> {
		const path = `/messages?channelId=${this.channelId}&limit=10000`;
		const { messages } = await this.#wire.call<{ messages: Message[] }>('GET', path);
		return messages;
	}

	/** Adds a template, approved by default. */
	async addTemplate(template: NewTemplate): Promise<void> {
		const body = { status: 'APPROVED', ...template, tenant: this.id };
		await this.#wire.call('POST', '/message-templates', body);
	}
}

/**
 * A separate account in the sandbox, with one connected channel. Other accounts do not affect it.
 */
export class Account extends Channel {
	readonly #wire: Wire;
	/** The key with which the code under test calls the service. */
	readonly secretKey: string;
	readonly publicKey: string;

	constructor(wire: Wire, keys: AccountKeys) {
		super(wire, keys);
		this.#wire = wire;
		this.secretKey = keys.secretKey;
		this.publicKey = keys.publicKey;
	}

	/** Removes the account with everything in it. */
	async remove(): Promise<void> {
		await this.#wire.call('DELETE', `/tenants/${this.id}`);
	}
}
