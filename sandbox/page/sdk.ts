import type { BusinessPhone } from '../http/control/connections.mts';

import { callWithKey, control } from './api.js';
import { ask, field, h, select, toggle } from './dom.js';

/** What the SDK returns. Each kind of channel adds values of its own. */
export type Connection = { success: boolean; channelId: string } & Record<string, unknown>;
interface Offered {
	phones: BusinessPhone[];
	asksCoexistence: boolean;
}

/**
 * The stand-in for the service's connection SDK, used like the real one:
 *
 *     const client = createClient({ publicKey });
 *     const connection = await client.connect(channelId);
 *
 * It asks the person in a dialog. It returns `{success: true, channelId}` with the values that the
 * kind of channel needs, such as `code` or `botToken`, or `{success: false, channelId}` if the
 * person closes the dialog.
 */
export function createClient({ publicKey }: { publicKey: string }) {
	return {
		async connect(channelId: string): Promise<Connection> {
			const offered = await control(`/channels/${channelId}/phones`);
			const choice = await choose(offered as Offered);
			if (!choice) return { success: false, channelId };
			const body = { channelId, ...choice };
			return (await callWithKey('/_sandbox/sdk/connect', publicKey, body)) as Connection;
		},
	};
}

/**
 * How customers know it.
 * @param number a phone number without its plus, or a name
 */
export const withPlus = (number: string) => (/^\d/.test(number) ? `+${number}` : number);

/** The chat application's sign-in. Undefined if the person refuses. */
async function choose({ phones, asksCoexistence }: Offered) {
	let coexistence = false;
	const phone = select(phones.map(({ phoneId, number }) => [phoneId, withPlus(number)]));
	const label = 'Keep using it in the app on the phone, too (coexistence)';
	const keeps = toggle(label, false, (checked) => (coexistence = checked));
	const chosen = await ask(
		'sdk-title',
		'Sign in with the chat application',
		[
			`Let this service use your business account ${phones[0]?.wabaId}?`,
			field('Business number or name', phone),
			asksCoexistence && keeps,
		],
		h('button', { value: 'deny' }, 'Not now'),
		h('button.primary', { value: 'allow' }, 'Allow'),
	);
	return chosen === 'allow' ? { phoneId: phone.value, coexistence } : undefined;
}
