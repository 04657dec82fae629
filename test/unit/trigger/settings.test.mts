import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { RegistrationError } from '../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
import {
	isManual,
	readSource,
	readReceptionSettings,
	readRegistrationSettings,
} from '../../../nodes/BusinessMessaging/trigger/settings.ts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';

/** n8n's context of a node with these fields; the others are as n8n gives them: by their default. */
const contextWith = (parameters: IDataObject) =>
	({
		getNodeParameter: (name: string, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
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

describe('what is to be registered', () => {
	it('are the events of the channel, or of the templates, by the source', () => {
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

	it('may have events from an expression, as a text, with blanks, empty ones and repeated ones', () => {
		expect(registration({ channelEvents: ' BLOCK, CONNECTED ,,BLOCK' }).events).toEqual([
			'BLOCK',
			'CONNECTED',
		]);
		expect(registration({ channelEvents: [' BLOCK ', '', 'BLOCK', 7, null] }).events).toEqual([
			'BLOCK',
		]);
	});

	it.each([[undefined], [[]], [''], [[' ']], [{ a: 'BLOCK' }]])(
		'is nothing without events: %j',
		(channelEvents) => {
			expect(() =>
				registration(channelEvents === undefined ? { channelEvents: [] } : { channelEvents }),
			).toThrow('No events are chosen');
		},
	);

	it('is nothing without a channel, and a channel that is none is named, cut short', () => {
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
		'is nothing with a tolerance of %p: a delivery would never, or always, be fresh',
		(timestampTolerance) => {
			expect(() => registration({ options: { timestampTolerance } })).toThrow(
				'The timestamp tolerance is not a number of seconds above zero',
			);
		},
	);
});

describe('a wrong option', () => {
	it('of grouping is refused with what to do, and counts for a channel alone: templates have none', () => {
		const wrong = { grouping: 'arrival', options: { mostEvents: 0 } };
		const failure = refusalOf(() => registration(wrong));
		expect(failure).toMatchObject({ hint: 'Correct the option, or remove it.' });
		const template = { source: 'template', templateEvents: ['UPDATE_TEMPLATE_STATUS'], ...wrong };
		expect(registration(template).owner).toEqual({ kind: 'template' });
	});

	it('is none that is the least or the most that it may be', () => {
		const least = { quietTime: 0, longestWait: 1, mostEvents: 1, mostWaiting: 1 };
		const most = { quietTime: 10, longestWait: 10, mostEvents: 1000, mostWaiting: 10_000 };
		for (const options of [least, most])
			expect(reception({ grouping: 'arrival', options }).grouping).toMatchObject({
				mostEvents: options.mostEvents,
				mostWaiting: options.mostWaiting,
			});
	});

	it('that an expression gives afterwards fails the delivery', () => {
		expect(() => reception({ options: { timestampTolerance: 0 } })).toThrow(
			'The timestamp tolerance is not a number of seconds above zero',
		);
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

	it('otherwise as the options say', () => {
		const options = {
			signatureScheme: 'bodyOnly',
			timestampTolerance: '60',
			deduplicate: false,
			includeHeaders: true,
			chatFields: true,
			senders: ['1'],
			contentKinds: ['IMAGE'],
			statuses: 'READ, SENT',
		};
		expect(reception({ registration: 'manual', output: 'raw', options })).toEqual({
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

	it.each([
		['arrival', { quietTime: 0, longestWait: 0 }],
		['customer', { quietTime: 3000, longestWait: 8000 }],
	])('grouped %s', (grouping, waits) => {
		expect(reception({ grouping }).grouping).toMatchObject({
			by: grouping,
			output: 'simplified',
			mostEvents: 100,
			...waits,
		});
		const options = { quietTime: '0.5', longestWait: 10, mostEvents: 7, mostWaiting: 9 };
		expect(reception({ grouping, output: 'raw', options }).grouping).toEqual({
			by: grouping,
			output: 'raw',
			mostEvents: 7,
			mostWaiting: 9,
			quietTime: grouping === 'customer' ? 500 : 0,
			longestWait: grouping === 'customer' ? 10_000 : 0,
		});
	});

	it.each([
		{ grouping: 'none' },
		{ grouping: 'other' },
		{ grouping: 'customer', source: 'template' },
	])('ungrouped: %j', (parameters) => {
		expect(reception(parameters).grouping).toBeUndefined();
	});

	it.each([
		[{ quietTime: -1 }, 'The option "Quiet Time (Seconds)" is not a number from 0 to 10'],
		[{ longestWait: 11 }, 'The option "Longest Wait (Seconds)" is not a number from 1 to 10'],
		[{ mostEvents: 'many' }, 'The option "Most Events" is not a number from 1 to 1000'],
		[{ mostWaiting: 0 }, 'The option "Most Waiting" is not a number from 1 to 10000'],
	])('not with options that are no such numbers: %j', (options, message) => {
		expect(() => registration({ grouping: 'arrival', options })).toThrow(
			new RegistrationError(message, 'Correct the option, or remove it.'),
		);
		expect(() => reception({ grouping: 'customer', options })).toThrow(message);
		expect(registration({ options }).manual).toBe(false);
		expect(reception({ options }).grouping).toBeUndefined();
	});

	it.each([null, 'text', 7, [['signatureScheme', 'bodyOnly']]])(
		'options that are none count as not set: %j',
		(options) => {
			expect(reception({ options: options as IDataObject[string] })).toEqual(reception());
		},
	);
});

describe("the business's own messages", () => {
	it("are left out only where customers' messages alone were asked for", () => {
		expect(output({}).skipOwnMessages).toBe(true);
		expect(
			output({}, { channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'] }).skipOwnMessages,
		).toBe(false);
		expect(output({}, { channelEvents: ['MESSAGE_STATUS'] }).skipOwnMessages).toBe(false);
		expect(output({}, { channelEvents: [] }).skipOwnMessages).toBe(false);
	});

	it('come where they are wanted, and where the source is templates', () => {
		expect(output({ includeOwnMessages: true }).skipOwnMessages).toBe(false);
		expect(output({ includeOwnMessages: false }).skipOwnMessages).toBe(true);
		expect(output({}, { source: 'template' }).skipOwnMessages).toBe(false);
	});
});
