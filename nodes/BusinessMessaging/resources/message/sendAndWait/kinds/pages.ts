import type { IWebhookFunctions } from 'n8n-workflow';

import { asHtml } from '../../../../service/errors/nodeError';
import { type FormField, nameOnPage, FIELD_MAX } from './formElements';

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
p { white-space: pre-wrap; overflow-wrap: anywhere; }
label, legend { display: block; margin: 1.25rem 0 .25rem; font-weight: 600; padding: 0; }
fieldset { border: 0; margin: 1.25rem 0 0; padding: 0; }
fieldset label { font-weight: 400; margin: .25rem 0; }
input:not([type=radio]):not([type=checkbox]), textarea, select { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit; border: 1px solid #888; border-radius: .375rem; }
button { margin-top: 1.5rem; padding: .75rem 1.5rem; font: inherit; font-weight: 600; color: #fff; background: #1d4ed8; border: 0; border-radius: .375rem; cursor: pointer; }
button + button { margin-left: .75rem; color: inherit; background: none; border: 1px solid #888; }
button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
.problem { color: #b91c1c; margin: .25rem 0 0; }
@media (prefers-color-scheme: dark) { .problem { color: #fca5a5; } }
`;

/** Text for a page, also for its attributes. What people wrote must not become markup. */
export const escapeHtml = (text: string): string =>
	asHtml(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');

const page = (title: string, content: string): string => `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body><main>${content}</main></body>
</html>`;

export const noticePage = (text: string): string =>
	page('Answer', `<p role="status">${escapeHtml(text)}</p>`);

/** The name under which the page sends the chosen value. */
export const CHOICE_NAME = 'approved';

/** A page with a button for each choice, whose value it sends. */
export const choicePage = (
	message: string,
	choices: ReadonlyArray<{ value: string; label: string }>,
): string => {
	const buttons = choices.map(
		({ value, label }) =>
			`<button type="submit" name="${CHOICE_NAME}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`,
	);
	return page('Your answer', `<p>${escapeHtml(message)}</p>${form(buttons.join(''))}`);
};

/** n8n reads the values of a form from multipart bodies only. */
const form = (content: string): string =>
	`<form method="post" enctype="multipart/form-data">${content}</form>`;

export interface FormPage {
	title: string;
	message: string;
	buttonLabel: string;
	fields: readonly FormField[];
	/** What is wrong, by the field's index. */
	problems?: ReadonlyMap<number, string>;
	/** What was entered, by the field's index. */
	entered?: ReadonlyArray<readonly string[]>;
}

export function formPage(shown: FormPage): string {
	const { title, message, buttonLabel, fields, problems, entered = [] } = shown;
	const heading = title ? `<h1>${escapeHtml(title)}</h1>` : '';
	const inputs = fields
		.map((field, index) => inputOf(field, index, entered[index] ?? [], problems?.get(index)))
		.join('\n');
	const content = form(`${inputs}<button type="submit">${escapeHtml(buttonLabel)}</button>`);
	return page(title || 'Your answer', `${heading}<p>${escapeHtml(message)}</p>${content}`);
}

/** Browsers limit the length of the other types themselves. */
const TYPED = new Set<FormField['type']>(['text', 'textarea', 'email']);

function inputOf(
	field: FormField,
	index: number,
	given: readonly string[],
	problem: string | undefined,
): string {
	const name = nameOnPage(index);
	const label = escapeHtml(field.label) + (field.required ? ' *' : '');
	const note =
		problem === undefined
			? ''
			: `<p class="problem" id="${name}-problem" role="alert">${escapeHtml(problem)}</p>`;
	const attributes = [
		`name="${name}"`,
		`id="${name}"`,
		...(field.placeholder ? [`placeholder="${escapeHtml(field.placeholder)}"`] : []),
		...(TYPED.has(field.type) ? [`maxlength="${FIELD_MAX}"`] : []),
		...(field.required ? ['required'] : []),
		...(problem === undefined ? [] : ['aria-invalid="true"', `aria-describedby="${name}-problem"`]),
	].join(' ');
	if (field.type === 'radio' || field.type === 'checkbox')
		return `<fieldset><legend>${label}</legend>${choicesOf(field, name, given)}${note}</fieldset>`;
	return `<label for="${name}">${label}</label>${controlOf(field, attributes, given)}${note}`;
}

/** `required` is for radio buttons only: with checkboxes, browsers would ask for every one. */
function choicesOf(
	{ type, options, required }: FormField,
	name: string,
	given: readonly string[],
): string {
	const state = (option: string) =>
		`${required && type === 'radio' ? ' required' : ''}${given.includes(option) ? ' checked' : ''}`;
	return options
		.map(
			(option) =>
				`<label><input type="${type}" name="${name}" value="${escapeHtml(option)}"${state(option)}> ${escapeHtml(option)}</label>`,
		)
		.join('');
}

function controlOf(
	{ type, options, multiple }: FormField,
	attributes: string,
	given: readonly string[],
): string {
	if (type === 'textarea')
		return `<textarea ${attributes} rows="5">${escapeHtml(given[0] ?? '')}</textarea>`;
	if (type === 'dropdown') {
		const empty = multiple ? '' : '<option value=""></option>';
		const entries = options.map(
			(option) =>
				`<option value="${escapeHtml(option)}"${given.includes(option) ? ' selected' : ''}>${escapeHtml(option)}</option>`,
		);
		return `<select ${attributes}${multiple ? ' multiple' : ''}>${empty}${entries.join('')}</select>`;
	}
	const step = type === 'number' ? ' step="any"' : '';
	return `<input type="${type}"${step} ${attributes} value="${escapeHtml(given[0] ?? '')}">`;
}

/**
 * The headers of every page. A page runs no script, loads nothing, cannot be framed, and is
 * sandboxed away from n8n's own origin. Its form can be sent only to where the page came from.
 */
export function setPageHeaders(context: IWebhookFunctions): void {
	const response = context.getResponseObject();
	response.setHeader('Content-Type', 'text/html; charset=utf-8');
	response.setHeader(
		'Content-Security-Policy',
		"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-forms",
	);
	response.setHeader('Cache-Control', 'no-store');
	response.setHeader('Referrer-Policy', 'no-referrer');
	response.setHeader('X-Content-Type-Options', 'nosniff');
}

/** Responds with a page. The execution waits on. */
export function showPage(
	context: IWebhookFunctions,
	status: number,
	html: string,
): { noWebhookResponse: true } {
	const response = context.getResponseObject();
	if (!response.headersSent) {
		setPageHeaders(context);
		response.status(status).send(html);
	}
	return { noWebhookResponse: true };
}
