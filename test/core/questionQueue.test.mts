/**
 * Executions of *Send and Wait* that queue for another question, in n8n's own engine. They run
 * while they queue, so few may.
 */
import type { WorkflowExecute } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { type Asked, asking, type Asking, CHANNEL, startAsking } from './harness/asking.mts';

const ANA = '5511999990001';
const LIMIT_MS = 20_000;
const QUEUE_FULL = {
	context: { data: { reason: 'question_waiting' } },
	description: expect.stringContaining(
		'Three executions of this n8n process are in the queue already',
	) as string,
};

let service: Asking;
let count = 0;
beforeEach(async () => {
	service = await startAsking();
});
afterEach(async () => await service.close());

interface Running {
	asked: Promise<Asked>;
	cancel: () => void;
}

/** Starts an execution of its own. */
function start(parameters: IDataObject = {}): Running {
	let engine: WorkflowExecute | undefined;
	const asked = asking(
		service,
		{
			...{ askIn: 'chat', responseType: 'replyInChat', recipient: ANA, message: 'Which size?' },
			whenAnotherWaits: 'queue',
			...parameters,
		},
		{},
		{ executionId: String(++count), onStart: (started) => (engine = started) },
	);
	return {
		asked,
		cancel: () =>
			(engine as unknown as { abortController: AbortController }).abortController.abort(),
	};
}

/** Asks, so that others have to queue, and starts as many as can. */
async function fillQueue(parameters: IDataObject = {}): Promise<Running[]> {
	await start().asked;
	const queued: Running[] = [];
	for (const _place of [1, 2, 3]) {
		const before = service.requests.length;
		queued.push(start(parameters));
		// A second look, so it has a place.
		await until('it to queue', () => service.requests.length >= before + 2, LIMIT_MS);
	}
	return queued;
}

/** @returns the error, if it came at once */
async function refusedAtOnce() {
	const before = Date.now();
	const { error } = await start().asked;
	expect(Date.now() - before).toBeLessThan(2000);
	return error;
}

/** Expects that one place is free, and no more. */
async function expectOnePlace(): Promise<void> {
	const before = service.requests.length;
	const queued = start();
	await until('it to queue', () => service.requests.length >= before + 2, LIMIT_MS);
	expect(await refusedAtOnce()).toMatchObject(QUEUE_FULL);
	queued.cancel();
	await queued.asked;
}

async function leave(queued: readonly Running[]): Promise<void> {
	for (const { cancel } of queued) cancel();
	await Promise.all(queued.map(async ({ asked }) => await asked));
}

test('the fourth that would queue is refused at once, and the others ask in their turn', async () => {
	const queued = await fillQueue();
	expect(await refusedAtOnce()).toMatchObject(QUEUE_FULL);
	expect(service.messages).toHaveLength(1);
	for (const asked of [2, 3, 4]) {
		service.store.of(CHANNEL).splice(0);
		await until('the next to ask', () => service.messages.length === asked, LIMIT_MS);
	}
	for (const { asked } of queued) expect((await asked).run.status).toBe('waiting');
}, 60_000);

test('a place is free again once an execution was cancelled', async () => {
	const [first, ...others] = await fillQueue();
	await leave([first!]);
	await expectOnePlace();
	await leave(others);
}, 60_000);
