import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** Kinds of fields, by n8n's names for them. */
export const FIELD_TYPES = [
	'text',
	'textarea',
	'email',
	'number',
	'date',
	'dropdown',
	'radio',
	'checkbox',
] as const;

/** A field of a form page. */
export const formFieldSchema = z.object({
	label: z.string().min(1),
	type: z.enum(FIELD_TYPES),
	placeholder: z.string(),
	/** For dropdown, radio and checkbox. */
	options: z.array(z.string()),
	/** More than one option may be chosen. Checkboxes always allow it. */
	multiple: z.boolean(),
	required: z.boolean(),
});
export type FormField = z.infer<typeof formFieldSchema>;

const CHOOSING = new Set<FormField['type']>(['dropdown', 'radio', 'checkbox']);

/** A field as n8n's forms define it, in the node's fields and as JSON. */
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

/**
 * Reads the definition of a form.
 * @param defined a list of fields, or its JSON
 * @throws Error that names the element that cannot be used
 */
export function readFormFields(defined: unknown): FormField[] {
	const list = typeof defined === 'string' ? parseJson(defined) : defined;
	if (!Array.isArray(list) || list.length === 0)
		throw new Error('"Form Elements" is empty. Add at least one element.');
	const fields = list.map(readField);
	const seen = new Set<string>();
	for (const { label } of fields) {
		if (seen.has(label))
			throw new Error(
				`"Form Elements" has the label "${label}" twice. The answers are named by the labels: give each its own.`,
			);
		// n8n copies items in ways that lose it.
		if (label === '__proto__')
			throw new Error(
				'"Form Elements" has the label "__proto__", which no item can hold. Enter another one.',
			);
		seen.add(label);
	}
	return fields;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return failForm('is not valid JSON. Enter a list, e.g. [{"fieldLabel": "Name"}].');
	}
}

function failForm(problem: string): never {
	throw new Error(`"Form Elements" ${problem}`);
}

function readField(defined: unknown, index: number): FormField {
	const parsed = definedFieldSchema.safeParse(defined);
	if (!parsed.success) {
		const { path } = parsed.error.issues[0]!;
		return failForm(
			`cannot be used: element ${[index + 1, path.join('.')].filter(Boolean).join(', ')}: it is missing, or of another kind. The types are ${FIELD_TYPES.join(', ')}.`,
		);
	}
	const {
		fieldLabel: label,
		fieldType: type,
		placeholder,
		fieldOptions,
		multiselect,
		requiredField: required,
	} = parsed.data;
	const options = CHOOSING.has(type) ? fieldOptions.values.map(({ option }) => option) : [];
	if (CHOOSING.has(type) && options.length === 0)
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

/** The entered values by their labels, or what is wrong with them, by the field's index. */
export type Submission = { values: IDataObject } | { problems: Map<number, string> };

export function readSubmission(fields: readonly FormField[], body: unknown): Submission {
	const entered = (typeof body === 'object' && body !== null ? body : {}) as Record<
		string,
		unknown
	>;
	const values: Array<[string, IDataObject[string]]> = [];
	const problems = new Map<number, string>();
	fields.forEach((field, index) => {
		const given = textsOf(entered[nameOnPage(index)]);
		const problem = problemOf(field, given);
		if (problem !== undefined) problems.set(index, problem);
		else values.push([field.label, valueOf(field, given)]);
	});
	return problems.size > 0 ? { problems } : { values: Object.fromEntries(values) };
}

function textsOf(value: unknown): string[] {
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}

function problemOf(
	{ type, options, multiple, required }: FormField,
	given: string[],
): string | undefined {
	if (given.length === 0) return required ? 'Please fill in this field.' : undefined;
	if (given.length > 1 && !multiple) return 'Please give one answer only.';
	if (options.length > 0 && given.some((text) => !options.includes(text)))
		return 'Please choose from the list.';
	const [text = ''] = given;
	if (type === 'number' && !Number.isFinite(Number(text))) return 'Please enter a number.';
	if (type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text.trim()))
		return 'Please enter an e-mail address.';
	if (type === 'date' && !/^\d{4}-\d{2}-\d{2}$/.test(text.trim()))
		return 'Please enter a date as YYYY-MM-DD.';
	return undefined;
}

function valueOf({ type, multiple }: FormField, given: string[]): IDataObject[string] {
	if (multiple) return given;
	const [text] = given;
	if (text === undefined) return null;
	return type === 'number' ? Number(text) : text;
}
