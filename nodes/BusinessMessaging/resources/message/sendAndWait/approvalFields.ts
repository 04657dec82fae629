import type { INodeProperties } from 'n8n-workflow';

/**
 * What is set for an approval. All of it is shown for both ways to ask: n8n leaves out collections when it works out, before an execution, which fields are
 * shown, so a value that hung on a field in one would be lost. Only the notice may, which has none.
 */
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
						displayName: 'Ask In',
						name: 'askIn',
						type: 'options',
						default: 'link',
						options: [
							{
								name: 'Chat',
								value: 'chat',
								description:
									'Buttons below the question. A tap on one answers, and so do its words.',
							},
							{
								name: 'Link',
								value: 'link',
								description:
									'A link in the message, to a page with the buttons. Whoever has the link can answer.',
							},
						],
						description:
							'Where the person approves. A colleague must have written to the channel within the last 24 hours, as a customer. Otherwise send a template first, and ask once they have written back.',
					},
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						default: 'single',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve and Disapprove', value: 'double' },
						],
					},
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: 'Approve',
						description: 'In the chat, a button has room for 20 characters',
					},
					{
						displayName: 'Disapprove Button Label',
						name: 'disapproveLabel',
						type: 'string',
						default: 'Decline',
						displayOptions: { show: { approvalType: ['double'] } },
						description: 'In the chat, a button has room for 20 characters',
					},
				],
			},
		],
	},
	{
		displayName: 'Approvers',
		name: 'approvers',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Approver' },
		default: [],
		placeholder: 'e.g. 5511999990000',
		description:
			'Further people to ask at the same time, each by their number. The first answer decides. Who cannot be asked, because their 24-hour window is closed, say, is left out.',
	},
];
