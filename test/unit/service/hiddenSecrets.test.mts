/** Whatever the secrets are: no error, output or log shows one, nor takes long to leave it out. */
import fc from 'fast-check';

import { connectChannel } from '#nodes/service/channels.ts';
import { createServiceClient, type ServiceContext } from '#nodes/service/client.ts';
import { asError, toNodeError } from '#nodes/service/errors/index.ts';
import { excerptOf, quoteOf } from '#nodes/service/errors/serviceMessage.ts';
import { secretRemover } from '#nodes/service/secrets.ts';
import { failedItem } from '#nodes/shared/node/items.ts';
import { NODE, nodeContext } from '../../support/context.mts';
import { echoesOf, shownForm, toldBy } from '../../support/secrets.mts';
import { leastTime } from '../../support/timing.mts';
import { runs } from '../../support/runs.mts';

const KEY = 'sk_that+must/not=show';

const anySecret = fc.oneof(
	fc.string({ minLength: 8, maxLength: 60 }),
	fc
		.string({ unit: 'binary', minLength: 8, maxLength: 40 })
		.map((text) => Buffer.from(text).toString()),
	fc.string({ unit: fc.constantFrom(...'.*+?^${}()|[]\\/%&;u0'), minLength: 8, maxLength: 60 }),
	fc
		.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.integer({ min: 8, max: 300 }))
		.map(([part, times]) => part.repeat(times)),
	fc.constantFrom('x'.repeat(15_000), '%'.repeat(9000), '\\'.repeat(16), '&amp;'.repeat(9)),
);

test('hides secrets of every kind, however many and long, in every usual writing', () => {
	const key = fc.string({
		minLength: 12,
		maxLength: 40,
		unit: fc.constantFrom(...'skLIVE7_-+/=?'),
	});
	const long = anySecret.filter((text) => text.trim().length >= 8);
	const short = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { maxLength: 9 });
	fc.assert(
		fc.property(
			...([key, fc.array(long, { maxLength: 2 }), short] as const),
			...([fc.constantFrom('', 'Wrong: ', 'é "', '<p>'), fc.constantFrom('', '.', '" ü')] as const),
			(secretKey, secrets, words, before, after) => {
				const all = [secretKey, ...secrets];
				const remove = secretRemover([...words, ...all]);
				for (const secret of all)
					for (const echo of [...echoesOf(secret), JSON.stringify(secret)]) {
						const text = `${before}${echo}${after}`;
						const left = [remove(text), quoteOf(text, remove), excerptOf({ [text]: 1 }, remove)];
						expect(shownForm(left, secret, secretKey)).toBeUndefined();
					}
			},
		),
		{ numRuns: runs(40) },
	);
}, 60_000);

