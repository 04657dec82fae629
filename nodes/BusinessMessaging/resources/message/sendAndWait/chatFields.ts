import type { INodeProperties } from 'n8n-workflow';

/** What is set for an answer in the chat. */
export const chatFields: INodeProperties[] = [
	{
		displayName:
			'While it waits, the node listens to the channel with a temporary webhook: the account needs the ENTERPRISE role, and the service must be able to reach this n8n. The wait always ends: after 24 hours, unless "Limit Wait Time" says otherwise.',
		name: 'chatNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Choices',
		name: 'choices',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add Choice',
		default: {},
		description: 'The possible answers. The message lists them with numbers, and the person replies with the number or the words. Without choices any answer will do.',
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [{ displayName: 'Choice', name: 'choice', type: 'string', default: '', placeholder: 'e.g. Tuesday morning' }],
			},
		],
	},
	{
		displayName: 'When Another Question Waits',
		name: 'whenAnotherWaits',
		type: 'options',
		default: 'refuse',
		options: [
			{ name: 'Refuse', value: 'refuse', description: 'Fail with an error, and send nothing' },
			{ name: 'Queue', value: 'queue', description: 'Ask once the other question is answered or its time is over' },
		],
		description: 'What to do when a question to this recipient on this channel waits for its answer already. An answer could belong to either.',
	},
];
