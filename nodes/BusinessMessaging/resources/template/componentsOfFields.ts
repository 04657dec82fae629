import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ListedComponent } from '../../service/contract';
import type { PartNames } from '../../service/template/definition';
import { cutText } from '../../service/cutText';
import { fillIn, placeholdersIn } from '../../service/template/placeholders';
import { parseHttpUrl, readOptionalWords, readText, wordsOf } from '../../shared/parameters';
import { readTemplateRows, readTemplateText } from './readTemplateText';

export const PARTS_OF_FIELDS: PartNames = {
	header: '"Header Text"',
	body: '"Body"',
	footer: '"Footer"',
	button: (index) => `Button ${index + 1} of "Buttons"`,
	buttons: '"Buttons"',
	examples: '"Variable Examples"',
};

/**
 * The components that the fields say, in the service's form.
 * @throws Error that names the field
 */
export function componentsOfFields(context: IExecuteFunctions, index: number): ListedComponent[] {
	const exampleOf = readExamples(context, index);
	const text = wordsOf(readTemplateText(context, 'body', index), '"Body"');
	if (!text.trim()) throw new Error('"Body" is empty. Enter a text, or map one from the input.');
	const footer = readOptionalWords(context, 'footer', 'Footer', index);
	const buttons = readTemplateRows(context, 'templateButtons.values', 'url', index).map((row, at) =>
		buttonOf(row, `Button ${at + 1} of "Buttons"`, exampleOf),
	);
	return [
		...headerOf(context, index, exampleOf),
		{ type: 'BODY', text, ...examplesOf(text, 'body_text', exampleOf) },
		...(footer === undefined ? [] : [{ type: 'FOOTER', text: footer }]),
		...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons }]),
	];
}

type ExampleOf = (name: string) => string;

/** The examples by the names of their variables, with or without braces. Empty: none is given. */
function readExamples(context: IExecuteFunctions, index: number): ExampleOf {
	const rows = readTemplateRows(context, 'variableExamples.values', 'name', index).map(
		({ name, example }, at) =>
			[
				wordsOf(name, `Variable ${at + 1} of "Variable Examples"`).replace(/[{}\s]/g, ''),
				wordsOf(example, `Example ${at + 1} of "Variable Examples"`).trim(),
			] as const,
	);
	const examples = new Map(rows);
	return (name) => examples.get(name) ?? '';
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
	const type = readText(context, 'headerType', index) || 'none';
	if (type === 'none') return [];
	// The example of a file is its handle, once it is uploaded.
	if (type !== 'text') return [{ type: 'HEADER', format: type.toUpperCase() }];
	const text = wordsOf(readTemplateText(context, 'headerText', index), '"Header Text"').trim();
	if (!text) throw new Error('"Header Text" is empty. Enter a value, or map one from the input.');
	return [{ type: 'HEADER', format: 'TEXT', text, ...examplesOf(text, 'header_text', exampleOf) }];
}

type Button = NonNullable<ListedComponent['buttons']>[number];

function buttonOf(row: IDataObject, place: string, exampleOf: ExampleOf): Button {
	const need = (name: string, label: string): string => {
		const given = wordsOf(row[name], `"${label}" of ${place}`).trim();
		if (given) return given;
		throw new Error(`"${label}" of ${place} is empty. Enter it, or remove the button.`);
	};
	const type: unknown = row.type ?? 'quickReply';
	switch (type) {
		case 'quickReply':
			return { type: 'QUICK_REPLY', text: need('text', 'Text') };
		case 'phone':
			return {
				type: 'PHONE_NUMBER',
				text: need('text', 'Text'),
				phone_number: need('phone', 'Phone Number'),
			};
		case 'copyCode':
			return { type: 'COPY_CODE', example: need('example', 'Example') };
		case 'url': {
			const url = need('url', 'URL');
			parseHttpUrl(
				fillIn(url, () => '1'),
				`"URL" of ${place}`,
			);
			return {
				type: 'URL',
				text: need('text', 'Text'),
				url,
				...exampleOfUrl(url, wordsOf(row.example, `"Example" of ${place}`).trim(), exampleOf),
			};
		}
		default:
			throw new Error(
				`"Type" of ${place} is "${cutText(String(type), 64)}". It is quickReply, url, phone or copyCode.`,
			);
	}
}

/** The example of an address is the whole address. What is entered is its variable's value. */
function exampleOfUrl(url: string, own: string, exampleOf: ExampleOf): Pick<Button, 'example'> {
	const [name] = placeholdersIn(url);
	if (name === undefined) return { example: undefined };
	const value = own || exampleOf(name);
	if (value === '') return { example: undefined };
	return { example: [/^https?:\/\//.test(value) ? value : fillIn(url, () => value)] };
}