test('hides a secret that has encodings of its own, encoded character by character', () => {
	const encode: Array<(sign: string) => string> = [
		(sign) => sign,
		(sign) => encodeURIComponent(sign),
		(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
		(sign) => `&#${sign.charCodeAt(0)};`,
		(sign) => `&#X${sign.charCodeAt(0).toString(16)};`,
	];
	const sign = fc.constantFrom(...'abz019%\\&#;u+/-_"<=ü');
	const secret = fc.string({ unit: sign, minLength: 12, maxLength: 40 });
	fc.assert(
		fc.property(
			secret.filter((text) => new Set(text.replace(/\W/g, '')).size > 3),
			fc.infiniteStream(fc.constantFrom(...encode)),
			(text, writings) => {
				const written = Array.from(text, (one) =>
					(writings.next().value as (sign: string) => string)(one),
				).join('');
				expect(secretRemover([text])(`key: ${written}, end`)).toMatch(
					/^key: \[hidden\].{0,4}, end$/,
				);
			},
		),
		{ numRuns: runs(500) },
	);
});

describe('the time', () => {
	const numbered = (count: number, before = '') =>
		Array.from({ length: count }, (_, at) => `${before}${at.toString(36)}`);
	const worked = async (secrets: string[], piece: string, length: number) => {
		const text = piece.repeat(length / piece.length);
		return (await leastTime(() => secretRemover(secrets)(text), text)).worked;
	};

	// Texts that nearly have the secret everywhere. Ten times, where it grows by squares, is 100.
	test.each<[string, string[], string]>([
		['one secret of 15,000 characters', [`${'a'.repeat(15_000)}b`], 'a'],
		['one that begins unlike the text', [`b${'a'.repeat(15_000)}`], 'a'],
		['one of escapes', ['\\/'.repeat(20) + '%25'.repeat(20)], '\\\\/%2525&amp;amp;'],
		['300 short ones', numbered(300), 'a'],
		['starts that were cut off', numbered(100, 'secret-key-0'), 'secret-key-0 …'],
	])('grows as the text does: %s', async (_name, secrets, piece) => {
		const once = await worked(secrets, piece, 10_000);
		expect(await worked(secrets, piece, 100_000)).toBeLessThan(30 * once + 40);
	});

	test.each(['', 'secret-key-0'])('grows as their number does: %j', async (before) => {
		const once = await worked(numbered(100, before), 'secret-key-0 …', 20_000);
		expect(await worked(numbered(1000, before), 'secret-key-0 …', 20_000)).toBeLessThan(
			30 * once + 40,
		);
	});
});

/** Connects with these values. What n8n shows and keeps of the failure. */
async function failureOf(code: string, statusCode: number, body: unknown) {
	const credential = { secretKey: KEY, webhookSecret: 'HOOK_SECRET' };
	const context = nodeContext<ServiceContext>(() => ({ statusCode, body }), { credential });
	const client = await createServiceClient(context);
	const data = { wabaId: '1', phoneId: '2', code, coexistence: false };
	const error: unknown = await connectChannel(client, 'A'.repeat(32), data).catch(
		(thrown: unknown) => thrown,
	);
	const nodeError = toNodeError(NODE, error);
	return { message: nodeError.message, all: [toldBy(nodeError), failedItem(error, 0)] };
}

describe('of the response to Connect', () => {
	test('a code of 15,000 characters leaves nothing of itself or the key in the error', async () => {
		const code = 'x'.repeat(15_000);
		for (const said of ['The code is not valid', code, KEY, `${KEY}${code}`])
			for (const body of [{ error: 400, message: said }, said, { [said]: said }]) {
				const { all } = await failureOf(code, 400, body);
				expect(shownForm(all, KEY, code)).toBeUndefined();
				expect(JSON.stringify(all)).not.toContain('not valid');
				expect(JSON.stringify(all).length).toBeLessThan(20_000);
			}
	});

	const REFUSED = 'the service did not accept the request (status 400';
	const NOT_ALLOWED = 'the account does not allow requests from the address of this n8n';
	test.each<[unknown, string]>([
		[{ error: 400, message: 'INVALID_CODE: the c-o-d-e is bad' }, `${REFUSED}, INVALID_CODE)`],
		[{ error: 'EXPIRED' }, `${REFUSED}, EXPIRED)`],
		[{ error: 'The CODE is bad' }, `${REFUSED})`],
		[{ error: 'MY_OWN_CODE' }, `${REFUSED})`],
		[{ error: 'OWN_CODE: NOT_MY_OWN_CODE' }, `${REFUSED})`],
		[{ error: 'HOOK_SECRET' }, `${REFUSED})`],
		[{ error: 'ip not allowed' }, NOT_ALLOWED],
		[{ error: '203.0.113.10 not allowed' }, NOT_ALLOWED],
		[{ error: 'Authorization invalid' }, 'the service refused the secret key'],
		['<p>Bad Gateway</p>', `${REFUSED})`],
	])('%j quotes only status and codes', async (body, cause) => {
		expect((await failureOf('My_Own_Code', 400, body)).message).toBe(
			`Could not connect the channel: ${cause}`,
		);
	});
});

describe('what is thrown while an error is made', () => {
	const FAILED = 'Something in the node failed that should not fail';

	test('of V8 or zod, which quote what they read, is a fixed sentence', () => {
		for (const name of ['SyntaxError', 'RangeError', 'URIError', 'ZodError']) {
			const thrown = Object.assign(new Error(`Invalid regular expression: /${KEY}/`), { name });
			expect(asError(thrown).message).toBe(`${FAILED} (${name})`);
			const all = [toldBy(toNodeError(NODE, thrown)), failedItem(thrown, 0)];
			expect(shownForm(all, KEY)).toBeUndefined();
		}
	});

	test('is a fixed sentence where it cannot be told', () => {
		const untold = { toString: () => asError(KEY) };
		expect(asError(untold).message).toBe(FAILED);
		expect(asError(Object.create(null)).message).not.toContain('object');
		expect(asError('words').message).toBe('words');
	});

	test('quotes nothing of the response that caused it', async () => {
		const get = () => {
			throw new Error(KEY);
		};
		const body = new Proxy({}, { get });
		const { message, all } = await failureOf('c', 400, body);
		expect(message).toBe(
			'Could not connect the channel: the response of the service could not be read',
		);
		expect(shownForm(all, KEY)).toBeUndefined();
	});
});

test('a long secret is hidden before a quote is cut', () => {
	const secret = `${'ab'.repeat(7500)}-end`;
	expect(quoteOf(`Not allowed: ${secret}.`, secretRemover([secret]))).toBe(
		'Not allowed: [hidden].',
	);
});
