import type { INodeProperties } from 'n8n-workflow';

import { TO_ANSWER } from '../../../shared/fields';

/** Of every question. */
export const waitNotice: INodeProperties = {
	displayName: `${TO_ANSWER} Who is asked must have written to the channel within the last 24 hours: if not, send them a template first, to which they reply.`,
	name: 'waitNotice',
	type: 'notice',
	default: '',
};

/** Of every question in the chat. */
export const chatNotice: INodeProperties = {
	displayName: `${waitNotice.displayName} For the answer, the account needs the ENTERPRISE role, and the service must be able to reach this n8n.`,
	name: 'chatNotice',
	type: 'notice',
	default: '',
};

/** For a reply in the chat. */
export const choicesField: INodeProperties = {
	displayName: 'Choices',
	name: 'choices',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Choice',
	default: {},
	description:
		'The possible answers. Up to three of at most 20 characters are buttons to tap (from version 1.1 of the node on). Others are listed with numbers, and the person replies with the number or the words. Without choices any answer will do.',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				{
					displayName: 'Choice',
					name: 'choice',
					type: 'string',
					default: '',
					placeholder: 'e.g. Tuesday morning',
				},
			],
		},
	],
};

/** Of every question in the chat. */
export const whenAnotherWaitsField: INodeProperties = {
	displayName: 'When Another Question Waits',
	name: 'whenAnotherWaits',
	type: 'options',
	default: 'refuse',
	options: [
		{ name: 'Refuse', value: 'refuse', description: 'Fail with an error, and send nothing' },
		{
			name: 'Queue',
			value: 'queue',
			description: 'Ask once the other question is answered or its time is over',
		},
	],
	description:
		'What to do when a question in the chat to the same person on this channel waits for its answer already. An answer could belong to either. It counts for each approver on their own: the others are asked.',
};
