import { type INodeProperties, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import { channelField, RECIPIENT_EXAMPLE, recipientField } from '../../../shared/fields';
import { fallbackFields } from '../template/fallback';
import { panels } from './kinds';
import type { AskIn } from './kinds/kind';
import { notices } from './notices';
import { optionsField } from './optionFields';

/** The field, shown for these response types only. */
const onlyFor = (responseType: string[]) => (field: INodeProperties) => ({
	...field,
	displayOptions: {
		...field.displayOptions,
		show: { responseType, ...field.displayOptions?.show },
	},
});

const inChat = { show: { askIn: ['chat'] } };

/** Above all that it shows, and in no collection: n8n would drop what a field there shows. */
const askInField: INodeProperties = {
	displayName: 'Ask',
	name: 'askIn',
	type: 'options',
	noDataExpression: true,
	default: 'link',
	options: [
		{
			name: 'By a Link',
			value: 'link',
			description: 'To a page with the reply. Anyone who has the link can reply.',
		},
		{
			name: 'In the Chat',
			value: 'chat',
			description: 'The person taps a button or writes. Needs the ENTERPRISE role.',
		},
	],
	description: 'How the person replies',
};

const approversField: INodeProperties = {
	displayName: 'Also Ask',
	name: 'approvers',
	type: 'string',
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Person' },
	default: [],
	placeholder: RECIPIENT_EXAMPLE,
	description:
		'More people to ask at the same time. The recipient above is always asked, and the first answer decides. People who cannot be asked are left out.',
};

/**
 * What is offered by a link, or in the chat. Both are named alike, as n8n's own. When `askIn`
 * changes, the editor resets a type that is not offered any more, but it then does not know values
 * that are the default, such as the resource. So the conditions do without it.
 */
const responseTypeField = (askIn: AskIn): INodeProperties => ({
	displayName: 'Response Type',
	name: 'responseType',
	type: 'options',
	noDataExpression: true,
	default: 'approval',
	options: panels.flatMap(({ responseTypes }) => responseTypes[askIn] ?? []),
	displayOptions: { show: { askIn: [askIn], operation: [SEND_AND_WAIT_OPERATION] } },
	description: 'What the person replies with',
});

const whenAnotherWaitsField: INodeProperties = {
	displayName: 'When Another Question Waits',
	name: 'whenAnotherWaits',
	type: 'options',
	default: 'refuse',
	options: [
		{ name: 'Refuse', value: 'refuse', description: 'Fail with an error, and send nothing' },
		{
			name: 'Queue',
			value: 'queue',
			description: 'Ask once the other question is over, if that is within minutes',
		},
	],
	displayOptions: inChat,
	description:
		'What to do if another question already waits for this person on this channel. A reply could belong to either.',
};

/** What a person reads and fills in, in this order. Names are n8n's own if n8n has the field. */
export const fields: INodeProperties[] = [
	askInField,
	channelField,
	{
		...recipientField,
		description:
			'The person to ask. The node asks once, for the first input item. To ask more, use Loop Over Items, or a sub-workflow for each.',
	},
	...panels.flatMap(({ types, asksSeveral }) =>
		asksSeveral ? [onlyFor(types)(approversField)] : [],
	),
	...notices,
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. May we deliver on Tuesday?',
		description: 'The question. Buttons, a link or choices are added below it.',
	},
	responseTypeField('link'),
	responseTypeField('chat'),
	...panels.flatMap(({ types, fields: own }) => own.map(onlyFor(types))),
	...fallbackFields(
		inChat.show,
		'The labels of Approve and Decline must be quick replies of the template, in any order, and the choices of a reply its quick replies or in its values. If the template cannot be read, only the words of the two labels answer.',
	),
	whenAnotherWaitsField,
	optionsField,
];
