import type { ServiceClient } from '#nodes/service/client.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';
import { patientClient } from '#nodes/shared/tools/patientClient.ts';

const refusal = (retryAfter?: number) =>
	new ServiceError('list the channels', {
		...{ reason: 'rate_limited', effect: 'none', cause: 'the service asks to slow down' },
		...{ hint: 'Try again later.', status: 429 },
		...(retryAfter === undefined ? {} : { retryAfter }),
	});

/** @param answers of the service in order, then it accepts each request */
function clientWith(answers: Error[], most = 60_000) {
	const left = [...answers];
	const slept: number[] = [];
	const clock = { now: () => 0, sleep: async (wait: number) => void slept.push(wait) };
	const request = async () => {
		const answer = left.shift();
		if (answer !== undefined) throw answer;
		return 'listed';
	};
	const client = { account: 'a', request } as unknown as ServiceClient;
	const patient = patientClient(client, { most, clock, timeZone: () => 'UTC' });
	const list = async () =>
		await patient.request({ action: 'list the channels', method: 'GET', path: [] });
	return { list, slept };
}

test('waits as long as the service asks, three times over all requests of a list', async () => {
	const three = clientWith([refusal(5000), refusal(0), refusal(7000)]);
	expect(await three.list()).toBe('listed');
	expect(await three.list()).toBe('listed');
	expect(three.slept).toEqual([5000, 0, 7000]);
	const four = clientWith([refusal(5000), refusal(0), refusal(7000), refusal(1000)]);
	await expect(four.list()).rejects.toMatchObject({
		message: expect.stringMatching(
			/^Could not list the channels: the service asks to slow down, until \d\d:\d\d$/,
		),
		hint: expect.stringMatching(
			/^Try again after \d\d:\d\d\. The node waited 3 times, 12 s in all\.$/,
		),
		failure: { retryAfter: 1000, retryAt: expect.stringMatching(/Z$/) },
	});
});

test.each<[number, number[], number[]]>([
	[60_000, [30_000, 30_000], [30_000, 30_000]],
	[60_000, [30_000, 30_001], [30_000]],
	[60_000, [60_001], []],
	[5000, [5001], []],
	[60_000, [Number.MAX_SAFE_INTEGER], []],
])('waits at most %i ms together: %j', async (most, asked, slept) => {
	const client = clientWith(asked.map(refusal), most);
	const isWithin = slept.length === asked.length;
	if (isWithin) expect(await client.list()).toBe('listed');
	else await expect(client.list()).rejects.toMatchObject({ reason: 'rate_limited' });
	expect(client.slept).toEqual(slept);
});

test('does not wait if the service does not say how long, nor for other errors', async () => {
	for (const error of [refusal(), new Error('no')]) {
		const client = clientWith([error]);
		await expect(client.list()).rejects.toBe(error);
		expect(client.slept).toEqual([]);
	}
});
