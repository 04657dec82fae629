/**
 * Faults planted for `npm run fuzz`. Each entry point finds its fault, and nothing in right code.
 * The seed is fixed, so every run finds the same.
 */
import fc from 'fast-check';

import { createServiceClient } from '../../../nodes/BusinessMessaging/service/client.ts';
import { asError, ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import type { EntryPoint } from '../../fuzz/entryPoint.mts';
import { foreignTaps, foreignTapsOf, receive } from '../../fuzz/entryPoints/foreignTaps.mts';
import { serviceResponses, serviceResponsesTo } from '../../fuzz/entryPoints/serviceResponses.mts';
import { hiding, hidingBy } from '../../fuzz/entryPoints/hiding.mts';
import { listedTemplates, listedTemplatesOf } from '../../fuzz/entryPoints/listedTemplates.mts';
import { listedWebhooks, listedWebhooksOf } from '../../fuzz/entryPoints/listedWebhooks.mts';
import { people, peopleBy } from '../../fuzz/entryPoints/people.mts';
import { timeOf } from '../../fuzz/entryPoints/time.mts';
import { pumped } from '../../fuzz/pumped.mts';
import type { Reader } from '../../fuzz/readers.mts';
import { expressionsIn } from '../../support/expressions.mts';

/** @returns what the entry point found within this many inputs */
async function found<Input>(
	{ input, check }: EntryPoint<Input>,
	numRuns: number,
): Promise<string | undefined> {
	const property = fc.asyncProperty(input, async (given) => await check(given));
	const { failed, errorInstance } = await fc.check(property, {
		seed: 20,
		numRuns,
		endOnFailure: true,
	});
	return failed ? asError(errorInstance).message : undefined;
}

const expressions = (literal: string) => ({
	readers: [],
	entryPoints: [],
	expressions: expressionsIn('nodes/planted.ts', `text.replace(${literal}, '')`),
});
const reader = (read: Reader['read']) => ({
	readers: [{ name: 'planted', read, worst: [pumped(' ', 'a'), pumped('.')] }],
	entryPoints: [],
	expressions: [],
});

describe('the entry point `time`', () => {
	test.each(['/\\s+$/', '/<[^>]*>/g', '/"(?:[^"]|\\\\")*!/', '/(a+)+b/', '/,.*,.*;/'])(
		'finds the expression %s, which is slower than linear',
		async (literal) =>
			expect(await found(timeOf(expressions(literal)), 400)).toMatch(/characters take/),
	);

	test.each(['/\\s+/g', '/^[.!?]+/u', '/<[^<>]{0,64}>/g', '/\\d{1,12}$/'])(
		'finds nothing in %s, which is linear',
		async (literal) => expect(await found(timeOf(expressions(literal)), 400)).toBeUndefined(),
	);

	test('finds a function whose time grows faster than linear, without any expression', async () => {
		const removeEachFromTheFront = (text: string) => {
			let rest = [...text];
			while (rest[0] === '.') rest = rest.slice(1);
		};
		const slow = await found(timeOf(reader(removeEachFromTheFront)), 100);
		expect(slow).toMatch(/planted: .*characters take/);
	});
});

/** A client that puts more into a failure's words than it should. */
const leaking =
	(leak: (key: string) => string): typeof createServiceClient =>
	async (context) => {
		const client = await createServiceClient(context);
		const { secretKey } = await context.getCredentials('businessMessagingApi');
		const request: typeof client.request = async (wanted) => {
			try {
				return await client.request(wanted);
			} catch (error) {
				if (!(error instanceof ServiceError)) throw error;
				throw new ServiceError(wanted.action, {
					...error.failure,
					cause: `it responded ${leak(String(secretKey))}`,
				});
			}
		};
		return { ...client, request };
	};

describe('the entry point `responses`', () => {
	test.each<[string, (key: string) => string]>([
		['as it is', (key) => key],
		['percent-encoded', encodeURIComponent],
		['in base64, behind a user name', (key) => `Basic ${btoa(`n8n:${key}`)}`],
		['as the name of a field', (key) => JSON.stringify({ [key]: 1 })],
	])('finds the key in an error: %s', async (_name, leak) => {
		expect(await found(serviceResponsesTo(leaking(leak)), 50)).toMatch(/^the secret key shows as /);
	});

	test('finds the key in the result', async () => {
		const giving: typeof createServiceClient = async (context) => {
			const client = await createServiceClient(context);
			const { secretKey } = await context.getCredentials('businessMessagingApi');
			return {
				...client,
				request: async (wanted) =>
					Object.assign(Object((await client.request(wanted)) ?? {}) as never, {
						sent: encodeURIComponent(String(secretKey)),
					}),
			};
		};
		expect(await found(serviceResponsesTo(giving), 2000)).toBe(
			'the secret key shows in what is given',
		);
	});

	test('finds the key in the log', async () => {
		const logging: typeof createServiceClient = async (context) => {
			const { secretKey } = await context.getCredentials('businessMessagingApi');
			context.logger.warn(`asking as ${encodeURIComponent(String(secretKey))}`);
			return await createServiceClient(context);
		};
		expect(await found(serviceResponsesTo(logging), 5)).toBe('the secret key shows in the log');
	});

	test("finds nothing in the nodes' own client", async () =>
		expect(await found(serviceResponses, 5000)).toBeUndefined());
});

describe('the entry point `listed-webhooks`', () => {
	const planted = (give: (url: string) => object) =>
		listedWebhooksOf(async (context) => {
			const { body } = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				'businessMessagingApi',
				{ url: '' },
			)) as { body: Array<{ url?: unknown }> };
			return body.map(({ url }) => ({ ...give(String(url)) }));
		});

	test.each<[string, (url: string) => object]>([
		['but for what comes first', (url) => ({ url: url.replace('?signature=', '?') })],
		['as the name of a field', (url) => ({ [url]: true })],
	])('finds a signature in the items: %s', async (_name, give) =>
		expect(await found(planted(give), 50)).toMatch(/^a signature shows in /),
	);

	test('finds nothing in Webhook → Get Many', async () =>
		expect(await found(listedWebhooks, 5000)).toBeUndefined());
});

