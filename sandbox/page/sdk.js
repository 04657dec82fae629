import { callWithKey, control } from './api.js';
import { ask, field, h, option, toggle } from './dom.js';

/** @import { BusinessPhone } from '../store/channels.mts' */
/** @typedef {{ success: boolean, channelId: string, code?: string, wabaId?: string, phoneId?: string, coexistence?: boolean }} Connection */

/**
 * The stand-in of the service's connection SDK, used as the real one is:
 *
 *     const client = createClient({ publicKey });
 *     const connection = await client.connect(channelId);
 *
 * It asks the person in a dialog and gives `{success, channelId, code, wabaId, phoneId, coexistence}`, or `{success: false, channelId}`
 * when the person closes the dialog.
 * @param {{ publicKey: string }} keys
 */
export function createClient({ publicKey }) {
	return {
		/**
		 * @param {string} channelId
		 * @returns {Promise<Connection>}
		 */
		async connect(channelId) {
			const offered = await control(`/channels/${channelId}/phones`);
			const choice = await choose(/** @type {{ phones: BusinessPhone[] }} */ (offered).phones);
			if (!choice) return { success: false, channelId };
			const body = { channelId, ...choice };
			return /** @type {Connection} */ (
				await callWithKey('/_sandbox/sdk/connect', publicKey, body)
			);
		},
	};
}

/**
 * The step that the chat application's own sign-in would be. Undefined when the person refuses.
 * @param {BusinessPhone[]} phones
 */
async function choose(phones) {
	let coexistence = false;
	const phone = h(
		'select',
		{},
		phones.map(({ phoneId, number }) => option(phoneId, `+${number}`)),
	);
	const chosen = await ask(
		'sdk-title',
		h('h3', { id: 'sdk-title' }, 'Sign in with the chat application'),
		h('p', {}, `Let this service use a number of your business account ${phones[0]?.wabaId}?`),
		field('Business number', phone),
		toggle(
			'Keep using it in the app on the phone, too (coexistence)',
			false,
			(checked) => (coexistence = checked),
		),
		h(
			'footer',
			{ class: 'row' },
			h('button', { value: 'deny' }, 'Not now'),
			h('button', { value: 'allow', class: 'primary' }, 'Allow'),
		),
	);
	return chosen === 'allow' ? { phoneId: phone.value, coexistence } : undefined;
}
