import { z } from 'zod';
import type { IDataObject } from 'n8n-workflow';

import { parsedOf } from '../../../../shared/node/parameters';
import { isDay } from '../../../../shared/texts/words';

/** By n8n's names: what a person types, or chooses from options. */
export const TYPING = ['text', 'textarea', 'email', 'number', 'date'] as const;
export const CHOOSING = ['dropdown', 'radio', 'checkbox'] as const;
const FIELD_TYPES = [...TYPING, ...CHOOSING] as const;

export const formFieldSchema = z.object({
	label: z.string().min(1),
	/** A phone number is no type of n8n's forms. */
	type: z.enum([...FIELD_TYPES, 'tel']),
	placeholder: z.string(),
	/** For dropdown, radio and checkbox. */
	options: z.array(z.string()),
	/** Whether several options can be chosen. Always true for checkboxes. */
	multiple: z.boolean(),
	required: z.boolean(),
});
export type FormField = z.infer<typeof formFieldSchema>;

/** A field as n8n's forms define it, in the editor and as JSON. */
const definedFieldSchema = z.object({
	fieldLabel: z.string().trim().min(1, 'has no "fieldLabel"'),
	fieldType: z.enum(FIELD_TYPES).default('text'),
	placeholder: z.string().default(''),
	fieldOptions: z
		.object({ values: z.array(z.object({ option: z.string().trim().min(1) })).default([]) })
		.default({}),
	multiselect: z.boolean().default(false),
	requiredField: z.boolean().default(false),
});

/** @param defined a list of fields, or its JSON. @throws Error that names a wrong element */
export function readFormFields(defined: unknown): FormField[] {
	const list = parsedOf(defined, 'Form Elements', 'Enter a list, e.g. [{"fieldLabel": "Name"}].');
	if (!Array.isArray(list) || list.length === 0)
		throw new Error('"Form Elements" is empty. Add at least one element.');
	const fields = list.map(readField);
	const seen = new Set<string>();
	for (const { label } of fields) {
		if (seen.has(label))
			throw new Error(
				`"Form Elements" has the label "${label}" twice. The labels name the values in the output: give each field its own.`,
			);
		// n8n loses this name when it copies items.
		if (label === '__proto__')
			throw new Error(
				'"Form Elements" has the label "__proto__", which no item can hold. Enter another one.',
			);
		seen.add(label);
	}
	return fields;
}

function failForm(problem: string): never {
	throw new Error(`"Form Elements" ${problem}`);
}

function readField(defined: unknown, index: number): FormField {
	const parsed = definedFieldSchema.safeParse(defined);
	if (!parsed.success) {
		const { path } = parsed.error.issues[0]!;
		return failForm(
			`cannot be used: element ${[index + 1, path.join('.')].filter(Boolean).join(', ')} is missing, or of another type. The types are ${FIELD_TYPES.join(', ')}.`,
		);
	}
	const { fieldLabel: label, fieldType: type, placeholder, requiredField: required } = parsed.data;
	const { fieldOptions, multiselect } = parsed.data;
	const isChosen = CHOOSING.some((chosen) => chosen === type);
	const options = isChosen ? fieldOptions.values.map(({ option }) => option) : [];
	if (isChosen && options.length === 0)
		failForm(`cannot be used: element ${index + 1}, "${label}", has no options to choose from.`);
	return {
		label,
		type,
		placeholder,
		options,
		multiple: type === 'checkbox' || (type === 'dropdown' && multiselect),
		required,
	};
}

export const nameOnPage = (index: number): string => `field-${index}`;

export const FIELD_MAX = 10_000;
/** Most characters of all fields together. The page that shows them again must stay small. */
const FORM_MAX = 50_000;

// Functions, because `toLocaleString` takes milliseconds at first, and n8n loads this at its start.
const tooLong = () => `Please enter at most ${FIELD_MAX.toLocaleString('en')} characters.`;
const tooLongInAll = () =>
	`Please shorten your answers: the form takes ${FORM_MAX.toLocaleString('en')} characters in all.`;
const ONE_ONLY = 'Please give one answer only.';
const NOT_LISTED = 'Please choose from the list.';
/** What has more digits comes out as another number, unless it is a small integer. */
const LOSES_DIGITS = /[1-9](?:\.?\d){15}/;
const TOO_LONG = 'Please enter a number of at most 15 digits.';

export type Submission =
	/** The entered values by their labels. */
	| { values: IDataObject }
	/** What is wrong, and what the page shows again, by the field's index. */
	| { problems: Map<number, string>; entered: string[][] };

export function readSubmission(fields: readonly FormField[], body: unknown): Submission {
	const sent = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
	const values: Array<[string, IDataObject[string]]> = [];
	const problems = new Map<number, string>();
	let room = FORM_MAX;
	const entered = fields.map((field, index) => {
		const given = readTexts(field, sent[nameOnPage(index)], room);
		if (typeof given === 'string') {
			problems.set(index, given);
			return [];
		}
		room -= lengthOf(field, given);
		const problem = problemOf(field, given);
		if (problem !== undefined) problems.set(index, problem);
		else values.push([field.label, valueOf(field, given)]);
		return given;
	});
	return problems.size > 0 ? { problems, entered } : { values: Object.fromEntries(values) };
}

/** What was entered into a field, or why it is too much. */
function readTexts(field: FormField, value: unknown, room: number): string[] | string {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	if (list.length > Math.max(field.options.length, 2))
		return field.multiple ? NOT_LISTED : ONE_ONLY;
	const given = list.filter((text): text is string => typeof text === 'string');
	if (field.options.length > 0) {
		const options = new Set(field.options);
		if (given.some((text) => text.trim() !== '' && !options.has(text))) return NOT_LISTED;
	}
	const length = lengthOf(field, given);
	if (length > FIELD_MAX) return tooLong();
	if (length > room) return tooLongInAll();
	return given.filter((text) => text.trim() !== '');
}

/** Characters that a person entered. Options are the form's own. */
const lengthOf = ({ options }: FormField, given: readonly string[]): number =>
	options.length > 0 ? 0 : given.reduce((sum, text) => sum + charactersOf(text), 0);

/** Counted as a browser does, which turns each line end into two characters when it sends. */
const charactersOf = (text: string): number =>
	text.length > 2 * FIELD_MAX ? text.length : text.replaceAll('\r\n', '\n').length;

function problemOf({ type, multiple, required }: FormField, given: string[]): string | undefined {
	if (given.length === 0) return required ? 'Please fill in this field.' : undefined;
	if (given.length > 1 && !multiple) return ONE_ONLY;
	const [text = ''] = given;
	if (type === 'number' && !Number.isFinite(Number(text))) return 'Please enter a number.';
	if (type === 'number' && !Number.isSafeInteger(Number(text)) && LOSES_DIGITS.test(text))
		return TOO_LONG;
	if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text.trim()))
		return 'Please enter an e-mail address.';
	if (type === 'date' && !isDay(text.trim())) return 'Please enter a date as YYYY-MM-DD.';
	return undefined;
}

function valueOf({ type, multiple }: FormField, given: string[]): IDataObject[string] {
	if (multiple) return given;
	const [text] = given;
	if (text === undefined) return null;
	return type === 'number' ? Number(text) : text;
}
