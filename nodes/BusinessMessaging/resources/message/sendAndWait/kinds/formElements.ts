import { z } from 'zod';

import { parsedOf } from '../../../../shared/node/parameters';

/** Types of fields, by n8n's names. */
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
	/** Whether several options can be chosen. Always true for checkboxes. */
	multiple: z.boolean(),
	required: z.boolean(),
});
export type FormField = z.infer<typeof formFieldSchema>;

const CHOOSING = new Set<FormField['type']>(['dropdown', 'radio', 'checkbox']);

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