describe('the entry point `foreign-taps`', () => {
	/** A receiver that reads a delivery with this change. */
	const reading = (change: (text: string) => string) =>
		foreignTapsOf(
			async (service, body) =>
				await receive(service, JSON.parse(change(JSON.stringify(body))) as typeof body),
		);

	test.each<[string, (text: string) => string]>([
		['a quoted ID', (text) => text.replace(/"(?:context|quoted_message|replyTo)":/g, '"more":')],
		['the number in an ID of another question', (text) => text.replaceAll('q-2', 'q-1')],
	])('finds a question that takes %s', async (_what, change) =>
		expect(await found(reading(change), 500)).toBe('a tap on another message decides'),
	);

	test('finds nothing in a question of Send and Wait', async () =>
		expect(await found(foreignTaps, 500)).toBeUndefined());
});

describe('the entry point `people`', () => {
	test('finds an identifier of the service that is read as a number', async () => {
		const digitsOf = (identifier: string) =>
			identifier.replace(/[\s+().-]/g, '').replace(/^00/, '');
		expect(await found(peopleBy(digitsOf), 50)).toMatch(/ are one person$/);
	});

	test('finds nothing in the right keys', async () =>
		expect(await found(people, 5000)).toBeUndefined());
});

describe('the entry point `hiding`', () => {
	test('finds a search for the secrets as they are', async () => {
		const makeRemover = (secrets: readonly unknown[]) => (text: string) =>
			secrets.reduce<string>((left, secret) => left.replaceAll(String(secret), '[hidden]'), text);
		expect(await found(hidingBy(makeRemover), 50)).toBe('a secret shows in what is quoted');
	});

	test("finds nothing in the nodes' own", async () =>
		expect(await found(hiding, 40)).toBeUndefined());
});

describe('the entry point `listed-templates`', () => {
	const planted = (variables: (text: string) => object[]) =>
		listedTemplatesOf(async (listed) =>
			(listed as Array<{ components: Array<{ text?: string }> }>).map(({ components }) => ({
				variables: variables(components[0]?.text ?? '').map((variable) => ({ ...variable })),
			})),
		);
	const namesIn = (text: string) =>
		[...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
	const splitForEach = (text: string) =>
		namesIn(text)
			.map((name) => ({ id: name, label: text.split(`{{${name}}}`).join('…').slice(0, 24) }))
			.slice(0, 100);

	test('finds that each variable reads the text again', async () => {
		const { check, withText = () => [] } = planted(splitForEach);
		const read = async (text: string) => {
			for (const input of withText(text)) await check(input);
		};
		const again = { name: 'planted', read, worst: [pumped('{{#}}')] };
		expect(
			await found(timeOf({ readers: [again], entryPoints: [], expressions: [] }), 100),
		).toMatch(/planted: .*characters take/);
	});

	test('finds nothing in Template → Get Many', async () =>
		expect(await found(listedTemplates, 2000)).toBeUndefined());
});
