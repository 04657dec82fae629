import type { INodeProperties } from 'n8n-workflow';

import { TELL_OTHERS } from '../tellOthers';

export const approvalFields: INodeProperties[] = [
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						default: 'single',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve and Decline', value: 'double' },
						],
					},
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
						displayOptions: { show: { approvalType: ['double'] } },
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
