import type { State } from '../http/control/administration.mts';

import { attachment, type Upload } from './attach.js';
import { attempt, h, offer, toggle } from './dom.js';
import { takeOut } from './drafts.js';

interface Editor {
	elements: HTMLElement[];
	content: () => object | Promise<object>;
}
interface Tools {
	media: State['media'];
	upload: Upload;
}
interface Kind {
	label: string;
	byCustomer?: boolean;
	editor: (tools: Tools) => Editor;
}

/** A picture that works as an image and as a sticker, or two seconds of silence. */
const sample = (name: 'sample.webp' | 'sample.mp3') => () =>
	new URL(`/page/${name}`, location.href).href;

const input = (placeholder: string, defaultValue = '', required = true) =>
	h('input', {
		placeholder,
		defaultValue,
		required,
		'aria-label': placeholder.replace(/^e\.g\. /, ''),
		autocomplete: 'off',
	});

const plain = (inputs: HTMLInputElement[], content: (values: string[]) => object) => ({
	elements: inputs,
	content: () => content(inputs.map(({ value }) => value)),
});

const media = (
	type: keyof State['media'],
	label: string,
	{ url = () => '', captioned = false }: { url?: () => string; captioned?: boolean } = {},
): Kind => ({
	label,
	editor(tools) {
		const caption = input('Caption', '', false);
		const address = input(`${label} URL`, url());
		const attached = attachment(label, address, tools.media[type], tools.upload);
		return {
			elements: [...attached.elements, ...(captioned ? [caption] : [])],
			// The address is last: it waits for the upload, and the boxes are emptied meanwhile.
			content: async () => ({
				...(caption.value && { caption: caption.value }),
				url: await attached.address(),
			}),
		};
	},
});

/** The kinds of message, each with its inputs and how they become a content. */
const KINDS: Record<string, Kind> = {
	TEXT: { label: 'Text', editor: () => plain([input('Message')], ([text]) => ({ text })) },
	IMAGE: media('IMAGE', 'Image', { url: sample('sample.webp'), captioned: true }),
	VIDEO: media('VIDEO', 'Video', { captioned: true }),
	AUDIO: media('AUDIO', 'Audio', { url: sample('sample.mp3') }),
	STICKER: media('STICKER', 'Sticker', { url: sample('sample.webp') }),
	CONTACT_ARRAY: {
		label: 'Contact',
		editor: () =>
			plain(
				[
					input('Contact name', 'Bo Example'),
					input('Contact numbers, with commas between', '5500000000102'),
				],
				([name, numbers = '']) => {
					const phones = numbers.split(',').map((number) => number.trim());
					return { contacts: [{ name, phones: phones.filter(Boolean) }] };
				},
			),
	},
	BUTTON_REPLY: {
		label: 'Button',
		byCustomer: true,
		editor: () =>
			plain([input('Button text', 'Yes'), input('Button id', 'yes', false)], ([text, id]) => ({
				text,
				...(id && { id }),
			})),
	},
};

const offered = (isColleague: boolean): Array<[type: string, label: string]> =>
	Object.entries(KINDS)
		.filter(([, { byCustomer }]) => !(byCustomer && isColleague))
		.map(([type, { label }]) => [type, label]);

/** Throws if the message was refused. */
type Send = (content: object) => Promise<unknown>;

/** The form for messages of the customer, or of a colleague on the business's phone. */
export function composer({ sendAs, ...tools }: Tools & { sendAs: (isColleague: boolean) => Send }) {
	let isColleague = false;
	// Each chat keeps its kind, and each kind its boxes, with what is written in them.
	const blank = () => ({
		kind: 'TEXT',
		editors: new Map(Object.entries(KINDS).map(([type, { editor }]) => [type, editor(tools)])),
	});
	let draft = blank();
	const drafts: Map<string, typeof draft> = new Map();
	const fields = h('span.inputs');
	const kind = h('select', { 'aria-label': 'Kind of message', onchange: show });
	const writer = toggle('Write on the business’s phone', false, (checked) => {
		isColleague = checked;
		element.classList.toggle('colleague', checked);
		offerKinds();
	});
	const element = h(
		'form.composer',
		{ onsubmit: submit },
		kind,
		fields,
		h('button.primary', 'Send'),
		writer,
	);

	const editor = () => draft.editors.get(kind.value) ?? plain([], () => ({}));

	function show() {
		draft.kind = kind.value;
		fields.replaceChildren(...editor().elements);
	}

	/** Offers the writer's kinds, and chooses that of the draft if it is among them. */
	function offerKinds() {
		offer(kind, offered(isColleague), draft.kind);
		show();
	}

	const focus = () => editor().elements[0]?.focus();

	/** Shows what is written in a chat. What was written before any was open belongs to the first. */
	function open(chat: string) {
		const next = drafts.get(chat) ?? (drafts.size > 0 ? blank() : draft);
		drafts.set(chat, next);
		if (next === draft) return;
		draft = next;
		offerKinds();
	}

	let sending: Promise<void> = Promise.resolve();

	/**
	 * Takes what was written out of the form at once, so that the next message can be typed. Messages
	 * leave one after the other.
	 */
	function submit(event: SubmitEvent) {
		event.preventDefault();
		const [written, type, send] = [editor(), kind.value, sendAs(isColleague)];
		const content = Promise.resolve(written.content());
		// The message before may take longer than this one takes to fail.
		content.catch(() => {});
		const giveBack = takeOut(written.elements);
		focus();
		sending = sending.then(async () => {
			const taken = await attempt(async () => {
				await send({ type, ...(await content) });
				return true;
			});
			if (!taken) giveBack();
		});
	}

	offerKinds();
	return { element, focus, open };
}
