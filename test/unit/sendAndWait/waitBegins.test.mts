/** When the wait of a question begins, and so when it ends. */
import type { IDataObject } from 'n8n-workflow';

import { sendAndWait } from '#nodes/resources/message/sendAndWait/sendAndWait.operation.ts';
import { createServiceClient } from '#nodes/service/client.ts';
import { markerOf } from '#nodes/replies/questionMark.ts';
import { CHANNEL, SECRET_KEY } from '../../support/constants.mts';
import { askingContext, FakeService, waitingWebhook } from './fakes.mts';

const ANA = '5511900000001';
const LIMIT = 300;
const IN_CHAT = { askIn: 'chat', responseType: 'replyInChat' };
const after = (milliseconds: number) => ({
	limitType: 'afterTimeInterval',
	resumeAmount: milliseconds / 60_000,
	resumeUnit: 'minutes',
});
const at = (time: number) => ({ limitType: 'atSpecifiedTime', maxDateAndTime: time });

let service: FakeService;
beforeEach(() => (service = new FakeService()));
afterEach(() => jest.restoreAllMocks());

/** @returns the node's item, and until when n8n waits */
async function ask(parameters: IDataObject, limit: IDataObject) {
	let waits: Date | undefined;
	const context = askingContext(service, {
		parameters: {
			channelId: CHANNEL,
			recipient: ANA,
			message: 'Which size?',
			options: { limitWaitTime: { values: limit } },
			...parameters,
		},
		more: { putExecutionToWait: async (until: Date) => void (waits = until) },
	});
	const [item] = await sendAndWait.executeAll(context, await createServiceClient(context));
	return { json: item?.json, waits };
}

/** A question to Ana that waits for so many milliseconds. */
const anotherWaits = (deadline: number) =>
	(service.webhooks = [
		waitingWebhook('another', { recipient: markerOf(SECRET_KEY).person(CHANNEL, ANA), deadline }),
	]);

const registered = () =>
	service.requests.flatMap(({ method, path, body }) =>
		method === 'POST' && path.endsWith('/webhooks')
			? [(body as { customAttributes: { n8nWait: { deadline: string } } }).customAttributes.n8nWait]
			: [],
	);

it('a question that was held up waits as long as its limit says, from when its webhook is registered', async () => {
	anotherWaits(2 * LIMIT);
	let registeredAt = 0;
	service.intercept = ({ method, path }) => {
		if (method === 'POST' && path.endsWith('/webhooks')) registeredAt = Date.now();
		return undefined;
	};
	const before = Date.now();
	const { json, waits } = await ask(IN_CHAT, after(LIMIT));
	expect(json).toEqual({ data: { outcome: 'waiting' } });
	expect(registeredAt - before).toBeGreaterThan(LIMIT);
	const [mark] = registered();
	expect(Date.parse(mark?.deadline ?? '') - registeredAt).toBeGreaterThan(LIMIT / 2);
	expect(waits?.toISOString()).toBe(mark?.deadline);
});

it('a question that was held up past its time is not asked', async () => {
	anotherWaits(2 * LIMIT);
	const { json, waits } = await ask(IN_CHAT, at(Date.now() + LIMIT));
	expect(json).toMatchObject({
		error: expect.stringMatching(/^"Max Date and Time" in "Limit Wait Time" has already passed/),
	});
	expect(waits).toBeUndefined();
	expect(registered()).toEqual([]);
	expect(service.messages).toEqual([]);
});

it.each([
	['so long after everybody was asked', after(LIMIT), 60_000 + LIMIT],
	['at its time, even if sending took longer', at(1_000_000_000_100), 100],
])('a wait for a link ends %s', async (_what, limit, end) => {
	let now = 1_000_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	service.intercept = ({ path }) => {
		if (path.endsWith('/messages')) now += 60_000;
		return undefined;
	};
	const { json, waits } = await ask({}, limit);
	expect(json).toEqual({ data: { outcome: 'waiting' } });
	expect(waits?.getTime()).toBe(1_000_000_000_000 + end);
});
