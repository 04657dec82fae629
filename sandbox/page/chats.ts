import {
	control,
	has,
	readConversations,
	readMessages,
	readScript,
	upload,
	type Notice,
} from './api.js';
import { chatList, newCustomer, type Chat } from './chatList.js';
import { composer } from './composer.js';
import { forget, isSuggested, named, remember, suggestion } from './customers.js';
import { ask, attempt, field, h, isolated, offer, oneAtATime, save, toast, toggle } from './dom.js';
import { phone } from './phone.js';
import { channelChoice, type App } from './state.js';

/**
 * The chats of a channel's customers, as on the customers' phones.
 * @param argument the customer whose chat is open
 */
export function mountChats(root: HTMLElement, app: App, argument: string | undefined) {
	const [channel] = app.channels();
	if (channel) return new Chats(root, app, channel.id, argument && decodeURIComponent(argument));
	const text =
		'There is no channel. Create one under Connect, or reset the sandbox under Controls.';
	root.append(h('p.empty', text));
	return { update: () => undefined };
}

/** The notices that change what a chat shows. */
const REFRESHING: Notice['type'][] = [
	'message',
	'status',
	'delivery',
	'webhook',
	'channel',
	'fault',
	'reset',
	'clock',
	'missed',
];

class Chats {
	#chats: Chat[] = [];
	#channel = h('select');
	#readsAtOnce = true;
	#list;
	#phone;
	#composer;
	#nobody = h('p.empty', { hidden: true }, 'There is no customer. Add one above.');
	#refresh = oneAtATime(() => this.#read());

