import { readState } from './api.js';
import { isolated } from './dom.js';

/** @import { Notice } from './api.js' */
/** @typedef {{ update: (notices: Notice[]) => void }} View */

/** The data of every view: the state from the control API, and the sandbox's time. */
export class App {
	#readAt = Date.now();

	/** @param {Awaited<ReturnType<typeof readState>>} state */
	constructor(state) {
		this.state = state;
	}

	/** The sandbox's time now, in milliseconds. */
	now() {
		const { now, speed } = this.state.clock;
		return Date.parse(now) + (Date.now() - this.#readAt) * speed;
	}

	channels() {
		return this.state.tenants.flatMap((tenant) =>
			tenant.channels.map((channel) => ({ ...channel, tenant })),
		);
	}

	/**
	 * A channel's name, for people.
	 * @param {string} id
	 */
	channelName(id) {
		return this.channels().find((channel) => channel.id === id)?.name ?? 'Unknown channel';
	}

	/**
	 * The source and the target of a webhook's events, for people. For an option, which cannot
	 * contain markup.
	 * @param {{ channelId: string | null, url: string }} webhook
	 */
	webhookName({ channelId, url }) {
		return `${channelId ? isolated(this.channelName(channelId)) : 'Template'} → ${new URL(url).host}`;
	}

	async reload() {
		this.state = await readState();
		this.#readAt = Date.now();
	}
}
