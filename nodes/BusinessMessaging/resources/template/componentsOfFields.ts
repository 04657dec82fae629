import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ListedButton, ListedComponent } from '../../service/contract';
import { checkGroups } from '../../service/template/buttonRules';
import type { Mistakes, PartNames } from '../../service/template/mistakes';
import { cutText } from '../../service/cutText';
import { fillIn, placeholdersIn } from '../../service/template/placeholders';
import { MEDIA_FORMATS } from '../../service/template/variables';
import { parseHttpUrl, readHttpUrl, readText, wordsOf } from '../../shared/node/parameters';
import { readTemplateRows, readTemplateText } from './readTemplateText';

export const PARTS_OF_FIELDS: PartNames = {
	header: '"Header Text"',
	body: '"Body"',
	footer: '"Footer"',
	button: (index) => `Button ${index + 1} of "Buttons"`,
	buttons: '"Buttons"',
	examples: '"Variable Examples"',
	headerExample: '"Header Example"',
};

/** What cannot be read is among the mistakes. @throws Error if the examples cannot be read */
export function componentsOfFields(
	context: IExecuteFunctions,
	index: number,
	mistakes: Mistakes,
): ListedComponent[] {
	const examples = mistakes.or(undefined, () => readExamples(context, index));
	const exampleOf = examples ?? (() => '');
	const header = mistakes.or([], () => headerOf(context, index, exampleOf));
	const text = mistakes.or(undefined, () => readBodyText(context, index));
	const given = mistakes.or('', () =>
		wordsOf(readTemplateText(context, 'footer', index), '"Footer"').trim(),
	);
	const footer = given || undefined;
	const rows = mistakes.or([], () =>
		readTemplateRows(context, 'templateButtons.values', 'url', index),
	);
	const read = rows.map((row, at) =>
		mistakes.or(undefined, () => buttonOf(row, PARTS_OF_FIELDS.button(at), exampleOf)),
	);
	// Every variable would lack its example.
	if (!examples) mistakes.end();
	const buttons = read.filter((button) => button !== undefined);
	// One less would give the others another place.
	const hasButtons = buttons.length > 0 && buttons.length === read.length;
	// Their order is wrong whatever else is.
	if (!hasButtons && rows.every(hasKnownType))
		mistakes.in(() => checkGroups(rows.map(isReply), PARTS_OF_FIELDS));
	return [
		...header,
		...(text === undefined
			? []
			: [{ type: 'BODY', text, ...examplesOf(text, 'body_text', exampleOf) }]),
		...(footer === undefined ? [] : [{ type: 'FOOTER', text: footer }]),
		...(hasButtons ? [{ type: 'BUTTONS', buttons }] : []),
	];
}

function readBodyText(context: IExecuteFunctions, index: number): string {
	const text = wordsOf(readTemplateText(context, 'body', index), '"Body"');
	if (text.trim()) return text;
	throw new Error('"Body" is empty. Enter a text, or map one from the input.');
}

type ExampleOf = (name: string) => string;

/** By variable, with or without braces. The n-th, if it names none, is for variable n. */
function readExamples(context: IExecuteFunctions, index: number): ExampleOf {
	const rows = readTemplateRows(context, 'variableExamples.values', 'name', index).map(
		({ name, example }, at) =>
			[
				wordsOf(name, `Variable ${at + 1} of "Variable Examples"`).replace(/[{}\s]/g, ''),
				wordsOf(example, `Example ${at + 1} of "Variable Examples"`).trim(),
			] as const,
	);
	const examples = new Map(rows);
	const unnamed = rows.map(([name, example]) => (name === '' ? example : ''));
	return (name) => examples.get(name) ?? unnamed[Number(name) - 1] ?? '';
}

/** The examples of a text, in the order of the text. */
function examplesOf(
	text: string,
	field: 'header_text' | 'body_text',
	exampleOf: ExampleOf,
): Pick<ListedComponent, 'example'> {
	const names = placeholdersIn(text);
	if (names.length === 0) return {};
	const samples = names.map(exampleOf);
	if (names.every((name) => /^\d+$/.test(name)))
		return { example: { [field]: field === 'body_text' ? [samples] : samples } };
	const named = names.map((name, at) => ({ param_name: name, example: samples[at] ?? '' }));
	return { example: { [`${field}_named_params`]: named } };
}

