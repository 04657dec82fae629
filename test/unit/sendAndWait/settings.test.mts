import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { notices } from '#nodes/resources/message/sendAndWait/sendAndWaitFields.ts';
import { readSettings, type Settings } from '#nodes/resources/message/sendAndWait/waitSettings.ts';
import { endOfWait } from '#nodes/resources/message/sendAndWait/waitSettings.ts';
import { CHANNEL } from '../../support/constants.mts';

const NOW = Date.UTC(2026, 6, 15, 12);

const hints: string[] = [];
/** n8n's context of a node with these fields. The others have their defaults. */
function contextWith(parameters: IDataObject): IExecuteFunctions {
	const valueAt = (path: string, fallback: unknown) =>
		path
			.split('.')
			.reduce<unknown>((value, name) => (value as IDataObject | undefined)?.[name], parameters) ??
		fallback;
	return {
		getNodeParameter: (path: string, _index: number, fallback: unknown) => valueAt(path, fallback),
		getTimezone: () => 'UTC',
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	} as unknown as IExecuteFunctions;
}

/** The node's default fields, with those that have no default filled in. */
const settings = (parameters: IDataObject = {}): Settings =>
	readSettings(
		contextWith({
			channelId: CHANNEL,
			recipient: '5511999990000',
			message: 'Ship it?',
			...parameters,
		}),
		NOW,
	);
const draft = (parameters: IDataObject) => settings(parameters).question;
const IN_CHAT = { askIn: 'chat' };
const values = (given: IDataObject) => ({ values: given });
const choices = (...labels: unknown[]) => ({
	askIn: 'chat',
	responseType: 'replyInChat',
	choices: { values: labels.map((choice) => ({ choice })) as IDataObject[] },
});

it('asks for an approval on a page, without a limit, unless the fields say otherwise', () => {
	expect(settings()).toEqual({
		channelId: CHANNEL,
		recipients: ['5511999990000'],
		limit: undefined,
		message: 'Ship it?',
		question: {
			kind: 'approval',
			message: 'Ship it?',
			answeredText: 'Thank you. Your answer was recorded. You can close this page.',
			approveLabel: 'Approve',
		},
		queue: 0,
		sendOnceMemory: 10_000,
		link: { label: 'Respond', as: 'button' },
		tellOthers: '{answer} was the answer of {name}',
	});
});

it('takes the texts of the options, and its own for blank ones', () => {
	const options = {
		answeredText: 'Done',
		messageButtonLabel: 'Answer',
		tellOthers: ' told ',
		sendOnceMemory: '7',
	};
	expect(settings({ options })).toMatchObject({
		link: { label: 'Answer' },
		tellOthers: 'told',
		sendOnceMemory: 7,
		question: { answeredText: 'Done' },
	});
});

describe('the button to a page', () => {
	const linkOf = (messageButtonLabel: string, more: IDataObject = {}, options: IDataObject = {}) =>
		settings({ ...more, options: { messageButtonLabel, ...options } }).link;
	const long = 'A'.repeat(21);

	it('has its label without blanks around it, which must fit', () => {
		const label = 'A'.repeat(20);
		expect(linkOf(` ${label} `)).toEqual({ label, as: 'button' });
		expect(() => linkOf(long)).toThrow(
			'"Message Button Label" has 21 characters. A button in the chat has room for 20. Enter a shorter text.',
		);
	});

	it("may be a link with a longer label, such as a form's", () => {
		expect(linkOf(long, {}, { linkAs: 'text' })).toEqual({ label: long, as: 'text' });
		const ofForm = linkOf(` ${long} `, { responseType: 'freeText' });
		expect(ofForm).toEqual({ label: ` ${long} `, as: 'text' });
	});
});

describe('an approval', () => {
	const approval = (given: IDataObject, more: IDataObject = {}) =>
		draft({ approvalOptions: values(given), ...more });

	it('in the chat has its labels as choices, as buttons', () => {
		expect(approval({}, IN_CHAT)).toEqual({
			kind: 'approvalInChat',
			message: 'Ship it?',
			answeredText: expect.any(String),
			choices: ['Approve', 'Decline'],
			buttons: true,
		});
		expect(draft(IN_CHAT)).toMatchObject({ choices: ['Approve', 'Decline'] });
		expect(approval({ approvalType: 'single' }, IN_CHAT)).toMatchObject({ choices: ['Approve'] });
		expect(
			approval({ approvalType: 'double', approveLabel: 'A'.repeat(20) }, IN_CHAT),
		).toMatchObject({ choices: ['A'.repeat(20), 'Decline'] });
	});

	it.each<[string, IDataObject, string]>([
		[
			'a label that fits no button',
			{ approveLabel: 'A'.repeat(21) },
			'"Approve Button Label" has 21 characters. A button in the chat has room for 20. Enter a shorter text.',
		],
		[
			'a second label that fits no button',
			{ approvalType: 'double', disapproveLabel: 'A'.repeat(30) },
			'"Decline Button Label" has 30 characters.',
		],
	])('in the chat is refused with %s', (_what, given, sentence) => {
		expect(() => approval(given, IN_CHAT)).toThrow(sentence);
		expect(approval(given).kind).toBe('approval');
	});

	it('may ask others beside the recipient, each once, in any form of the number', () => {
		const approvers = [' 5511999990001 ', '+55 11 99999-0000', '5511999990001', 'ana'];
		expect(settings({ approvers }).recipients).toEqual(['5511999990000', '5511999990001', 'ana']);
	});

	it('may ask 20 others, and no more', () => {
		const approvers = Array.from({ length: 20 }, (_, index) => `person ${index}`);
		expect(settings({ approvers }).recipients).toHaveLength(21);
		expect(() => settings({ approvers: [...approvers, 'one more'] })).toThrow(
			'"Also Ask" has 21 entries. At most 20 can be asked beside the recipient.',
		);
	});

	it('alone can ask others', () => {
		expect(settings({ ...choices(), approvers: ['5511999990001'] }).recipients).toEqual([
			'5511999990000',
		]);
	});
});

