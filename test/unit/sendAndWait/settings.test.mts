import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	readSettings,
	type Settings,
} from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/settings.ts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const NOW = Date.UTC(2026, 6, 15, 12);

/** n8n's context of a node with these fields; the others are as n8n gives them: by their default. */
function contextWith(parameters: IDataObject, typeVersion: number): IExecuteFunctions {
	const valueAt = (path: string, fallback: unknown) =>
		path
			.split('.')
			.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters) ??
		fallback;
	return {
		getNodeParameter: (path: string, _index: number, fallback: unknown) => valueAt(path, fallback),
		getNode: () => ({ typeVersion }),
	} as unknown as IExecuteFunctions;
}

/** As the node's fields stand at first, but for those that have no default. */
const settings = (parameters: IDataObject = {}, typeVersion = 1.1): Settings =>
	readSettings(
		contextWith(
			{ channelId: CHANNEL, recipient: '5511999990000', message: 'Ship it?', ...parameters },
			typeVersion,
		),
		NOW,
	);
const asked = (parameters: IDataObject, typeVersion?: number) =>
	settings(parameters, typeVersion).question;
const values = (given: IDataObject) => ({ values: given });
const choices = (...labels: unknown[]) => ({
	responseType: 'replyInChat',
	choices: { values: labels.map((choice) => ({ choice })) as IDataObject[] },
});

it('asks for an approval on a page, without a limit, unless the fields say otherwise', () => {
	expect(settings()).toEqual({
		channelId: CHANNEL,
		recipients: ['5511999990000'],
		deadline: undefined,
		message: 'Ship it?',
		question: {
			kind: 'approval',
			message: 'Ship it?',
			answeredText: 'Thank you. Your answer was recorded. You can close this page.',
			approveLabel: 'Approve',
		},
		queue: 0,
		sendOnceMemory: 10_000,
		linkLabel: 'Respond',
		linkAs: 'button',
		tellOthers: '{name} answered: {answer}',
	});
});

it('asks by one link from version 1.1 on, as a button unless the option says text', () => {
	expect(settings().linkAs).toBe('button');
	expect(settings({ options: { linkAs: 'text' } }).linkAs).toBe('text');
	expect(settings({ options: { linkAs: 'button' } }, 1).linkAs).toBeUndefined();
});

it('takes the texts of the options, and its own where they are blank', () => {
	const options = {
		answeredText: 'Done',
		messageButtonLabel: 'Answer',
		tellOthers: ' told ',
		sendOnceMemory: '7',
	};
	expect(settings({ options })).toMatchObject({
		linkLabel: 'Answer',
		tellOthers: 'told',
		sendOnceMemory: 7,
		question: { answeredText: 'Done' },
	});
	expect(
		settings({ options: { answeredText: ' ', messageButtonLabel: '', tellOthers: ' ' } }),
	).toMatchObject({
		linkLabel: 'Respond',
		tellOthers: '',
		question: { answeredText: expect.stringMatching(/^Thank you/) },
	});
	expect(settings({ options: { tellOthers: 7 } }).tellOthers).toBe('');
});

