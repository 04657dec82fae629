import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { RegistrationError } from '../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
import { warnOfSenders } from '../../../nodes/BusinessMessaging/trigger/senders.ts';
import {
	isManual,
	readSource,
	readReceptionSettings,
	readRegistrationSettings,
} from '../../../nodes/BusinessMessaging/trigger/settings.ts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

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
const output = (options: IDataObject, parameters: IDataObject = {}) =>
	reception({ channelEvents: ['MESSAGE_RECEIVED'], options, ...parameters }).output;

function refusalOf(run: () => unknown): unknown {
	try {
		return run();
	} catch (error) {
		return error;
	}
}

describe('the registration', () => {
	it("has the channel's or the templates' events, by the source", () => {
		expect(registration({})).toEqual({
			owner: { kind: 'channel', channelId: CHANNEL },
			events: ['BLOCK'],
			manual: false,
		});
		const template = {
			source: 'template',
			templateEvents: ['UPDATE_TEMPLATE_STATUS'],
			channelId: '',
		};
		expect(registration(template)).toEqual({
			owner: { kind: 'template' },
			events: ['UPDATE_TEMPLATE_STATUS'],
			manual: false,
		});
		expect(registration({ registration: 'manual' }).manual).toBe(true);
		expect(isManual(contextWith({ registration: 'automatic' }))).toBe(false);
	});

	it('reads events from the text of an expression, without blanks, empty and repeated ones', () => {
		expect(registration({ channelEvents: ' BLOCK, CONNECTED ,,BLOCK' }).events).toEqual([
			'BLOCK',
			'CONNECTED',
		]);
		expect(registration({ channelEvents: [' BLOCK ', '', 'BLOCK', 7, null] }).events).toEqual([
			'BLOCK',
		]);
	});

	it.each([[undefined], [[]], [''], [[' ']], [{ a: 'BLOCK' }]])(
		'is refused without events: %j',
		(channelEvents) => {
			expect(() =>
				registration(channelEvents === undefined ? { channelEvents: [] } : { channelEvents }),
			).toThrow('No events are chosen');
		},
	);

	it('is refused without a channel, and quotes the beginning of an invalid one', () => {
		expect(() => registration({ channelId: '' })).toThrow('No channel is chosen');
		expect(() => registration({ channelId: 7 })).toThrow('No channel is chosen');
		const message = (() => {
			try {
				return String(registration({ channelId: `..${'x'.repeat(100)}` }));
			} catch (error) {
				return (error as Error).message;
			}
		})();
		expect(message).toBe(`"Channel" is not an ID of the service: "..${'x'.repeat(62)}"`);
		expect(readSource(contextWith({ channelId: '..' }))).toBeUndefined();
		expect(readSource(contextWith({ channelId: ` ${CHANNEL} ` }))).toEqual({
			kind: 'channel',
			channelId: CHANNEL,
		});
	});

	it.each([0, -1, 'soon', Number.NaN, Number.POSITIVE_INFINITY])(
		'is refused with a tolerance of %p',
		(timestampTolerance) => {
			expect(() => registration({ options: { timestampTolerance } })).toThrow(
				'The timestamp tolerance is not a number of seconds above zero',
			);
		},
	);
});

describe('a wrong option', () => {
	it('of grouping is refused for a channel, and ignored for templates', () => {
		const wrong = { grouping: 'arrival', options: { mostEvents: 0 } };
		const failure = refusalOf(() => registration(wrong));
		expect(failure).toMatchObject({ hint: 'Enter a number within these limits.' });
		const template = { source: 'template', templateEvents: ['UPDATE_TEMPLATE_STATUS'], ...wrong };
		expect(registration(template).owner).toEqual({ kind: 'template' });
	});

	it('is not wrong at its lower or upper limit', () => {
		const least = { longestWait: 1, mostEvents: 1, mostWaiting: 1 };
		const most = { longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 };
		const limits = [
			{ quietTime: 0, options: least },
			{ quietTime: 10, options: most },
		];
		for (const { quietTime, options } of limits)
			expect(reception({ grouping: 'customer', quietTime, options }).grouping).toMatchObject({
				mostEvents: options.mostEvents,
				pause: { quietTime: quietTime * 1000, mostWaiting: options.mostWaiting },
			});
	});

	it('from an expression after publishing fails the delivery', () => {
		expect(() => reception({ options: { timestampTolerance: 0 } })).toThrow(
			'The timestamp tolerance is not a number of seconds above zero',
		);
	});
});

