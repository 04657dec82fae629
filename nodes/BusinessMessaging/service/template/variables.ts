import { z } from 'zod';

import { CHAT_LIMITS } from '../contract';
import type { ListedButton, ListedComponent, ListedTemplate } from '../contract';
import { cutText } from '../cutText';
import { fillIn, isNumber, placeholdersIn, wordsAround } from './placeholders';

/** A value that a template takes when it is sent. */
export interface TemplateVariable {
	/**
	 * `header.text`, `header.image`, `header.video` or `header.document` (a URL), `header.filename`
	 * of a document, `body.<name>`, `button.<index>.url`, `button.<index>.payload`,
	 * `button.<index>.code`, or `code` for the access code of a template of category AUTHENTICATION.
	 * Saved workflows hold these ids.
	 */
	id: string;
	/** Place, name, example and words around it: `2 · day · e.g. Monday · on …`. */
	label: string;
	example?: string;
	/** Whether the template cannot be sent without it. */
	isNeeded: boolean;
}

/** Templates that can be approved have far fewer. Beyond it, neither lists nor fields show them. */
export const VARIABLES_SHOWN_MAX = 100;

/** Whether a template cannot be sent without the variable of this id. */
export const isNeeded = (id: string): boolean => id !== 'header.filename' && !isPayload(id);

/** Whether it is what a tap on a quick reply brings back, which nobody reads. */
export const isPayload = (id: string): boolean =>
	id.startsWith('button.') && id.endsWith('.payload');

/** The name of a variable in errors, if its label is not known: `body.1` is "Body 1". */
export function nameOfVariable(id: string): string {
	if (id === 'code') return 'Access Code';
	const [place = '', name = '', kind] = id.split('.');
	const title = `${place.charAt(0).toUpperCase()}${place.slice(1)}`;
	return kind === undefined ? `${title} ${name}` : `${title} ${Number(name) + 1}: ${kind}`;
}

/** The formats of a header that show a file. */
export const MEDIA_FORMATS = ['image', 'video', 'document'] as const;

/** Whether a type is another one, in any case. */
export const isType = (given: string | null | undefined, wanted: string): boolean =>
	given?.toUpperCase() === wanted.toUpperCase();

export const componentsOfType = (template: ListedTemplate, type: string): ListedComponent[] =>
	(template.components ?? []).filter((component) => isType(component.type, type));

/** The texts of all parts of a type. */
export const textsOfType = (template: ListedTemplate, type: string): string[] =>
	componentsOfType(template, type).flatMap(({ text }) => (text ? [text] : []));

/** Whether the template is an access code: its code goes to the body and to the button. */
const isAccessCode = ({ category }: ListedTemplate): boolean => isType(category, 'AUTHENTICATION');

/** @returns what the template takes, in the order in which it is sent */
export function variablesOf(template: ListedTemplate): TemplateVariable[] {
	if (isAccessCode(template)) return [variable('code', ['Access Code'])];
	return [
		...componentsOfType(template, 'HEADER').flatMap(headerVariables),
		...componentsOfType(template, 'BODY').flatMap(bodyVariables),
		...componentsOfType(template, 'BUTTONS').flatMap(({ buttons }) =>
			(buttons ?? []).flatMap(buttonVariables),
		),
	];
}

function headerVariables({ format, text, example }: ListedComponent): TemplateVariable[] {
	const media = MEDIA_FORMATS.find((known) => isType(format, known));
	if (media) {
		const file = variable(`header.${media}`, ['Header', `URL of the ${media}`]);
		if (media !== 'document') return [file];
		return [file, variable('header.filename', ['Header', 'File name (optional)'])];
	}
	const [name] = placeholdersIn(text ?? '');
	if (name === undefined) return [];
	const label = [`Header${named(name)}`, wordsAround(text ?? '')(name)];
	return [variable('header.text', label, examplesOf(example, 'header_text')(name, 0))];
}

function bodyVariables({ text, example }: ListedComponent): TemplateVariable[] {
	const around = wordsAround(text ?? '');
	const exampleOf = examplesOf(example, 'body_text');
	return placeholdersIn(text ?? '').map((name, place) => {
		// The words of what no list shows would cost time.
		const words = place < VARIABLES_SHOWN_MAX ? [around(name)] : [];
		const told = isNumber(name) ? name : `${place + 1} · ${name}`;
		return variable(`body.${name}`, [told, ...words], exampleOf(name, place));
	});
}

