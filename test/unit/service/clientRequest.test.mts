import type { IHttpRequestOptions, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { createServiceClient, type ServiceRequest } from '#nodes/service/client.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';

const CREDENTIAL = { baseUrl: 'https://api.messaging.example/', secretKey: 'sk_1' };
const LIST: ServiceRequest<void> = {
	action: 'list the channels',
	method: 'GET',
	path: ['v1', 'channels'],
};

/** An n8n whose service answers like this. */
function n8nWith(response: { statusCode?: number; body?: unknown } = {}) {
	const sent: Array<{ type: string; options: IHttpRequestOptions; additional: unknown }> = [];
	const getCredentials = jest.fn(async () => CREDENTIAL);
	const said: string[] = [];
	const context = {
		logger: { warn: (words: string) => void said.push(words) },
		getNode: () => ({ name: 'Send' }),
		getWorkflow: () => ({ id: 'w' }),
		getCredentials,
		helpers: {
			httpRequestWithAuthentication: async (
				type: string,
				options: IHttpRequestOptions,
				additional: unknown,
			) => {
				sent.push({ type, options, additional });
				return { statusCode: 200, headers: {}, body: '', ...response };
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, sent, said, reads: () => getCredentials.mock.calls.length };
}

async function failureOf(
	response: { statusCode?: number; body?: unknown },
	request: ServiceRequest<unknown>,
): Promise<ServiceError> {
	const client = await createServiceClient(n8nWith(response).context);
	const requested = client.request(request);
	await expect(requested).rejects.toBeInstanceOf(ServiceError);
	return (await requested.catch((error: unknown) => error)) as ServiceError;
}

describe('the request that n8n sends', () => {
	it('has the method and the encoded path, and throws for no status, follows no redirect and never retries', async () => {
		const { context, sent } = n8nWith();
		const client = await createServiceClient(context);
		await client.request({ ...LIST, path: ['v1', 'channels', 'a/b ?'] });
		expect(sent).toEqual([
			{
				type: 'businessMessagingApi',
				options: {
					method: 'GET',
					url: 'https://api.messaging.example/v1/channels/a%2Fb%20%3F',
					headers: { Accept: 'application/json' },
					timeout: 30_000,
					abortSignal: expect.any(AbortSignal) as unknown,
					encoding: 'stream',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					sendCredentialsOnCrossOriginRedirect: false,
				},
				additional: {
					credentialsDecrypted: {
						id: '',
						name: '',
						type: 'businessMessagingApi',
						data: CREDENTIAL,
					},
				},
			},
		]);
	});

	it('has the body with its type, the query and the timeout in whole milliseconds', async () => {
		const { context, sent } = n8nWith();
		const client = await createServiceClient(context);
		await client.request({
			...{ ...LIST, method: 'POST', body: { a: 1 } },
			...{ query: { offset: 2 }, timeout: 4.5 },
		});
		expect(sent[0]?.options).toMatchObject({
			headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
			body: { a: 1 },
			qs: { offset: 2 },
			timeout: 5,
		});
	});

	it.each(['', '.', '..'])('is not sent for the path segment "%s"', async (segment) => {
		const { context, sent } = n8nWith();
		const client = await createServiceClient(context);
		await expect(client.request({ ...LIST, path: ['v1', segment] })).rejects.toThrow(
			`"${segment}" is not an ID`,
		);
		expect(sent).toEqual([]);
	});
});

it('reads the credential once, or not at all if it is known', async () => {
	const own = n8nWith();
	const client = await createServiceClient(own.context);
	await client.request(LIST);
	await client.request(LIST);
	expect(own.reads()).toBe(1);

	const known = n8nWith();
	const baseUrl = 'https://other.messaging.example';
	const other = await createServiceClient(known.context, { baseUrl, secretKey: 'sk_2' });
	await other.request(LIST);
	expect(known.reads()).toBe(0);
	expect(other.baseUrl).toBe(baseUrl);
	expect(known.sent[0]?.options.url).toBe(`${baseUrl}/v1/channels`);
});

it('identifies an account by the service and the key, without showing the key', async () => {
	const accountOf = async (baseUrl: string, secretKey: string) =>
		(await createServiceClient(n8nWith().context, { baseUrl, secretKey })).account;
	const account = await accountOf('https://a.example', 'sk_1');
	expect(account).toMatch(/^[\w-]{43}$/);
	expect(await accountOf('https://a.example/', 'sk_1')).toBe(account);
	expect(await accountOf('https://b.example', 'sk_1')).not.toBe(account);
	expect(await accountOf('https://a.example', 'sk_2')).not.toBe(account);
});

describe('the response', () => {
	const response = z.object({ channels: z.array(z.object({ id: z.string() })) });

	it.each([200, 201, 204, 299])(
		'with the status %i comes in its parsed form',
		async (statusCode) => {
			const body = { channels: [{ id: '1' }] };
			const client = await createServiceClient(n8nWith({ statusCode, body }).context);
			expect(await client.request({ ...LIST, response })).toEqual(body);
			expect(await client.request(LIST)).toBeUndefined();
		},
	);

	it.each([199, 300, 302])('with the status %i is a failure', async (statusCode) => {
		const error = await failureOf({ statusCode }, LIST);
		expect(error.message).toContain('Could not list the channels');
		expect(error.failure).toMatchObject({ status: statusCode });
	});

	it.each([
		['', 'with an empty body'],
		['Welcome', 'in an unexpected form: the body is "Welcome"'],
		[
			{ channels: [{ id: 1 }] },
			'in an unexpected form: "channels.0.id" is missing or of another type',
		],
	])('of the form %j is reported with what is wrong in it', async (body, words) => {
		const error = await failureOf({ body }, { ...LIST, response });
		expect(error.message).toContain(`the service answered ${words}`);
		expect(error.failure).toMatchObject({
			reason: 'unexpected_response',
			effect: 'unknown',
			status: 200,
			hint: expect.stringContaining('root of the messaging service'),
		});
	});
});

describe('an entry of a list that cannot be read', () => {
	const response = z.array(z.object({ id: z.string(), url: z.string() }));
	const page = z.object({ total: z.number(), content: response });
	const good = { id: 'A', url: 'u' };
	const FORM =
		'The service\'s answer to "list the channels" has entries in an unexpected form, which are left out: ';

	it('is left out, and named in the log once', async () => {
		const bad = [null, { id: 'B\n' }, { url: 'u' }, 7, { id: 8, name: 'sk_1', url: 'u' }, [], []];
		const body = [good, ...bad, good];
		const { context, said } = n8nWith({ body });
		let calls = 0;
		const entries = { onLeftOut: () => (calls += 1) };
		for (let times = 1; times <= 2; times += 1) {
			const client = await createServiceClient(context);
			expect(await client.request({ ...LIST, response, entries })).toEqual([good, good]);
			expect(calls).toBe(times);
		}
		const named = '"" of entry 2, "url" of "B", "id" of entry 4, "" of entry 5, "id" of "[hidden]"';
		expect(said).toEqual([`${FORM}${named} and 2 more is missing or of another type`]);
	});

	it('is left out of a page, even if there is no other', async () => {
		const { context, said } = n8nWith({ body: { total: 1, content: [{ id: 'C' }] } });
		const client = await createServiceClient(context);
		const entries = { field: 'content' };
		const read = await client.request({ ...LIST, response: page, entries });
		expect(read).toEqual({ total: 1, content: [] });
		expect(said).toEqual([`${FORM}"url" of "C" is missing or of another type`]);
	});

	it.each([
		[{ content: [{ id: 'C' }] }, '"total" is missing'],
		[{ total: 1, content: {} }, '"content" is missing'],
		[[{ id: 'C' }], 'the body is "a JSON list"'],
		['', 'an empty body'],
	])('hides no other fault of the response: %j', async (body, words) => {
		const entries = { field: 'content' };
		const error = await failureOf({ body }, { ...LIST, response: page, entries });
		expect(error.message).toContain(words);
		const whole = await failureOf({ body: { total: 1 } }, { ...LIST, response, entries: {} });
		expect(whole.message).toContain('a JSON object with the fields total');
	});
});
