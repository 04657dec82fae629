import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import {
	choiceField,
	jsonField,
	rowsField,
	shownAt,
	switchField,
	textField,
} from '../../../../shared/node/fields';
import { type Expected, isWithin, readValues } from '../../../../shared/texts/readValue';
import { formPage } from './pages';
import { CHOOSING, formFieldSchema, readFormFields, readSubmission, TYPING } from './formElements';
import { expectSchema, readExpected, sentenceOf } from './expect';
import { questionShape, readLinkLabel, textOr } from './kind';
import type { DraftOf, DraftSource, LinkKind, Panel } from './kind';

const SAMPLE = `[
  { "fieldLabel": "Name", "requiredField": true },
  { "fieldLabel": "Visitors", "fieldType": "number" },
  { "fieldLabel": "Day", "fieldType": "dropdown", "fieldOptions": { "values": [{ "option": "Monday" }, { "option": "Tuesday" }] } }
]`;

const elementFields = [
	choiceField('Element Type', 'fieldType', {
		default: 'text',
		options: {
			checkbox: 'Checkboxes',
			date: 'Date',
			dropdown: 'Dropdown',
			email: 'Email',
			number: 'Number',
			radio: 'Radio Buttons',
			text: 'Text',
			textarea: 'Textarea',
		},
	}),
	rowsField('Field Options', 'fieldOptions', 'Values', [textField('Option', 'option')], {
		placeholder: 'Add Field Option',
		displayOptions: { show: { fieldType: [...CHOOSING] } },
	}),
	textField('Label', 'fieldLabel', {
		required: true,
		placeholder: 'e.g. What is your name?',
		description: 'Shown beside the element, and the name of its value in the output',
	}),
	switchField('Multiple Choice', 'multiselect', {
		default: false,
		displayOptions: { show: { fieldType: ['dropdown'] } },
		description: 'Whether more than one option may be chosen',
	}),
	textField('Placeholder', 'placeholder', {
		displayOptions: { show: { fieldType: [...TYPING] } },
		description: 'Sample text in the empty element',
	}),
	switchField('Required Field', 'requiredField', {
		default: false,
		description: 'Whether the form can be sent only if this element is filled in',
	}),
];

/** The form, defined as in n8n's own forms. */
export const formFields: INodeProperties[] = [
	choiceField('Define Form', 'defineForm', {
		noDataExpression: true,
		default: 'fields',
		options: { fields: 'Using Fields Below', json: 'Using JSON' },
	}),
	jsonField('Form Elements', 'jsonOutput', {
		typeOptions: { rows: 5 },
		default: SAMPLE,
		displayOptions: { show: { defineForm: ['json'] } },
		description: "A list of elements, named as in n8n's own forms",
	}),
	rowsField('Form Elements', 'formFields', 'Values', elementFields, {
		placeholder: 'Add Form Element',
		displayOptions: { show: { defineForm: ['fields'] } },
	}),
];

const formKindSchema = z.enum(['freeText', 'customForm']);

export const formSchema = z.object({
	...questionShape,
	kind: formKindSchema,
	title: z.string(),
	buttonLabel: z.string(),
	fields: z.array(formFieldSchema),
	expect: expectSchema.optional(),
});
export type FormQuestion = z.infer<typeof formSchema>;

type Draft = DraftOf<FormQuestion>;

/** The one field of a free text. */
const REPLY_FIELD = {
	label: 'Your answer',
	type: 'textarea' as const,
	placeholder: '',
	options: [],
	multiple: false,
	required: true,
};

const panel: Panel<Draft> = {
	responseTypes: {
		link: {
			freeText: ['Free Text', 'A page with one text field. Gives data.text.'],
			customForm: [
				'Custom Form',
				'A page with a form of your own. Gives each entry in data, by its label.',
			],
		},
	},
	fields: formFields.map((field) => shownAt(field, { responseType: ['customForm'] })),
	options: [
		textField('Response Form Button Label', 'responseFormButtonLabel', { default: 'Submit' }),
		textField('Response Form Description', 'responseFormDescription', {
			description: 'The text on the page, instead of the message',
		}),
		textField('Response Form Title', 'responseFormTitle'),
	],
	asksSeveral: false,
	read: readDraft,
};

function readDraft({ context, responseType, options, common }: DraftSource): Draft {
	const kind = formKindSchema.parse(responseType);
	const expected = kind === 'freeText' ? readExpected(context, options) : {};
	const { expect } = expected;
	const type = expect && (expect.kind === 'phone' ? 'tel' : expect.kind);
	return {
		...common,
		message: textOr(options.responseFormDescription, 'Response Form Description', common.message),
		kind,
		title: textOr(options.responseFormTitle, 'Response Form Title', ''),
		buttonLabel: textOr(options.responseFormButtonLabel, 'Response Form Button Label', 'Submit'),
		fields:
			kind === 'freeText'
				? [{ ...REPLY_FIELD, ...(type ? { type } : {}) }]
				: readFormFields(definedForm(context)),
		...expected,
	};
}

const definedForm = (context: DraftSource['context']): unknown =>
	context.getNodeParameter('defineForm', 0, 'fields') === 'json'
		? context.getNodeParameter('jsonOutput', 0, '[]')
		: context.getNodeParameter('formFields.values', 0, []);

export const customForm: LinkKind<FormQuestion, Draft> = {
	panel,
	timedOut: {},
	readLink: (options) => ({ label: readLinkLabel(options), as: 'text' }),
	page: formPage,
	read(question, entered) {
		const submission = readSubmission(question.fields, entered);
		return 'problems' in submission
			? { again: formPage({ ...question, ...submission }) }
			: { data: submission.values };
	},
};

/** The fields of numbers and dates give one form, where a point is a decimal one. */
function enteredValue(given: unknown, text: string, expect: Expected) {
	if (typeof given === 'number') return isWithin(given, expect) ? given : undefined;
	const [value, ...others] = readValues(text, expect);
	return others.length > 0 ? undefined : value?.value;
}

export const freeText: LinkKind<FormQuestion, Draft> = {
	...customForm,
	timedOut: { text: null },
	read(question, entered) {
		const reply = customForm.read(question, entered, undefined);
		if ('again' in reply) return reply;
		const [given] = Object.values(reply.data);
		const { expect } = question;
		if (!expect) return { data: { text: given } };
		const text = String(given);
		const value = enteredValue(given, text, expect);
		if (value !== undefined) return { data: { text, value } };
		const problems = new Map([[0, sentenceOf(expect)]]);
		return { again: formPage({ ...question, problems, entered: [[text]] }) };
	},
};