describe('a form', () => {
	const form = { fieldLabel: 'Name' };

	it('is defined by fields or by JSON, as chosen', () => {
		const custom = {
			responseType: 'customForm',
			formFields: { values: [form] },
			jsonOutput: '[{"fieldLabel": "Age", "fieldType": "number"}]',
		};
		expect(draft(custom)).toMatchObject({ kind: 'customForm', fields: [{ label: 'Name' }] });
		expect(draft({ ...custom, defineForm: 'json' })).toMatchObject({
			fields: [{ label: 'Age', type: 'number' }],
		});
	});
});

describe('a reply in the chat', () => {
	it('is any text, asked for twice again, unless the fields say otherwise', () => {
		expect(draft({ askIn: 'chat', responseType: 'replyInChat' })).toEqual({
			kind: 'replyInChat',
			message: 'Ship it?',
			answeredText: expect.any(String),
			choices: [],
			askAgain: 2,
			askAgainText: 'Please reply with one of these:',
		});
		const options = { askAgain: 0, askAgainText: 'Again:' };
		expect(draft({ askIn: 'chat', responseType: 'replyInChat', options })).toMatchObject({
			askAgain: 0,
			askAgainText: 'Again:',
		});
	});

	it('can be expected to be a number or a date within limits, unless there are choices', () => {
		const open = { askIn: 'chat', responseType: 'replyInChat' };
		const options = { expect: 'number', least: '1', most: 8 };
		expect(draft({ ...open, options })).toMatchObject({
			expect: { kind: 'number', least: 1, most: 8 },
			askAgainText: 'Please reply with a number, in digits, from 1 up to 8.',
		});
		expect(draft({ responseType: 'freeText', options })).toMatchObject({
			fields: [{ type: 'number' }],
			expect: { kind: 'number' },
		});
		expect(() => draft({ ...open, options: { expect: 'date', least: '1/2/2027' } })).toThrow(
			'"Least" must be a date as YYYY-MM-DD.',
		);
		expect(() => draft({ ...open, options: { ...options, least: 9 } })).toThrow(
			'"Least" is more than "Most".',
		);
		expect(draft({ ...choices('Yes', 'No'), options })).not.toHaveProperty('expect');
		expect(hints).toEqual([expect.stringContaining('ignored, because the question has choices')]);
	});
});

describe('a time', () => {
	const deadline = (parameters: IDataObject) => {
		const { limit } = settings(parameters);
		return limit && endOfWait(limit, NOW).toISOString();
	};
	const limit = {
		limitWaitTime: values({
			limitType: 'afterTimeInterval',
			resumeAmount: 45,
			resumeUnit: 'minutes',
		}),
	};

	it('ends a wait as the option says, or after a day in the chat without it', () => {
		expect(deadline({})).toBeUndefined();
		expect(deadline({ responseType: 'freeText' })).toBeUndefined();
		expect(deadline({ options: limit })).toBe('2026-07-15T12:45:00.000Z');
		expect(deadline(choices())).toBe('2026-07-16T12:00:00.000Z');
		expect(deadline(IN_CHAT)).toBe('2026-07-16T12:00:00.000Z');
		expect(deadline({ ...choices(), options: limit })).toBe('2026-07-15T12:45:00.000Z');
		const longer = values({ limitType: 'afterTimeInterval', resumeAmount: 7, resumeUnit: 'days' });
		expect(deadline({ ...IN_CHAT, options: { limitWaitTime: longer } })).toBe(
			'2026-07-22T12:00:00.000Z',
		);
	});

	it("in the queue is 2 minutes, or the option's value up to 10, and none if the question is refused", () => {
		const queue = (parameters: IDataObject) => settings(parameters).queue;
		const queued = { whenAnotherWaits: 'queue' };
		expect(queue(queued)).toBe(2 * 60_000);
		for (const queueMinutes of [10, 11, 240, '240'])
			expect(queue({ ...queued, options: { queueMinutes } })).toBe(10 * 60_000);
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
		'Value 2 of "Also Ask" is empty. Enter a text, or remove it.',
	],
	['a kind of its own', { responseType: 'carrierPigeon' }, 'The response type "carrierPigeon"'],
	[
		'a reply in the chat to a question by link',
		{ responseType: 'replyInChat' },
		'The response type "replyInChat" is not known. Choose one from the list.',
	],
	[
		'a page for a question in the chat',
		{ askIn: 'chat', responseType: 'freeText' },
		'The response type "freeText" is not known. Choose one from the list.',
	],
	[
		'no number of times',
		{ ...choices(), options: { askAgain: 'often' } },
		'"Ask Again At Most" must be a number of 0 or more.',
	],
	[
		'less than no time',
		{ whenAnotherWaits: 'queue', options: { queueMinutes: -1 } },
		'"Max Time in Queue" must be a number of 0 or more.',
	],
	[
		'no memory',
		{ options: { sendOnceMemory: 0 } },
		'"Send Once Memory" must be a whole number of 1 or more.',
	],
])("is refused with %s, by the field's name", (_what, parameters, sentence) => {
	expect(() => settings(parameters)).toThrow(sentence);
});

test('a question by a link says where choices in the chat are', () => {
	const byLink = notices.filter((one) => one.displayOptions?.show?.['askIn']?.includes('link'));
	expect(byLink.length).toBeGreaterThan(1);
	for (const { displayName } of byLink) expect(displayName).toContain('choose "In the Chat"');
});