function buttonVariables(
	{ type, text, url, example }: ListedButton,
	index: number,
): TemplateVariable[] {
	const label = (rest: string) => [`Button ${index + 1}`, ...(text ? [`"${text}"`] : []), rest];
	const [name] = isType(type, 'URL') ? placeholdersIn(url ?? '') : [];
	if (name !== undefined) {
		const [start = ''] = (url ?? '').split('{{');
		const sample = firstText(example);
		return [
			variable(
				`button.${index}.url`,
				label(fillIn(url ?? '', () => '…')),
				sample?.startsWith(start) ? sample.slice(start.length) : sample,
			),
		];
	}
	if (isType(type, 'COPY_CODE'))
		return [variable(`button.${index}.code`, label('Coupon Code'), firstText(example))];
	if (isType(type, 'QUICK_REPLY'))
		return [variable(`button.${index}.payload`, label('Payload (optional)'))];
	return [];
}

/** Characters of an example in a label. */
const EXAMPLE_SHOWN = 24;

/** What tells it apart comes first, then its example, because the editor cuts the end. */
const variable = (
	id: string,
	[place, ...words]: readonly string[],
	example?: string,
): TemplateVariable => ({
	id,
	label: [place, ...(example ? [`e.g. ${cutText(example, EXAMPLE_SHOWN)}`] : []), ...words].join(
		' · ',
	),
	...(example ? { example } : {}),
	isNeeded: isNeeded(id),
});

const named = (name: string): string => (isNumber(name) ? '' : ` ${name}`);

/** The names of the variables in the texts of a part, in the order in which they are sent. */
export const namesIn = (template: ListedTemplate, type: 'HEADER' | 'BODY'): string[] =>
	textsOfType(template, type).flatMap(placeholdersIn);

/** The name of the header's variable, by the label that a saved workflow keeps, if it tells. */
export const headerNameIn = (label: string | undefined): string | undefined =>
	/^Header (\w{1,64}) · /.exec(label ?? '')?.[1];

const samplesSchema = z.record(z.unknown()).catch({});
const namedSampleSchema = z.object({ param_name: z.string(), example: z.unknown() });

/** Of a list of samples, those that are shown. */
const listOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? value.slice(0, VARIABLES_SHOWN_MAX) : [];

/** The sample values of a part. Named samples are in a list beside the numbered ones. */
function examplesOf(
	example: unknown,
	field: 'header_text' | 'body_text',
): (name: string, place: number) => string | undefined {
	const samples = samplesSchema.parse(example);
	const [first, ...others] = listOf(samples[field]);
	const numbered = Array.isArray(first) && others.length === 0 ? listOf(first) : [first, ...others];
	const named = new Map<string, unknown>();
	for (const given of listOf(samples[`${field}_named_params`])) {
		const { data } = namedSampleSchema.safeParse(given);
		if (data && !named.has(data.param_name)) named.set(data.param_name, data.example);
	}
	return (name, place) => firstText(named.has(name) ? named.get(name) : numbered[place]);
}

/** A sample value can be in a list. */
export function firstText(value: unknown): string | undefined {
	const first: unknown = Array.isArray(value) ? value[0] : value;
	return typeof first === 'string' && first !== '' ? first : undefined;
}

/** `\s` lacks U+0085, a line break. */
const BLANKS = /[\s\u0085]+/g;
const BREAKS = /[\n\r\t\v\f\u0085\u2028\u2029]/;

/** Without blanks that no variable can hold, as cells of a spreadsheet have them. */
export const flatValue = (value: string): string =>
	value
		.replace(BLANKS, (run) =>
			run.length > CHAT_LIMITS.blanksInValue || BREAKS.test(run) ? ' ' : run,
		)
		.trim();

/** What the customer reads. Undefined for an access code, which no log should hold. */
export function templateText(
	template: ListedTemplate,
	valueOf: (id: string) => string | undefined,
): string | undefined {
	if (isAccessCode(template)) return undefined;
	const header = textsOfType(template, 'HEADER').map((text) =>
		fillIn(text, () => valueOf('header.text')),
	);
	const body = textsOfType(template, 'BODY').map((text) =>
		fillIn(text, (name) => valueOf(`body.${name}`)),
	);
	const all = [...header, ...body, ...textsOfType(template, 'FOOTER')];
	return all.length === 0 ? undefined : all.join('\n\n');
}