describe('an approval', () => {
	const approval = (given: IDataObject, more: IDataObject = {}) =>
		asked({ approvalOptions: values(given), ...more });

	it('has a second button where both are offered', () => {
		expect(approval({ approvalType: 'double' })).toMatchObject({
			kind: 'approval',
			approveLabel: 'Approve',
			disapproveLabel: 'Decline',
		});
		expect(
			approval({ approvalType: 'double', approveLabel: ' Yes ', disapproveLabel: ' No ' }),
		).toMatchObject({ approveLabel: 'Yes', disapproveLabel: 'No' });
		expect(approval({ approvalType: 'single', disapproveLabel: 'No' })).not.toHaveProperty(
			'disapproveLabel',
		);
	});

	it('in the chat has its labels as choices, as buttons', () => {
		expect(approval({ askIn: 'chat' })).toEqual({
			kind: 'approvalInChat',
			message: 'Ship it?',
			answeredText: expect.any(String),
			choices: ['Approve'],
			buttons: true,
		});
		expect(
			approval({ askIn: 'chat', approvalType: 'double', approveLabel: 'A'.repeat(20) }),
		).toMatchObject({ choices: ['A'.repeat(20), 'Decline'] });
	});

	it.each<[string, IDataObject, string]>([
		[
			'a label that fits no button',
			{ approveLabel: 'A'.repeat(21) },
			'"Approve Button Label" has 21 characters. A button in the chat has room for 20: enter a shorter text.',
		],
		[
			'a second label that fits no button',
			{ approvalType: 'double', disapproveLabel: 'A'.repeat(30) },
			'"Disapprove Button Label" has 30 characters.',
		],
		[
			'a label of signs alone',
			{ approveLabel: '?!' },
			'"Approve Button Label" is "?!", which nobody can answer. Enter words.',
		],
		[
			'two labels that are one',
			{ approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'yes!' },
			'"Approve Button Label" and "Disapprove Button Label" are the same words. Enter different ones.',
		],
	])('in the chat is refused with %s', (_what, given, sentence) => {
		expect(() => approval({ askIn: 'chat', ...given })).toThrow(sentence);
		expect(approval(given).kind).toBe('approval');
	});

	it('may ask others beside the recipient, each once, however their number is written', () => {
		const approvers = [' 5511999990001 ', '+55 11 99999-0000', '5511999990001', 'ana'];
		expect(settings({ approvers }).recipients).toEqual(['5511999990000', '5511999990001', 'ana']);
	});

	it('may ask 20 others, and no more', () => {
		const approvers = Array.from({ length: 20 }, (_, index) => `person ${index}`);
		expect(settings({ approvers }).recipients).toHaveLength(21);
		expect(() => settings({ approvers: [...approvers, 'one more'] })).toThrow(
			'"Approvers" has 21 entries. At most 20 can be asked beside the recipient.',
		);
	});

	it('is what alone asks others', () => {
		expect(settings({ ...choices(), approvers: ['5511999990001'] }).recipients).toEqual([
			'5511999990000',
		]);
	});
});

describe('a form', () => {
	const form = { fieldLabel: 'Name' };

	it('has one field for a free text', () => {
		expect(asked({ responseType: 'freeText' })).toEqual({
			kind: 'freeText',
			message: 'Ship it?',
			answeredText: expect.any(String),
			title: '',
			buttonLabel: 'Submit',
			fields: [
				{
					label: 'Your answer',
					type: 'textarea',
					placeholder: '',
					options: [],
					multiple: false,
					required: true,
				},
			],
		});
	});

	it('has the words of the options on its page, and the question in the chat', () => {
		const options = {
			responseFormTitle: 'Order',
			responseFormDescription: 'What do you need?',
			responseFormButtonLabel: 'Send',
		};
		const { message, question } = settings({ responseType: 'freeText', options });
		expect(message).toBe('Ship it?');
		expect(question).toMatchObject({
			title: 'Order',
			message: 'What do you need?',
			buttonLabel: 'Send',
		});
	});

	it('is defined by fields or by JSON, as chosen', () => {
		const custom = {
			responseType: 'customForm',
			formFields: { values: [form] },
			jsonOutput: '[{"fieldLabel": "Age", "fieldType": "number"}]',
		};
		expect(asked(custom)).toMatchObject({ kind: 'customForm', fields: [{ label: 'Name' }] });
		expect(asked({ ...custom, defineForm: 'json' })).toMatchObject({
			fields: [{ label: 'Age', type: 'number' }],
		});
	});

	it.each([{}, { defineForm: 'json' }])('without an element is refused: %j', (defined) => {
		expect(() => asked({ responseType: 'customForm', ...defined })).toThrow(
			'"Form Elements" is empty. Add at least one element.',
		);
	});
});

