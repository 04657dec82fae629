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
 * A button that connects a channel again, with the number that it had.
 * @param {Channel} channel
 */
export function reconnectButton({ id, name, phoneId, coexistence }) {
	const reconnect = async () => {
		if (!(await attempt(() => control(`/channels/${id}/connect`, { phoneId, coexistence }))))
			return;
		const text = `${isolated(name)} is connected again. Its webhooks were kept, so published workflows go on.`;
		toast(text, false);
	};
	const label = `Connect again: ${isolated(name)}`;
	return h('button', { type: 'button', 'aria-label': label, onclick: reconnect }, 'Connect again');
}
