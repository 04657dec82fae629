import { readState } from './api.js';
import { isolated, shortened } from './dom.js';
import { ownerOf } from './owner.js';

/** @import { Notice } from './api.js' */
/** @typedef {App['state']['webhooks'][number]} Webhook */
/** @typedef {{ update: (notices: Notice[]) => void }} View */

const MAX_NAME = 40;

/** @param {string} name */
const named = (name) => isolated(shortened(name, MAX_NAME));

/**
 * A channel in a list to choose from.
 * @param {{ name: string, connected: boolean }} channel
 */
export const channelLabel = ({ name, connected }) =>
	connected ? name : `${isolated(name)} (not connected)`;

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
	 * contain markup. Two that would read the same end on a part of their IDs.
	 * @param {Webhook} webhook
	 */
	webhookName(webhook) {
		const name = this.#routeOf(webhook);
		const isShared = this.state.webhooks.some(
			(other) => other.id !== webhook.id && this.#routeOf(other) === name,
		);
		return isShared ? `${name} (${webhook.id.slice(-6)})` : name;
	}

	/** @param {Webhook} webhook */
	#routeOf({ channelId, url, description }) {
		const owner = ownerOf(description);
		const target = owner
			? [owner.workflow, owner.node].filter(Boolean).map(named).join(', ')
			: new URL(url).host;
		return `${channelId ? isolated(this.channelName(channelId)) : 'Template'} → ${target}`;
	}

	async reload() {
		this.state = await readState();
		this.#readAt = Date.now();
	}
}