describe('Only From', () => {
	/** What expressions gave, and what was entered. */
	const sendersOf = (senders: unknown, entered: unknown = senders) =>
		readReceptionSettings(
			contextWith(
				{ options: { senders } },
				{
					options: { senders: entered },
				},
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
		['an entry that comes out empty, too', ['', null, {}], ['a', 'b', 'c'], ['', '', '']],
		['a damaged number, too', [5511990000000, '5.5E+12'], [EXPRESSION, 'b'], ['', '']],
	])('%s', (_what, given, entered, read) => expect(sendersOf(given, entered)).toEqual(read));

	const publish = (...senders: unknown[]) =>
		refusalOf(() => registration({ options: { senders } }));

	test.each([
		['0012345678', '"0012345678" in "Only From" can be a phone number or an ID'],
		['1234-5678', '"1234-5678" in "Only From" can be a phone number or an ID'],
		['1234.5678', '"1234.5678" in "Only From" can be a phone number or an ID'],
		['(11) 98765-0000', '"(11) 98765-0000" in "Only From" begins with an area code in parentheses'],
		['5.5E+12', '"5.5E+12" in "Only From" has lost digits'],
	])('refuses to publish with %j', (entry, words) => {
		expect(publish('5511999990000', entry)).toBeInstanceOf(RegistrationError);
		expect(publish('5511999990000', entry)).toMatchObject({
			message: expect.stringContaining(words) as string,
		});
	});

	test.each([['@store'], ['+55 11 98765-0000'], ['12345678'], ['=1234-5678'], ['']])(
		'publishes with %j',
		(entry) => expect(publish(entry)).not.toBeInstanceOf(Error),
	);

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
});

