import { Readable } from 'node:stream';

import { ANSWER_MAX, resultOf, withBody } from '#nodes/service/exchange.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';
import { webhookListSchema } from '#nodes/service/contract/index.ts';

const listed = (body: unknown, warn = jest.fn()) =>
	resultOf(
		{
			...{ action: 'list the webhooks', method: 'GET' as const, path: ['v1', 'webhooks'] },
			...{ response: webhookListSchema, entries: {} },
		},
		{ statusCode: 200, headers: {}, body },
		[],
		warn,
	);
/** An entry without its fields, which counts how often it was read. */
const unreadable = () => {
	const seen = { times: 0 };
	const entry = Object.defineProperty({}, 'id', { get: () => void (seen.times += 1) });
	return { seen, entry };
};

it('gives up on a response with thousands of faults, because each takes time', () => {
	const { seen, entry } = unreadable();
	expect(() => listed(Array<unknown>(20_000).fill(entry))).toThrow(ServiceError);
	expect(seen.times).toBeLessThan(1000);
	const events = Array<unknown>(20_000).fill(0);
	const last = { get: () => void (seen.times += 1) };
	seen.times = 0;
	listed([{ events: Object.defineProperty(events, 19_999, last) }]);
	expect(seen.times).toBeLessThan(10);
});

it('reads hardly anything of a response that says it is too long', async () => {
	let chunks = 0;
	const body = new Readable({
		read() {
			chunks += 1;
			this.push(Buffer.alloc(1000));
		},
	});
	const headers = { 'content-length': String(ANSWER_MAX + 1) };
	const { signal } = new AbortController();
	await expect(withBody('list', { statusCode: 200, headers, body }, signal)).rejects.toThrow(
		'8 MB',
	);
	expect(chunks).toBeLessThan(100);
});
