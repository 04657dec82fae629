/**
 * Small readers of what users and servers write: the Base URL, Retry-After, and the object of the
 * connection SDK.
 */
import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';

import { connect } from '../../../nodes/BusinessMessaging/resources/channel/connect.ts';
import { normalizeBaseUrl } from '../../../nodes/BusinessMessaging/service/baseUrl.ts';
import { ID_PATTERN } from '../../../nodes/BusinessMessaging/service/contract/common.ts';
import type {
	ServiceClient,
	ServiceRequest,
} from '../../../nodes/BusinessMessaging/service/client.ts';
import { parseRetryAfter } from '../../../nodes/BusinessMessaging/service/answer.ts';
import { parseRetryAfter as parseRetryAfterOfReceiver } from '../../../sandbox/delivery/schedule.mts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { changeText, jsonOf, oddText, textChange } from '../texts.mts';

const typedUrl = fc
	.record({
		text: fc.oneof(
			fc.constantFrom(
				'https://api.example.com',
				'http://127.0.0.1:4010/',
				'https://example.com/gateway//',
				'https://[::1]:8080/a/b/',
				'HTTPS://EXAMPLE.COM',
			),
			fc.webUrl({ withQueryParameters: true, withFragments: true }),
		),
		changes: fc.array(textChange, { maxLength: 3 }),
	})
	.map(({ text, changes }) => changes.reduce(changeText, text));

/** What is accepted is a root that requests can be put under, and nothing in it leads elsewhere. */
export const baseUrl: EntryPoint<unknown> = {
	name: 'base-url',
	input: fc.oneof(typedUrl, fc.string(), jsonOf('baseUrl')),
	check: (typed) => {
		let root: string;
		try {
			root = normalizeBaseUrl(typed);
		} catch (error) {
			must(
				error instanceof Error && error.message.startsWith('The Base URL in the credential '),
				`refused with ${String(error)}`,
			);
			return;
		}
		must(
			typeof typed === 'string' && !/[?#\\]/.test(typed),
			`a part of ${JSON.stringify(typed)} was left out`,
		);
		must(normalizeBaseUrl(root) === root, `not stable: ${root}`);
		must(/^https?:\/\/[^/]/.test(root) && !root.endsWith('/'), `not a root: ${root}`);
		const url = new URL(`${root}/v1/channels`);
		must(
			`${url.origin}${url.pathname}` === `${root}/v1/channels`,
			`requests go to ${url.href} instead of ${root}/v1/channels`,
		);
		must(
			url.search === '' && url.hash === '' && url.username === '' && url.password === '',
			`more than a root: ${root}`,
		);
	},
};

const NOW = Date.parse('2026-07-15T19:00:00.000Z');
const headers = fc.oneof(
	oddText,
	fc.string(),
	fc.double().map(String),
	fc.bigInt().map(String),
	fc.integer({ min: 1, max: 400 }).map((digits) => '9'.repeat(digits)),
	fc.integer(),
	fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
	fc
		.tuple(
			fc.constantFrom('Wed, 15 Jul 2026 19:00:07 GMT', '120', '1.5'),
			fc.array(textChange, { maxLength: 2 }),
		)
		.map(([text, changes]) => changes.reduce(changeText, text)),
);

/**
 * A wait is a number that can be waited for, or there is none; never a guess, and the same in the
 * nodes and in the sandbox.
 */
export const retryAfter: EntryPoint<unknown> = {
	name: 'retry-after',
	input: fc.oneof(
		{ weight: 9, arbitrary: headers },
		{ weight: 1, arbitrary: fc.oneof(fc.array(headers, { maxLength: 2 }), jsonOf('retry-after')) },
	),
	check: (header) => {
		const wait = parseRetryAfter(header, NOW);
		must(wait === undefined || (Number.isFinite(wait) && wait >= 0), `waits for ${wait}`);
		const text = typeof header === 'string' ? header.trim() : undefined;
		if (text !== undefined && /^\d{1,5}$/.test(text))
			must(wait === Number(text) * 1000, `${text} seconds became ${wait} ms`);
		if (typeof header !== 'string') return;
		const receiver = parseRetryAfterOfReceiver(header, NOW);
		must(
			receiver === undefined || (Number.isInteger(receiver) && receiver >= 0 && receiver <= 86_400),
			`the sandbox waits for ${receiver}`,
		);
	},
};

const sdkObject = jsonOf('success', 'channelId', 'code', 'wabaId', 'phoneId', 'coexistence');
const rightObject = fc.record({
	success: fc.constantFrom<unknown>(true, undefined, 'true', false),
	channelId: fc.constantFrom<unknown>(
		'019E4C54B1B375A28970B605CA9B03C3',
		' 019e4c54b1b375a28970b605ca9b03c3 ',
		'..',
		7,
	),
	code: fc.constantFrom<unknown>('AQD', 12345, '', ' ', null),
	wabaId: fc.constantFrom<unknown>('102290129340398', 102290129340398),
	phoneId: fc.constantFrom<unknown>('106540352242922', 106540352242922, true),
	coexistence: fc.constantFrom<unknown>(true, false, 'true', 'false', 1, undefined),
});

/**
 * The request is complete, or is not sent and the error says why: the code can be used only once.
 */
export const connection: EntryPoint<unknown> = {
	name: 'connection',
	withText: (text) => [
		text,
		{ success: true, channelId: text, code: text, wabaId: text, phoneId: text, coexistence: text },
	],
	input: fc.oneof(
		rightObject,
		sdkObject,
		rightObject.map((object) => JSON.stringify(object)),
		fc
			.tuple(rightObject, textChange)
			.map(([object, change]) => changeText(JSON.stringify(object), change)),
		fc.string(),
	),
	check: async (given) => {
		const sent: Array<ServiceRequest<unknown>> = [];
		const parameters: Record<string, unknown> = { connectionData: 'object', sdkObject: given };
		const context = {
			getNodeParameter: (name: string) => parameters[name],
		} as unknown as IExecuteFunctions;
		const client: ServiceClient = {
			account: 'account',
			baseUrl: 'https://api.messaging.example',
			templatesPath: () => [],
			request: async <Body,>(request: ServiceRequest<Body>) => {
				sent.push(request);
				return { success: true } as Body;
			},
		};
		try {
			await connect.executeItem(context, client, 0);
		} catch (error) {
			must(
				error instanceof Error &&
					/"(SDK Object|channelId)"|connection SDK reported/.test(error.message),
				`refused with ${String(error)}`,
			);
			must(sent.length === 0, 'refused after it was sent');
			return;
		}
		const [request, ...more] = sent;
		must(request !== undefined && more.length === 0, `${sent.length} requests`);
		must(ID_PATTERN.test(request.path[2] ?? ''), `the channel is ${request.path[2]}`);
		const { wabaId, phoneId, code, coexistence, ...rest } = request.body as Record<string, unknown>;
		for (const text of [wabaId, phoneId, code])
			must(
				typeof text === 'string' && text.trim() === text && text !== '',
				`sent ${JSON.stringify(request.body)}`,
			);
		must(
			typeof coexistence === 'boolean' && Object.keys(rest).length === 0,
			`sent ${JSON.stringify(request.body)}`,
		);
	},
};
