import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { askAddress, removeGone, thisN8n } from '#nodes/replies/waitingExecution.ts';
import { readWaiting } from '#nodes/replies/questionMark.ts';
import { hostClock } from '#nodes/shared/tools/clock.ts';

const RESUME = 'https://n8n.example.com/webhook-waiting/';
const COPY = RESUME.replace('n8n.', 'copy.');
const NAMED = RESUME.replace('://', '://a:b@');
const FORM = RESUME.replace('webhook-', 'form-');
const own = { instanceId: 'here', resumeStart: RESUME };
const question = (id: string, mark: object = {}, instanceId = 'here', start = RESUME) =>
	readWaiting({
		...{ id, url: `${start}1/node?signature=x`, events: [], status: 'ENABLED' },
		customAttributes: {
			n8n: { instanceId },
			n8nWait: {
				...{ executionId: '1', recipient: 'v2:a', deadline: '2099-01-01T00:00:00.000Z' },
				...{ sent: [null], ...mark },
			},
		},
	})!;

const requesting = (httpRequest: () => Promise<unknown>) =>
	({ helpers: { httpRequest } }) as unknown as IExecuteFunctions;

it.each([
	['whose sending has not ended', question('q', { sent: [] }), own, 'unknown'],
	['if n8n does not tell its address', question('q'), { ...own, resumeStart: undefined }, 'blind'],
	['of another n8n', question('q', {}, 'there'), own, 'elsewhere'],
	['of a copy', question('q', {}, 'here', COPY), own, 'elsewhere'],
	['at an address with a name', question('q', {}, 'here', NAMED), own, 'elsewhere'],
	['at a form', question('q', {}, 'here', FORM), own, 'elsewhere'],
])('makes no request to a question %s', async (_which, asked, by, life) => {
	const request = jest.fn();
	expect(await askAddress(requesting(request), asked, by)).toBe(life);
	expect(request).not.toHaveBeenCalled();
});

it('asks with a time-out of whole milliseconds, and is blind if nothing answers', async () => {
	const request = jest.fn().mockRejectedValue(new Error('connect ECONNREFUSED'));
	expect(await askAddress(requesting(request), question('q'), own, 12.3)).toBe('blind');
	expect(request).toHaveBeenCalledWith(expect.objectContaining({ timeout: 13 }));
});

it('is blind if the answer does not end in time, and reads no endless one', async () => {
	const never = async () => await new Promise(() => {});
	expect(await askAddress(requesting(never), question('q'), own, 20)).toBe('blind');
	const drip = new Readable({ read: () => {} });
	const drips = async () => ({ statusCode: 200, headers: {}, body: drip });
	expect(await askAddress(requesting(drips), question('q'), own, 20)).toBe('blind');
	expect(drip.destroyed).toBe(true);
	const flood = Readable.from({ [Symbol.asyncIterator]: () => ({ next: bytes }) });
	const floods = jest.fn(async () => ({ statusCode: 200, headers: {}, body: flood }));
	expect(await askAddress(requesting(floods), question('q'), own)).toBe('unknown');
	expect(floods).toHaveBeenCalledWith(expect.objectContaining({ encoding: 'stream' }));
});
const bytes = async () => ({ done: false, value: Buffer.alloc(65_536) });

it.each([
	[`http://a.example/base/waiting/42?signature=x`, 'http://a.example/base/waiting/'],
	[`${RESUME}`, RESUME],
	['https://n8n.example.com/42', undefined],
	[undefined, undefined],
])('the resume URL %s begins with %s', (url, resumeStart) => {
	const context = { evaluateExpression: () => url, getInstanceId: () => 'here' };
	expect(thisN8n(context as unknown as IExecuteFunctions)).toEqual({
		instanceId: 'here',
		resumeStart,
	});
});

it('asks five addresses at a time, twice, and deletes what is gone both times', async () => {
	let [asking, most] = [0, 0];
	const looked: string[] = [];
	const clock = { now: () => hostClock.now(), sleep: async () => {} };
	const now = jest.spyOn(clock, 'now').mockReturnValueOnce(0).mockReturnValue(10_000);
	const look = async ({ webhook: { id } }: { webhook: { id: string } }) => {
		most = Math.max(most, ++asking);
		await new Promise(setImmediate);
		asking -= 1;
		looked.push(id);
		const isBack = id === '7' && looked.filter((one) => one === id).length === 2;
		if (Number(id) % 2 && !isBack) return 'gone' as const;
		return id === '8' ? ('unknown' as const) : ('alive' as const);
	};
	const deleted: string[] = [];
	const api = { delete: async (id: string) => void deleted.push(id) };
	const questions = Array.from({ length: 20 }, (_one, index) => question(String(index)));
	const removed = await removeGone(api, questions, look, clock);
	expect(most).toBe(5);
	const odd = questions
		.map(({ webhook }) => webhook.id)
		.filter((id) => Number(id) % 2 && id !== '7');
	expect(deleted.toSorted()).toEqual(odd.toSorted());
	expect(removed).toHaveLength(odd.length);
	expect(now).toHaveBeenCalledTimes(2);
});
