import { control } from './api.js';
import { attempt, h, isolated, toast } from './dom.js';

/** @import { App } from './state.js' */
/** @typedef {ReturnType<App['channels']>[number]} Channel */

/**
 * Whether a channel was connected before and is not now. A new channel never was.
 * @param {Channel} channel
 */
export const isDisconnected = ({ connected, phoneId }) => !connected && phoneId !== null;

/**
 * Connects a channel as the service's connection page and Connect would: with the number that it
 * had, or a new channel with its first one.
 * @param {Channel} channel
 */
export async function connectHere({ id, name, phoneId, coexistence }) {
	const choice = phoneId === null ? {} : { phoneId, coexistence };
	if (!(await attempt(() => control(`/channels/${id}/connect`, choice)))) return;
	const what =
		phoneId === null
			? 'is connected. Choose it in a trigger, and write to it under Chats.'
			: 'is connected again. Its webhooks were kept, so published workflows go on.';
	toast(`${isolated(name)} ${what}`, false);
}

/**
 * A button that connects a channel by one click.
 * @param {Channel} channel
 */
export function connectButton(channel) {
	const words = isDisconnected(channel) ? 'Connect again' : 'Connect here';
	const label = `${words}: ${isolated(channel.name)}`;
	const onclick = () => connectHere(channel);
	return h('button', { type: 'button', 'aria-label': label, onclick }, words);
}
