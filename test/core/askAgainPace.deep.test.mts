/**
 * Messages that follow a reply keep to the pace and the count of their channel. In n8n's own
 * contexts.
 */
import { performance } from 'node:perf_hooks';

import type { IDataObject } from 'n8n-workflow';

import { until } from '#scripts/until.mts';

import { ANA, ASKED_AGAIN, BEN, CLEO, LATER, WaitingInChat } from './harness/waitingInChat.mts';
import type { FakeResponse } from './harness/webhookStore.mts';

const chat = new WaitingInChat();
/** The service's responses to messages: these first, then it accepts. */
let onMessages: FakeResponse[];
/** When messages arrived, and for whom. */
let sent: Array<{ at: number; to: unknown }>;
beforeEach(() => {
	onMessages = [];
	sent = [];
	chat.service.intercept = ({ path, body }) => {
		if (!path.endsWith('/messages')) return undefined;
		sent.push({ at: performance.now(), to: (body.recipient as IDataObject).identifier });
		return onMessages.shift() ?? chat.onMessage;
	};
});
const slowDown = (seconds: number, status = 429): FakeResponse => ({
	status,
	body: { error: status, message: 'Too many' },
	headers: { 'retry-after': String(seconds) },
});

const question = () => chat.replyQuestion({ choices: ['Small', 'Large'], askAgain: 2 });
const wrong = async (waiting: ReturnType<typeof question>, id = chat.newId()) =>
	await chat.reply(waiting, { text: 'What?', id });
const counted = () => chat.mark().wrongAnswers;

it('asks again at the allowed pace after sixteen wrong replies at once, and one reply goes on', async () => {
	chat.service.delay = ({ method }) => (method === 'GET' ? 150 : 0);
	const waiting = question();
	const received = await Promise.all(Array.from({ length: 16 }, async () => await wrong(waiting)));
	expect(sent).toHaveLength(2);
	expect(received.filter(({ item }) => item !== undefined)).toHaveLength(1);
	expect(received.map(({ body }) => body)).toEqual(
		expect.arrayContaining([ASKED_AGAIN.body, { message: 'Answered' }]),
	);
});

it('asks again only on redelivery while the service paused the channel, and does not count that reply', async () => {
	const waiting = question();
	onMessages = [slowDown(6)];
	const start = performance.now();
	const id = chat.newId();
	// It gets the pause itself, and passes it on.
	expect(await wrong(waiting, id)).toMatchObject(LATER);
	expect(performance.now() - start).toBeLessThan(3000);
	expect([sent.length, counted()]).toEqual([1, 0]);
	// The limiter holds it back for some seconds.
	expect(await wrong(waiting, id)).toMatchObject(LATER);
	expect([sent.length, counted()]).toEqual([1, 0]);
	expect(performance.now() - start).toBeLessThan(6000);
	expect(await wrong(waiting, id)).toMatchObject(ASKED_AGAIN);
	expect([sent.length, counted()]).toEqual([2, 1]);
	expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(5900);
}, 20_000);

it('asks again only if enough of its seconds are left after the list', async () => {
	chat.service.delay = ({ method }) => (method === 'GET' ? 2100 : 0);
	const waiting = question();
	const received = await Promise.all([wrong(waiting), wrong(waiting)]);
	expect(received).toMatchObject([ASKED_AGAIN, LATER]);
	expect([sent.length, counted()]).toEqual([1, 1]);
}, 20_000);

it('holds back the message to the others, and all else on the channel, while the service asks for it', async () => {
	onMessages = [slowDown(1, 503), slowDown(1)];
	const approval = chat.approval({ approvers: [BEN, CLEO], tellOthers: '{name}: {answer}' });
	const { item } = await chat.reply(approval, { text: 'Approve' });
	expect(item).toMatchObject({ data: { approved: true } });
	await until('both to be asked to wait', () => sent.length >= 2, 5000);
	const paused = sent[1]!.at;
	expect(await wrong(question())).toMatchObject(ASKED_AGAIN);
	await until('both others to be told', () => sent.length === 5, 5000);
	expect(sent.map(({ to }) => to).sort()).toEqual([ANA, BEN, BEN, CLEO, CLEO]);
	for (const { at } of sent.slice(2)) expect(at - paused).toBeGreaterThanOrEqual(900);
});
