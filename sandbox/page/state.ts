import type { State } from '../http/control/administration.mts';

import { readState, type Notice } from './api.js';
import { isolated, shortened } from './dom.js';
import { ownerOf } from './owner.js';

type Webhook = State['webhooks'][number];
export type Channel = ReturnType<App['channels']>[number];

export interface View {
	update: (notices: Notice[]) => void;
}

const MAX_NAME = 40;

const named = (name: string) => isolated(shortened(name, MAX_NAME));

/** A channel in a list to choose from. */
export const channelChoice = ({ id, name, connected }: Channel) =>
	[id, connected ? name : `${isolated(name)} (not connected)`] as const;

/** The data of every view: the state from the control API, and the sandbox's time. */
export class App {
	#readAt = Date.now();

	constructor(public state: State) {}

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

	/** A channel's name, for people. */
	channelName(id: string) {
		return this.channels().find((channel) => channel.id === id)?.name ?? 'Unknown channel';
	}

	webhook(id: string) {
		return this.state.webhooks.find((webhook) => webhook.id === id);
	}

	/** What people call the receiver of a webhook. The webhook may have been removed. */
	receiver(id: string, description = this.webhook(id)?.description ?? null) {
		const url = this.webhook(id)?.url;
		const unnamed = url === undefined ? 'a webhook that was removed' : new URL(url).host;
		return shortened(ownerOf(description)?.workflow || description || unnamed, MAX_NAME);
	}

	/**
	 * The source and the target of a webhook's events, for people. For an option, which cannot
	 * contain markup. Two that would read the same end on a part of their IDs.
	 */
	webhookName(webhook: Webhook) {
		const name = this.#routeOf(webhook);
		const isShared = this.state.webhooks.some(
			(other) => other.id !== webhook.id && this.#routeOf(other) === name,
		);
		return isShared ? `${name} (${webhook.id.slice(-6)})` : name;
	}

	#routeOf({ channelId, url, description }: Webhook) {
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
