import { field, h, option, toggle } from './dom.js';

/**
 * The stand-in of the service's connection SDK, used as the real one is:
 *
 *     const client = createClient({ publicKey });
 *     const answer = await client.connect(channelId);
 *
 * It asks the person in a dialog and answers `{success, channelId, code, wabaId, phoneId, coexistence}`, or `{success: false, channelId}`
 * when the person closes the dialog.
 */
export function createClient({ publicKey }) {
	return {
		async connect(channelId) {
			const { phones } = await (await fetch(`/_sandbox/channels/${channelId}/phones`)).json();
			const choice = await ask(phones);
			if (!choice) return { success: false, channelId };
			const response = await fetch('/_sandbox/sdk/connect', {
				method: 'POST',
				headers: { 'content-type': 'application/json', authorization: `Bearer ${publicKey}` },
				body: JSON.stringify({ channelId, ...choice }),
			});
			const answer = await response.json();
			if (!response.ok) throw new Error(answer.error);
			return answer;
		},
	};
}

/** The step that the chat application's own sign-in would be. Undefined when the person refuses. */
function ask(phones) {
	return new Promise((resolve) => {
		let coexistence = false;
		const phone = h(
			'select',
			{},
			phones.map(({ phoneId, number }) => option(phoneId, `+${number}`)),
		);
		const dialog = h(
			'dialog',
			{
				'aria-labelledby': 'sdk-title',
				onclose: () => (
					dialog.remove(),
					resolve(dialog.returnValue === 'allow' ? { phoneId: phone.value, coexistence } : undefined)
				),
			},
			h(
				'form',
				{ method: 'dialog' },
				h('h3', { id: 'sdk-title' }, 'Sign in with the chat application'),
				h('p', {}, `Let this service use a number of your business account ${phones[0].wabaId}?`),
				field('Business number', phone),
				toggle('Keep using it in the app on the phone, too (coexistence)', false, (checked) => (coexistence = checked)),
				h(
					'footer',
					{ class: 'row' },
					h('button', { value: 'deny' }, 'Not now'),
					h('button', { value: 'allow', class: 'primary' }, 'Allow'),
				),
			),
		);
		document.body.append(dialog);
		dialog.showModal();
	});
}
