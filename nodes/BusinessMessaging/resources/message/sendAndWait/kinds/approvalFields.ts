import type { INodeProperties } from 'n8n-workflow';

import { TELL_OTHERS } from '../tellOthers';
import type { AskIn } from './kind';

/** The buttons by default. n8n's own links have one. The chat shows no other way to decline. */
export const DEFAULT_TYPE = { link: 'single', chat: 'double' } as const satisfies Record<
	AskIn,
	string
>;

/** One field for both ways to ask: of two with one name, the editor adds the last one's. */
const approvalType: INodeProperties = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	type: 'options',
	default: 'usual',
	options: [
		{ name: 'As Usual', value: 'usual', description: 'In the chat both, by a link Approve only' },
		{ name: 'Approve Only', value: 'single' },
		{ name: 'Approve and Decline', value: 'double' },
	],
};

export const approvalFields: INodeProperties[] = [
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Option',
		default: {},
		description:
			'The buttons. In the chat there are both from the start: Approve and Decline. A link has Approve only.',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					approvalType,
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: 'Approve',
						description: 'The text on the button, in the chat up to 20 characters',
					},
					{
						displayName: 'Decline Button Label',
						name: 'disapproveLabel',
						type: 'string',
						default: 'Decline',
						displayOptions: { hide: { approvalType: ['single'] } },
						description: 'The text on the button, in the chat up to 20 characters',
					},
				],
			},
		],
	},
];

export const approvalOptions: INodeProperties[] = [
	{
		displayName: 'Link As',
		name: 'linkAs',
		type: 'options',
		default: 'button',
		options: [
			{ name: 'Button', value: 'button' },
			{ name: 'Text', value: 'text' },
		],
		displayOptions: { show: { '/askIn': ['link'] } },
		description: 'How the link is sent',
	},
	{
		displayName: 'Taps Carry IDs',
		name: 'tapsCarryIds',
		type: 'boolean',
		// As `TAPS_CARRY_IDS` assumes.
		default: true,
		displayOptions: { show: { '/askIn': ['chat'] } },
		description:
			'Whether the service tells which button was tapped. Turn it off if the probe says that it does not: taps then count by their words and time, once the question was asked again.',
	},
	{
		displayName: 'Tell the Others',
		name: 'tellOthers',
		type: 'string',
		default: TELL_OTHERS,
		description:
			'What to write to the other approvers. {name} is who replied, {answer} what. Leave empty to write nothing.',
	},
];
