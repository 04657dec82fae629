import { fill, h, toast } from './dom.js';
import type { App } from './state.js';

/** What n8n's credential needs: the sandbox's address and the demo account's secret key. */
export function credential(app: App) {
	const values = h('dl.credential');
	const render = () => {
		const { demoSecretKey } = app.state;
		fill(
			values,
			copied('Base URL', location.origin),
			demoSecretKey === null ? unknownKey() : copied('Secret Key', demoSecretKey),
		);
	};
	render();
	const element = h(
		'section.panel',
		h('h2', 'Connect n8n'),
		h('p.muted', 'Enter both in n8n, in a credential “Business Messaging API”.'),
		values,
		h(
			'p.muted',
			'After a new key, enter it there, and unpublish and publish your workflows. Their webhooks then get a token of the new key.',
		),
	);
	return { element, render };
}

function copied(term: string, value: string) {
	const code = h('code', value);
	return [h('dt', term), h('dd', code, ' ', copyButton(term, value, code))];
}

/**
 * Copies a value.
 * @param term its name
 * @param shown where the page shows it
 */
export function copyButton(term: string, value: string, shown?: HTMLElement) {
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(value);
			toast(`${term} copied`, false);
		} catch {
			// Browsers refuse the clipboard to pages by plain HTTP of another machine.
			if (shown) getSelection()?.selectAllChildren(shown);
			const instead = shown ? ' It is selected: copy it yourself.' : '';
			toast(`The browser does not let the page copy.${instead}`, false);
		}
	};
	return h('button', { type: 'button', 'aria-label': `Copy ${term}`, onclick: copy }, 'Copy');
}

const unknownKey = () => [
	h('dt', 'Secret Key'),
	h('dd', 'the one that was set. The sandbox does not store it and cannot show it.'),
];