function headerOf(
	context: IExecuteFunctions,
	index: number,
	exampleOf: ExampleOf,
): ListedComponent[] {
	const type = headerTypeOf(context, index);
	if (type === 'none') return [];
	// The example of a file is its handle, once it is uploaded.
	if (type !== 'text')
		return [{ type: 'HEADER', format: type.toUpperCase(), ...linkOf(context, type, index) }];
	const text = wordsOf(readTemplateText(context, 'headerText', index), '"Header Text"').trim();
	if (!text) throw new Error('"Header Text" is empty. Enter a value, or map one from the input.');
	const own = wordsOf(context.getNodeParameter('headerExample', index, ''), '"Header Example"');
	const ofHeader = (name: string) => own.trim() || exampleOf(name);
	return [{ type: 'HEADER', format: 'TEXT', text, ...examplesOf(text, 'header_text', ofHeader) }];
}

const HEADER_TYPES = ['none', 'text', 'location', ...MEDIA_FORMATS] as const;
type HeaderType = (typeof HEADER_TYPES)[number];

const headerTypeOf = (context: IExecuteFunctions, index: number): HeaderType =>
	oneOf(HEADER_TYPES, readText(context, 'headerType', index) || 'none', '"Header"');

/** Whether the header shows a file of the item, which is uploaded. */
export const hasHeaderFile = (context: IExecuteFunctions, index: number): boolean =>
	isMedia(headerTypeOf(context, index)) && !isByLink(context, index);

const isMedia = (type: HeaderType): boolean => MEDIA_FORMATS.some((format) => format === type);

const isByLink = (context: IExecuteFunctions, index: number): boolean => {
	const given = readText(context, 'headerSource', index) || 'binary';
	return oneOf(['binary', 'url'] as const, given, '"Header Source"') === 'url';
};

/** The service turns a public link into a handle. Source: published. */
const linkOf = (
	context: IExecuteFunctions,
	type: HeaderType,
	index: number,
): Pick<ListedComponent, 'example'> =>
	isMedia(type) && isByLink(context, index)
		? { example: { header_handle: [readHttpUrl(context, 'headerUrl', 'Header URL', index)] } }
		: {};

function buttonOf(row: IDataObject, place: string, exampleOf: ExampleOf): ListedButton {
	const need = (name: string, label: string): string => {
		const given = wordsOf(row[name], `"${label}" of ${place}`).trim();
		if (given) return given;
		throw new Error(`"${label}" of ${place} is empty. Enter it, or remove the button.`);
	};
	switch (oneOf(BUTTON_TYPES, typeOf(row), `"Type" of ${place}`)) {
		case 'quickReply':
			return { type: 'QUICK_REPLY', text: need('text', 'Text') };
		case 'phone':
			return {
				type: 'PHONE_NUMBER',
				text: need('text', 'Text'),
				phone_number: need('phone', 'Phone Number'),
			};
		case 'voiceCall':
			return { type: 'VOICE_CALL', text: need('text', 'Text') };
		case 'copyCode':
			return { type: 'COPY_CODE', example: need('example', 'Example') };
		case 'url': {
			const url = need('url', 'URL');
			parseHttpUrl(withoutVariables(url), `"URL" of ${place}`);
			return {
				type: 'URL',
				text: need('text', 'Text'),
				url,
				...exampleIn(url, wordsOf(row.example, `"Example" of ${place}`).trim(), exampleOf),
			};
		}
	}
}

const BUTTON_TYPES = ['quickReply', 'url', 'phone', 'copyCode', 'voiceCall'] as const;
const typeOf = ({ type }: IDataObject) => type ?? 'quickReply';
const hasKnownType = (row: IDataObject) => BUTTON_TYPES.some((type) => type === typeOf(row));
const isReply = (row: IDataObject) => typeOf(row) === 'quickReply';

/** @throws Error that names the field */
export function oneOf<Value extends string>(
	values: readonly Value[],
	given: unknown,
	place: string,
): Value {
	const known = values.find((value) => value === given);
	if (known !== undefined) return known;
	throw new Error(
		`${place} is "${cutText(String(given), 64)}". It is one of ${values.join(', ')}.`,
	);
}

function exampleIn(url: string, own: string, exampleOf: ExampleOf): Pick<ListedButton, 'example'> {
	const [name] = placeholdersIn(url);
	const whole = name === undefined ? undefined : exampleOfUrl(url, own || exampleOf(name));
	return { example: whole === undefined ? undefined : [whole] };
}

/** The example of an address, which is whole. `value` can be its variable's. Undefined: empty. */
export function exampleOfUrl(url: string, value: string): string | undefined {
	if (value === '') return undefined;
	return /^https?:\/\//.test(value) ? value : fillIn(url, () => value);
}

/** An address as it will be, to be checked. */
export const withoutVariables = (url: string): string => fillIn(url, () => '1');
