import { control } from './api.js';
import { attempt, h, isolated, toast } from './dom.js';
import type { Channel } from './state.js';

/** Whether a channel was connected before and is not now. A new channel never was. */
export const isDisconnected = ({ connected, phoneId }: Channel) => !connected && phoneId !== null;

/**
 * Connects a channel as the service's connection page and Connect would: with the number that it
 * had, or a new channel with its first one.
 */
export async function connectHere({ id, name, phoneId, coexistence }: Channel) {
	const choice = phoneId === null ? {} : { phoneId, coexistence };
	if (!(await attempt(() => control(`/channels/${id}/connect`, choice)))) return;
	const what =
		phoneId === null
			? 'is connected. Choose it in a trigger, and write to it under Chats.'
			: 'is connected again. Its webhooks were kept, so published workflows go on.';
	toast(`${isolated(name)} ${what}`, false);
}

/** A button that connects a channel by one click. */
export function connectButton(channel: Channel) {
	const words = isDisconnected(channel) ? 'Connect again' : 'Connect here';
	const label = `${words}: ${isolated(channel.name)}`;
	const onclick = () => connectHere(channel);
	return h('button', { type: 'button', 'aria-label': label, onclick }, words);
}
