import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { RegistrationError } from '#nodes/trigger/registrationError.ts';
import { warnOfSenders } from '#nodes/trigger/senders.ts';
import {
	isManual,
	readReceptionSettings,
	readRegistrationSettings,
	readSource,
} from '#nodes/trigger/triggerSettings.ts';
import { CHANNEL } from '../../support/constants.mts';

const AGE = 'The age of old messages is not a number of hours, 0 or more';
const TOLERANCE = 'The timestamp tolerance is not a number of seconds above zero';

/** n8n's context of a node with these fields. The others have their defaults. */
const contextWith = (parameters: IDataObject, entered = parameters, logged: string[] = []) =>
	({
		getNodeParameter: (name: string, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
		getNode: () => ({ name: 'Trigger', parameters: entered }),
		getWorkflow: () => ({ id: '1' }),
		logger: { warn: (words: string) => logged.push(words) },
	}) as unknown as IHookFunctions & IWebhookFunctions;

const registration = (parameters: IDataObject) =>
	readRegistrationSettings(
		contextWith({ channelId: CHANNEL, channelEvents: ['BLOCK'], ...parameters }),
	);
const reception = (parameters: IDataObject = {}) => readReceptionSettings(contextWith(parameters));
const template = { source: 'template', templateEvents: ['UPDATE_TEMPLATE_STATUS'] };

describe('the registration', () => {
	it("has the channel's or the templates' events, by the source", () => {
		const owner = { kind: 'channel', channelId: CHANNEL };
		expect(registration({})).toEqual({ owner, events: ['BLOCK'], manual: false });
		expect(registration({ ...template, channelId: '' })).toEqual({
			owner: { kind: 'template' },
			events: template.templateEvents,
			manual: false,
		});
		expect(registration({ registration: 'manual' }).manual).toBe(true);
		expect(isManual(contextWith({ registration: 'automatic' }))).toBe(false);
		expect(readSource(contextWith({ channelId: ` ${CHANNEL} ` }))).toEqual(owner);
		expect(readSource(contextWith({ channelId: '..' }))).toBeUndefined();
	});

	it.each([
		[' BLOCK, CONNECTED ,,BLOCK', ['BLOCK', 'CONNECTED']],
		[[' BLOCK ', '', 'BLOCK', 7, null], ['BLOCK']],
	])('reads events from expressions, without blanks and repeated ones: %j', (given, events) => {
		expect(registration({ channelEvents: given }).events).toEqual(events);
	});

	it.each<[IDataObject, string]>([
		...[[], '', [' '], { a: 'BLOCK' }].map((channelEvents): [IDataObject, string] => [
			{ channelEvents },
			'No events are chosen',
		]),
		[{ channelId: '' }, 'No channel is chosen'],
		[{ channelId: 7 }, 'No channel is chosen'],
		[
			{ channelId: `..${'x'.repeat(100)}` },
			`"Channel" is not an ID of the service: "..${'x'.repeat(62)}"`,
		],
		...[0, -1, 'soon', Number.NaN, Number.POSITIVE_INFINITY].map(
			(timestampTolerance): [IDataObject, string] => [
				{ options: { timestampTolerance } },
				TOLERANCE,
			],
		),
		...[-1, 'soon', Number.POSITIVE_INFINITY].map((ignoreOlderThan): [IDataObject, string] => [
			{ options: { ignoreOlderThan } },
			AGE,
		]),
	])('is refused with %j', (parameters, message) => {
		expect(() => registration(parameters)).toThrow(
			expect.objectContaining({ message }) as RegistrationError,
		);
	});
});

describe('Only From', () => {
	/** What expressions gave, and what was entered. */
	const sendersOf = (senders: unknown, entered: unknown) =>
		readReceptionSettings(
			contextWith(
				{ options: { senders: senders as string } },
				{ options: { senders: entered as string } },
			),
		).output.senders;
	const EXPRESSION = '={{ $vars.senders }}';

	test.each<[what: string, given: unknown, entered: unknown, read: string[]]>([
		['no option lets everybody in', undefined, undefined, []],
		['no entry, too', [], [], []],
		['entries', ['5511999990000', ' @store '], ['a', 'b'], ['5511999990000', '@store']],
		['a number of an expression', [5511999990000], [EXPRESSION], ['5511999990000']],
		['a number in place of the list', 5511999990000, EXPRESSION, ['5511999990000']],
		['a list as an entry', ['1', [2, ['3']]], ['1', EXPRESSION], ['1', '2', '3']],
		['a list in place of the list', ['1', 2], EXPRESSION, ['1', '2']],
		['a text with commas in place of the list', '1, 2', EXPRESSION, ['1', '2']],
		['an empty list of an expression lets nobody in', [], EXPRESSION, ['']],
		['an empty list as the only entry, too', [[]], [EXPRESSION], ['']],
		['an empty text, too', '', EXPRESSION, ['']],
		['nothing of an expression, too', null, EXPRESSION, ['']],
		['undefined of an expression, too', undefined, EXPRESSION, ['']],
		['undefined of the list, too', undefined, [EXPRESSION], ['']],
		['undefined in the list, too', [undefined], [EXPRESSION], ['']],
		['undefined that n8n leaves out of the list, too', [], [EXPRESSION], ['']],
		['undefined beside an entry', [undefined, '1'], [EXPRESSION, '1'], ['', '1']],
		['an entry that comes out empty, too', ['', null, {}], ['a', 'b', 'c'], ['', '', '']],
		['a damaged number, too', [5511990000000, '5.5E+12'], [EXPRESSION, 'b'], ['', '']],
	])('%s', (_what, given, entered, read) => expect(sendersOf(given, entered)).toEqual(read));

	it('is read once as long as its entries stay, because it can be long', () => {
		const given = Array.from({ length: 50_000 }, (_, at) => `+55 11 9${at + 10_000_000}`);
		const first = sendersOf([...given], given);
		expect(sendersOf([...given], given)).toBe(first);
		const changed = given.with(49_999, '@store');
		expect(sendersOf(changed, given)).toEqual(first.with(49_999, '@store'));
		expect(sendersOf([...given], given)).toBe(first);
	});

	test.each<[entry: string, refusal: string | undefined]>([
		['0012345678', '"0012345678" in "Only From" can be a phone number or an ID'],
		['1234-5678', '"1234-5678" in "Only From" can be a phone number or an ID'],
		['1234.5678', '"1234.5678" in "Only From" can be a phone number or an ID'],
		['(11) 98765-0000', '"(11) 98765-0000" in "Only From" begins with an area code in parentheses'],
		['5.5E+12', '"5.5E+12" in "Only From" has lost digits'],
		['+44 0161 496 0000', '"+44 0161 496 0000" in "Only From" has a 0 behind its country code'],
		['tel:5511987650000', undefined],
		...['@store', '+55 11 98765-0000', '12345678', '=1234-5678', ''].map(
			(entry): [string, undefined] => [entry, undefined],
		),
	])('whether %j can be published: %s', (entry, refusal) => {
		const publish = () => registration({ options: { senders: ['5511999990000', entry] } });
		if (refusal === undefined) expect(publish).not.toThrow();
		else {
			expect(publish).toThrow(RegistrationError);
			expect(publish).toThrow(refusal);
		}
	});

	it('says in the log what an expression gave wrong', () => {
		const logged: string[] = [];
		const options = { senders: ['1234-5678', '@store', 5511990000000, ''] };
		warnOfSenders(contextWith({ options }, {}, logged));
		expect(logged).toEqual([
			'"1234-5678" in "Only From" can be a phone number or an ID. Begin a phone number with + and its country code, e.g. +55 11 99999-0000.',
			'"5511990000000" in "Only From" ends in six zeros, so it may be rounded. Format the column of the spreadsheet as text.',
			'An entry of "Only From" is empty, and lets nobody in.',
		]);
	});

	it.each([[{ senders: undefined }], [{}], [{ senders: [undefined] }], [{ senders: [] }]])(
		'says in the log that an expression gave nothing: %j',
		(options) => {
			const logged: string[] = [];
			warnOfSenders(contextWith({ options }, { options: { senders: [EXPRESSION] } }, logged));
			expect(logged).toEqual(['An entry of "Only From" is empty, and lets nobody in.']);
			warnOfSenders(contextWith({ options: {} }, { options: {} }, logged));
			expect(logged).toHaveLength(1);
		},
	);
});

describe('how a delivery is received', () => {
	const output = {
		output: 'simplified',
		chatFields: false,
		skipOwnMessages: false,
		senders: [],
		contentKinds: [],
		statuses: [],
	};

	it('by default: signed in five fields, within 300 s, each once, simplified and without headers', () => {
		expect(reception()).toEqual({
			manual: false,
			scheme: 'fiveField',
			tolerance: 300,
			grouping: undefined,
			deduplicate: true,
			oldestHours: 96,
			includeHeaders: false,
			output,
		});
	});

	it('fails by an option that an expression gave after publishing', () => {
		expect(() => reception({ options: { timestampTolerance: 0 } })).toThrow(TOLERANCE);
		expect(() => reception({ options: { ignoreOlderThan: -1 } })).toThrow(AGE);
	});

	const RECEIVED = { channelEvents: ['MESSAGE_RECEIVED'] };

	it.each<[IDataObject, boolean]>([
		[RECEIVED, true],
		...['CONNECTED', 'DISCONNECTED', 'BLOCK', 'PRESENCE_CHAT'].map(
			(event): [IDataObject, boolean] => [{ channelEvents: ['MESSAGE_RECEIVED', event] }, true],
		),
		[{ channelEvents: ['MESSAGE_RECEIVED', 'INITIAL_DATA'] }, false],
		[{ channelEvents: [] }, false],
		[{ channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'] }, false],
		[{ channelEvents: ['MESSAGE_STATUS'] }, false],
		[{ ...RECEIVED, source: 'template' }, false],
	])("whether the business's own messages are left out with %j: %s", (parameters, is) => {
		expect(reception(parameters).output.skipOwnMessages).toBe(is);
	});

	it.each<[IDataObject, string | undefined]>([
		[{}, CHANNEL],
		[{ options: { ignoreReplies: false } }, undefined],
		[{ source: 'template' }, undefined],
		[{ channelId: '..' }, undefined],
	])('with %j, replies to questions are ignored on %s', (parameters, channelId) => {
		expect(reception({ channelId: CHANNEL, ...parameters }).repliesOn).toBe(channelId);
	});
});

describe('grouping', () => {
	const least = { longestWait: 1, mostEvents: 1, mostWaiting: 1 };
	const most = { longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 };
	const customer = { by: 'customer', output: 'simplified' };
	const arrival = { by: 'arrival', output: 'simplified' };

	it.each<[IDataObject, object | undefined]>([
		[{ grouping: 'none' }, undefined],
		[
			{ grouping: 'customer' },
			{
				...customer,
				mostEvents: 100,
				pause: { quietTime: 3000, longestWait: 8000, mostWaiting: 16 },
			},
		],
		[
			{ grouping: 'customer', quietTime: '0.5', options: { output: 'raw', ...least } },
			{
				...{ ...customer, output: 'raw', mostEvents: 1 },
				pause: { quietTime: 500, longestWait: 1000, mostWaiting: 1 },
			},
		],
		[
			{ grouping: 'customer', quietTime: 0, options: most },
			{
				...customer,
				mostEvents: 1000,
				pause: { quietTime: 0, longestWait: 10_000, mostWaiting: 10_000 },
			},
		],
		[
			{ grouping: 'arrival', quietTime: 1, options: most },
			{ ...arrival, mostEvents: 1000 },
		],
		// Numbers that the editor does not show.
		[
			{ grouping: 'arrival', quietTime: -1, options: { longestWait: 0, mostWaiting: 'many' } },
			{ ...arrival, mostEvents: 100 },
		],
	])('is read from %j', (parameters, grouping) => {
		expect(
			registration({ ...parameters, ...template, source: parameters.source ?? 'channel' }),
		).toBeDefined();
		expect(reception(parameters).grouping).toEqual(grouping);
	});

	it.each([
		[{ quietTime: -1 }, '"Quiet Time (Seconds)" is not a number from 0 to 10'],
		[{ quietTime: 10.5 }, '"Quiet Time (Seconds)" is not a number from 0 to 10'],
		[{ options: { longestWait: 11 } }, '"Longest Wait (Seconds)" is not a number from 1 to 10'],
		[{ options: { mostEvents: 0 } }, '"Events per Execution" is not a number from 1 to 1000'],
	])('refuses what is no such number, unless it is not used: %j', (given, message) => {
		const hint = 'Enter a number within these limits.';
		expect(() => registration({ grouping: 'customer', ...given })).toThrow(
			expect.objectContaining({ message, hint }) as RegistrationError,
		);
		expect(() => reception({ grouping: 'customer', ...given })).toThrow(message);
		for (const unused of [given, { grouping: 'customer', ...template, ...given }]) {
			expect(registration(unused).manual).toBe(false);
			expect(reception(unused).grouping).toBeUndefined();
		}
	});
});