	constructor(
		private readonly root: HTMLElement,
		private readonly app: App,
		private channelId: string,
		private customer: string | undefined,
	) {
		this.#list = chatList(app, (chosen) => this.#open(chosen));
		this.#composer = composer({
			media: app.state.media,
			upload: (file) => upload(this.channelId, file),
			sendAs: (isColleague) => this.#writer(isColleague),
		});
		this.#phone = phone(app, {
			channel: () => app.channels().find(({ id }) => id === this.channelId),
			onClose: () => this.#close(),
			onRecord: () => void attempt(() => this.#record()),
			onRemove: () => void attempt(() => this.#remove()),
			onTap: (messageId, buttonId) =>
				void attempt(() =>
					control(`/messages/${messageId}/tap`, { buttonId, name: this.#current()?.name }),
				),
			composer: this.#composer.element,
		});
		root.append(this.#side(), this.#phone.element);
		if (customer) root.classList.add('open');
		void this.#refresh();
	}

	update(notices: Notice[]) {
		if (has(notices, 'reset')) this.#chats = [];
		if (has(notices, 'channel', 'tenant', 'reset', 'missed')) this.#showChannels();
		if (has(notices, ...REFRESHING)) void this.#refresh();
	}

	#side() {
		const channel = this.#channel;
		this.#showChannels();
		channel.addEventListener('change', () => this.#choose(channel.value));
		const reads = toggle('The customer reads at once', this.#readsAtOnce, (checked) => {
			this.#readsAtOnce = checked;
			void this.#readMessages();
		});
		return h(
			'aside.panel.side',
			field('Channel', channel),
			newCustomer((customer, name) => this.#add(customer, name)),
			this.#nobody,
			...this.#list.elements,
			reads,
		);
	}

	#showChannels() {
		const channels = this.app.channels();
		offer(this.#channel, channels.map(channelChoice), this.channelId);
		// If the chosen one was deleted, the list shows another, and messages must go there.
		if (channels.length > 0 && !channels.some(({ id }) => id === this.channelId))
			this.#choose(this.#channel.value);
	}

	#choose(channelId: string) {
		this.channelId = channelId;
		this.customer = undefined;
		void this.#refresh();
	}

	#current() {
		return this.#chats.find(({ customer }) => customer === this.customer);
	}

	#add(customer: string, name: string) {
		if (name !== customer) remember(customer, name);
		const others = this.#chats.filter((chat) => !isSuggested(chat));
		const isKnown = others.some((chat) => chat.customer === customer);
		this.#chats = isKnown ? others.map(named) : [{ customer, name }, ...others];
		this.#open(customer);
	}

	#open(customer: string) {
		this.customer = customer;
		history.replaceState(null, '', `#chats/${encodeURIComponent(customer)}`);
		this.root.classList.add('open');
		void this.#readMessages(true);
		this.#show(customer, true);
		// On a phone, the keyboard would cover half of the chat.
		if (!matchMedia('(pointer: coarse)').matches) this.#composer.focus();
	}

	#close() {
		this.root.classList.remove('open');
		history.replaceState(null, '', '#chats');
		this.#list.focus();
	}

	/** Saves the open chat as a script that replays it. */
	async #record() {
		const customer = this.customer;
		if (!customer) return;
		const file = `conversation-${customer}.yaml`;
		save(file, await readScript(this.channelId, customer), 'text/yaml');
		toast(`Saved as ${isolated(file)}`, false);
	}

	/** Removes the customer of the open chat, after a confirmation. */
	async #remove() {
		const { customer, name } = this.#current() ?? {};
		if (!customer || !name) return;
		const chosen = await ask(
			'remove-title',
			['Remove ', h('bdi', name), '?'],
			['This deletes the chat, its deliveries and the log of requests. n8n keeps what it has.'],
			h('button', { value: 'keep' }, 'Keep'),
			h('button.danger', { value: 'remove' }, 'Remove'),
		);
		if (chosen !== 'remove') return;
		const query = new URLSearchParams({ channelId: this.channelId, customer });
		await control(`/conversations?${query}`, undefined, 'DELETE');
		forget(customer);
		toast(`Removed ${isolated(name)}`, false);
		this.customer = undefined;
		this.#close();
		await this.#refresh();
	}

	/** To the chat that is open now: another one may be open when the message leaves. */
	#writer(isColleague: boolean) {
		const [channelId, open, current] = [this.channelId, this.customer, this.#current()];
		return async (content: object) => {
			// A message from before the chats were loaded: open the first chat.
			if (!open) await this.#refresh();
			const customer = open ?? this.customer;
			const message = { channelId, name: (current ?? this.#current())?.name, ...content };
			return await (isColleague
				? control('/from-phone', { ...message, to: customer })
				: control('/inbound', { ...message, from: customer }));
		};
	}

	async #read() {
		const channelId = this.channelId;
		const read = await attempt(() => readConversations(channelId));
		if (!read || channelId !== this.channelId) return;
		const known = new Set(read.map(({ customer }) => customer));
		const suggested = suggestion();
		const isOffered = this.#chats.some(isSuggested);
		const begun = this.#chats.filter(
			(chat) => !isSuggested(chat) && !chat.lastMessage && !known.has(chat.customer),
		);
		this.#chats = [...begun, ...read.map(named)];
		const isQuiet = begun.length === 0 && read.every(({ lastInboundAt }) => lastInboundAt === null);
		if (suggested && !known.has(suggested.customer) && (isQuiet || isOffered))
			this.#chats.unshift(suggested);
		const customer = (this.customer ??= this.#chats[0]?.customer);
		if (customer !== undefined && !this.#current())
			this.#chats.unshift(
				customer === suggested?.customer ? suggested : named({ customer, name: customer }),
			);
		this.#show(customer);
		await this.#readMessages();
	}

	/**
	 * Shows the customers, and hides what is of no use if there are none.
	 * @param customer whose chat is open
	 * @param isOpened whether a person opens it now
	 */
	#show(customer: string | undefined, isOpened = false) {
		const isEmpty = this.#chats.length === 0;
		this.#nobody.hidden = !isEmpty;
		for (const part of [...this.#list.elements, this.#phone.element]) part.hidden = isEmpty;
		this.#list.render(this.#chats, customer, isOpened);
		if (customer) this.#composer.open(`${this.channelId} ${customer}`);
	}

	async #readMessages(scroll = false) {
		const customer = this.customer;
		if (!customer) return;
		const conversation = { channelId: this.channelId, customer };
		const messages = await attempt(() => readMessages(conversation));
		if (!messages || customer !== this.customer) return;
		this.#phone.render(this.#current() ?? { customer, name: customer }, messages, scroll);
		const unread = messages.some(
			({ direction, status }) => direction === 'out' && status === 'DELIVERED',
		);
		if (this.#readsAtOnce && unread && !document.hidden)
			await attempt(() => control('/read', conversation));
	}
}