describe('how a delivery is received', () => {
	it('by default: signed in five fields, within 300 s, each once, simplified and without headers', () => {
		expect(reception()).toEqual({
			manual: false,
			scheme: 'fiveField',
			tolerance: 300,
			grouping: undefined,
			deduplicate: true,
			includeHeaders: false,
			output: {
				output: 'simplified',
				chatFields: false,
				skipOwnMessages: false,
				senders: [],
				contentKinds: [],
				statuses: [],
			},
		});
	});

	it('follows the options', () => {
		const options = {
			signatureScheme: 'bodyOnly',
			timestampTolerance: '60',
			deduplicate: false,
			includeHeaders: true,
			chatFields: true,
			senders: ['1'],
			contentKinds: ['IMAGE'],
			statuses: 'READ, SENT',
			output: 'raw',
		};
		expect(reception({ registration: 'manual', options })).toEqual({
			manual: true,
			scheme: 'bodyOnly',
			tolerance: 60,
			deduplicate: false,
			includeHeaders: true,
			output: {
				output: 'raw',
				chatFields: true,
				skipOwnMessages: false,
				senders: ['1'],
				contentKinds: ['IMAGE'],
				statuses: ['READ', 'SENT'],
			},
		});
	});

	it('grouped by customer', () => {
		expect(reception({ grouping: 'customer' }).grouping).toEqual({
			by: 'customer',
			output: 'simplified',
			mostEvents: 100,
			pause: { quietTime: 3000, longestWait: 8000, mostWaiting: 16 },
		});
		const options = { output: 'raw', longestWait: 10, mostEvents: 7, mostWaiting: 9 };
		expect(reception({ grouping: 'customer', quietTime: '0.5', options }).grouping).toEqual({
			by: 'customer',
			output: 'raw',
			mostEvents: 7,
			pause: { quietTime: 500, longestWait: 10_000, mostWaiting: 9 },
		});
	});

	it('grouped by arrival, without a pause', () => {
		const options = { longestWait: 2, mostEvents: 7, mostWaiting: 9 };
		expect(reception({ grouping: 'arrival', quietTime: 1, options }).grouping).toEqual({
			by: 'arrival',
			output: 'simplified',
			mostEvents: 7,
		});
	});

	it('grouped by arrival, without the numbers that the editor does not show', () => {
		const options = { longestWait: 0, mostWaiting: 'many' };
		const given = { grouping: 'arrival', quietTime: -1, options };
		expect(registration(given).manual).toBe(false);
		expect(reception(given).grouping).toMatchObject({ mostEvents: 100 });
	});

	it.each([
		{ grouping: 'none' },
		{ grouping: 'other' },
		{ grouping: 'customer', source: 'template' },
	])('ungrouped: %j', (parameters) => {
		expect(reception(parameters).grouping).toBeUndefined();
	});

	it.each([
		[{ quietTime: -1 }, '"Quiet Time (Seconds)" is not a number from 0 to 10'],
		[{ options: { longestWait: 11 } }, '"Max Wait (Seconds)" is not a number from 1 to 10'],
		[{ options: { mostEvents: 'many' } }, '"Max Events" is not a number from 1 to 1000'],
		[{ options: { mostWaiting: 0 } }, '"Max Waiting" is not a number from 1 to 10000'],
	])('refuses what is not such a number: %j', (given, message) => {
		expect(() => registration({ grouping: 'customer', ...given })).toThrow(
			new RegistrationError(message, 'Enter a number within these limits.'),
		);
		expect(() => reception({ grouping: 'customer', ...given })).toThrow(message);
		expect(registration(given).manual).toBe(false);
		expect(reception(given).grouping).toBeUndefined();
	});

	it.each([null, 'text', 7, [['signatureScheme', 'bodyOnly']]])(
		'ignores options that are not a valid object: %j',
		(options) => {
			expect(reception({ options: options as IDataObject[string] })).toEqual(reception());
		},
	);
});

describe('replies to questions', () => {
	const repliesOn = (parameters: IDataObject = {}) =>
		readReceptionSettings(contextWith({ channelId: CHANNEL, ...parameters })).repliesOn;

	it('are ignored on the channel unless the option is off', () => {
		expect(repliesOn()).toBe(CHANNEL);
		expect(repliesOn({ options: { ignoreReplies: true } })).toBe(CHANNEL);
		expect(repliesOn({ options: { ignoreReplies: false } })).toBeUndefined();
	});

	it('are not looked for if the source is templates or no channel is chosen', () => {
		expect(repliesOn({ source: 'template' })).toBeUndefined();
		expect(repliesOn({ channelId: '..' })).toBeUndefined();
	});
});

describe("the business's own messages", () => {
	it("are left out only if the trigger takes nothing but customers' messages", () => {
		expect(output({}).skipOwnMessages).toBe(true);
		expect(
			output({}, { channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'] }).skipOwnMessages,
		).toBe(false);
		expect(output({}, { channelEvents: ['MESSAGE_STATUS'] }).skipOwnMessages).toBe(false);
		expect(output({}, { channelEvents: [] }).skipOwnMessages).toBe(false);
	});

	it('are kept if the option says so, and if the source is templates', () => {
		expect(output({ includeOwnMessages: true }).skipOwnMessages).toBe(false);
		expect(output({ includeOwnMessages: false }).skipOwnMessages).toBe(true);
		expect(output({}, { source: 'template' }).skipOwnMessages).toBe(false);
	});
});
