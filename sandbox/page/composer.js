import { h, option } from './dom.js';

const sample = () => new URL('/page/sample.svg', location.href).href;
const input = (placeholder, value = '', required = true) =>
	h('input', { placeholder, value, required, 'aria-label': placeholder.replace(/^e\.g\. /, ''), autocomplete: 'off' });

/** The kinds of message, each with its inputs and how they become a content. */
const KINDS = {
	TEXT: { label: 'Text', inputs: () => [input('Message')], content: ([text]) => ({ text }) },
	IMAGE: {
		label: 'Image',
		inputs: () => [input('Image URL', sample()), input('Caption', '', false)],
		content: ([url, caption]) => ({ url, ...(caption && { caption }) }),
	},
	AUDIO: { label: 'Audio', inputs: () => [input('Audio URL')], content: ([url]) => ({ url }) },
	VIDEO: {
		label: 'Video',
		inputs: () => [input('Video URL'), input('Caption', '', false)],
		content: ([url, caption]) => ({ url, ...(caption && { caption }) }),
	},
	STICKER: { label: 'Sticker', inputs: () => [input('Sticker URL', sample())], content: ([url]) => ({ url }) },
	CONTACT_ARRAY: {
		label: 'Contact',
		inputs: () => [input('Contact name', 'Bo Example'), input('Contact number', '5500000000102')],
		content: ([name, phone]) => ({ contacts: [{ name, phone }] }),
	},
	INTERACTIVE_BUTTON: {
		label: 'Button answer',
		inputs: () => [input('Button text', 'Yes'), input('Button id', 'yes', false)],
		content: ([text, buttonId]) => ({ text, ...(buttonId && { buttonId }) }),
	},
	INTERACTIVE_ACTION: {
		label: 'Action answer',
		inputs: () => [input('Action text', 'Show the menu'), input('Action id', 'menu', false)],
		content: ([text, actionId]) => ({ text, ...(actionId && { actionId }) }),
	},
};

/** Where the customer writes. `send(content)` gives something truthy when it was taken. */
export function composer(send) {
	let inputs = [];
	const fields = h('span', { class: 'inputs' });
	const kind = h(
		'select',
		{ 'aria-label': 'Kind of message', onchange: rebuild },
		Object.entries(KINDS).map(([type, { label }]) => option(type, label)),
	);
	const button = h('button', { class: 'primary' }, 'Send');
	const element = h('form', { class: 'composer', onsubmit: submit }, kind, fields, button);

	function rebuild() {
		inputs = KINDS[kind.value].inputs();
		fields.replaceChildren(...inputs);
	}

	async function submit(event) {
		event.preventDefault();
		button.disabled = true;
		const { content } = KINDS[kind.value];
		const taken = await send({ type: kind.value, ...content(inputs.map(({ value }) => value)) });
		button.disabled = false;
		if (taken) rebuild();
		inputs[0].focus();
	}

	rebuild();
	return { element, focus: () => inputs[0].focus() };
}
