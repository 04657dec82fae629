import { z } from 'zod';

import { formPage } from '../byLink/pages';
import { readSubmission } from '../byLink/submission';
import { formFieldSchema, readFormFields } from './formElements';
import { formFields, formOptions } from './formFields';
import type { DraftOf, DraftSource, LinkKind, Panel } from './kind';
import { questionShape, readLinkLabel, textOr } from './kind';

const formKindSchema = z.enum(['freeText', 'customForm']);

export const formSchema = z.object({
	...questionShape,
	kind: formKindSchema,
	title: z.string(),
	buttonLabel: z.string(),
	fields: z.array(formFieldSchema),
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
		link: [
			{
				name: 'Free Text',
				value: 'freeText',
				description: 'A page with one text field. Gives data.text.',
			},
			{
				name: 'Custom Form',
				value: 'customForm',
				description: 'A page with a form of your own. Gives each entry in data, by its label.',
			},
		],
	},
	fields: formFields.map((field) => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, responseType: ['customForm'] } },
	})),
	options: formOptions,
	asksSeveral: false,
	read: readDraft,
};

function readDraft({ context, responseType, options, common }: DraftSource): Draft {
	const kind = formKindSchema.parse(responseType);
	return {
		...common,
		message: textOr(options.responseFormDescription, 'Response Form Description', common.message),
		kind,
		title: textOr(options.responseFormTitle, 'Response Form Title', ''),
		buttonLabel: textOr(options.responseFormButtonLabel, 'Response Form Button Label', 'Submit'),
		fields: kind === 'freeText' ? [REPLY_FIELD] : readFormFields(definedForm(context)),
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

export const freeText: LinkKind<FormQuestion, Draft> = {
	...customForm,
	timedOut: { text: null },
	read(question, entered) {
		const reply = customForm.read(question, entered, undefined);
		return 'data' in reply ? { data: { text: Object.values(reply.data)[0] } } : reply;
	},
};