describe('a reply in the chat', () => {
	it('is any, and is asked for twice again, unless the fields say otherwise', () => {
		expect(asked({ responseType: 'replyInChat' })).toEqual({
			kind: 'replyInChat',
			message: 'Ship it?',
			answeredText: expect.any(String),
			choices: [],
			askAgain: 2,
			askAgainText: 'Please reply with one of these:',
		});
		const options = { askAgain: 0, askAgainText: 'Again:' };
		expect(asked({ responseType: 'replyInChat', options })).toMatchObject({
			askAgain: 0,
			askAgainText: 'Again:',
		});
	});

	it('has choices, which are buttons from version 1.1 on, where they fit', () => {
		expect(asked(choices(' S ', 'L'))).toMatchObject({ choices: ['S', 'L'], buttons: true });
		expect(asked(choices('S', 'L'), 1)).not.toHaveProperty('buttons');
		expect(asked(choices('S', 'A'.repeat(21)))).not.toHaveProperty('buttons');
		expect(asked(choices('A', 'B', 'C', 'D'))).not.toHaveProperty('buttons');
	});

	it('refuses choices that nobody can tell apart, or name', () => {
		expect(() => asked(choices('S', 's'))).toThrow('"Choices" holds "s" twice');
		expect(() => asked(choices('S', undefined))).toThrow('"Choices" holds "", which nobody');
		expect(() => asked({ responseType: 'replyInChat', choices: { values: 'S' } })).not.toThrow();
	});
});

describe('time', () => {
	const deadline = (parameters: IDataObject) => settings(parameters).deadline?.toISOString();
	const limit = {
		limitWaitTime: values({
			limitType: 'afterTimeInterval',
			resumeAmount: 45,
			resumeUnit: 'minutes',
		}),
	};

	it('ends a wait as the option says; one in the chat after a day without it', () => {
		expect(deadline({})).toBeUndefined();
		expect(deadline({ responseType: 'freeText' })).toBeUndefined();
		expect(deadline({ options: limit })).toBe('2026-07-15T12:45:00.000Z');
		expect(deadline(choices())).toBe('2026-07-16T12:00:00.000Z');
		expect(deadline({ approvalOptions: values({ askIn: 'chat' }) })).toBe(
			'2026-07-16T12:00:00.000Z',
		);
		expect(deadline({ ...choices(), options: limit })).toBe('2026-07-15T12:45:00.000Z');
	});

	it('in the queue is 30 minutes, or what the option says, and none where the question is refused', () => {
		const queue = (parameters: IDataObject) => settings(parameters).queue;
		const queued = { whenAnotherWaits: 'queue' };
		expect(queue(queued)).toBe(30 * 60_000);
		expect(queue({ ...queued, options: { queueMinutes: 0 } })).toBe(0);
		expect(queue({ ...queued, options: { queueMinutes: '1.5' } })).toBe(90_000);
		expect(queue({ whenAnotherWaits: 'refuse', options: { queueMinutes: 5 } })).toBe(0);
	});
});

it.each<[string, IDataObject, string]>([
	['no message', { message: ' ' }, '"Message" is empty'],
	['no channel', { channelId: '' }, '"Channel" is empty'],
	['no recipient', { recipient: '' }, '"Recipient" is empty'],
	[
		'an empty approver',
		{ approvers: ['5511999990001', ' '] },
		'Value 2 of "Approvers" is empty. Enter a text, or remove it.',
	],
	['a kind of its own', { responseType: 'carrierPigeon' }, 'The response type "carrierPigeon"'],
	[
		'no number of times',
		{ ...choices(), options: { askAgain: 'often' } },
		'"Ask Again At Most" must be a number of 0 or more.',
	],
	[
		'less than no time',
		{ whenAnotherWaits: 'queue', options: { queueMinutes: -1 } },
		'"Longest Time in Queue" must be a number of 0 or more.',
	],
	[
		'no memory',
		{ options: { sendOnceMemory: 0 } },
		'"Send Once Memory" must be a whole number of 1 or more.',
	],
])('is refused with %s, by the name of the field', (_what, parameters, sentence) => {
	expect(() => settings(parameters)).toThrow(sentence);
});
