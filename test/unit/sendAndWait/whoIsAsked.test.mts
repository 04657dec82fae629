import type { IExecuteFunctions } from 'n8n-workflow';

import { WhoIsAsked } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/whoIsAsked.ts';
import { channelKeyOf } from '../../../nodes/BusinessMessaging/shared/repliesInChat.ts';
import type { WaitingQuestion } from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { settled } from '../trigger/playedClock.mts';

const key = { credentialId: 'credential', channelId: 'A'.repeat(32) };

/** A question to these people, as the service lists it. */
const questionTo = (id: string, ...[recipient = '', ...approvers]: string[]): WaitingQuestion => ({
	webhook: {
		id,
		url: 'https://n8n.example.com/1',
		events: ['MESSAGE_RECEIVED'],
		status: 'ENABLED',
	},
	owner: {},
	mark: {
		executionId: id,
		recipient,
		approvers,
		deadline: '2026-01-01T00:00:00Z',
		wrongAnswers: 0,
		sent: Array.from({ length: 1 + approvers.length }, () => null),
	},
});

/** What a process gets from the service. */
const listOf = (questions: WaitingQuestion[]) => ({
	questions,
	markOf: (identifier: string) => `mark of ${identifier}`,
});

/** What a process knows, at a time and with a list that the test sets. */
function played() {
	const state = { now: 0, listed: [] as WaitingQuestion[], lists: 0, fails: false };
	const people = new WhoIsAsked(() => state.now);
	const read = async () => {
		state.lists += 1;
		if (state.fails) throw new Error('no list');
		return listOf(state.listed);
	};
	const isReply = async (identifier: string, at = key, written?: number) =>
		await people.isReply(at, { identifier, written }, read);
	return { state, people, isReply };
}

it('counts words of the recipient and the approvers of a listed question, and of nobody else', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana', 'ben')];
	expect(await Promise.all(['ana', 'ben', 'cleo'].map((one) => isReply(one)))).toEqual([
		true,
		true,
		false,
	]);
});

it('uses a list for two seconds, for one channel and credential, and asks for one at a time', async () => {
	const { state, isReply } = played();
	await Promise.all(['ana', 'ben', 'cleo'].map((one) => isReply(one)));
	state.now = 1999;
	await isReply('ana');
	expect(state.lists).toBe(1);
	state.now = 2000;
	await isReply('ana');
	expect(state.lists).toBe(2);
	await isReply('ana', { ...key, channelId: 'B'.repeat(32) });
	await isReply('ana', { ...key, credentialId: 'another' });
	expect(state.lists).toBe(4);
	await isReply('ana', { ...key, channelId: 'a'.repeat(32) });
	expect(state.lists).toBe(4);
});

it("counts the person's words for five seconds after a reply to this process, without a list", async () => {
	const { state, people, isReply } = played();
	state.now = 10_000;
	people.noteReplied(key, '1', [{ name: 'ana' }]);
	state.fails = true;
	state.now += 4999;
	expect(await isReply('ana')).toBe(true);
	expect(state.lists).toBe(0);
	state.fails = false;
	expect(await isReply('ben')).toBe(false);
	state.now += 1;
	expect(await isReply('ana')).toBe(false);
});

it('ignores a list from before the reply', async () => {
	const { state, people, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await isReply('ana')).toBe(true);
	people.noteReplied(key, '1', [{ name: 'ana' }]);
	state.listed = [];
	state.now = 5000;
	expect(await isReply('ana')).toBe(false);
});

it("counts the person's words for five seconds after it saw a question that another process closed", async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await isReply('ben')).toBe(false);
	state.listed = [];
	state.now = 4999;
	expect(await isReply('ana')).toBe(true);
	state.now = 5000;
	expect(await isReply('ana')).toBe(false);
});

it('counts words for five seconds after what may have been the reply, but not after what followed it', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	await isReply('ben');
	state.now = 1900;
	expect(await isReply('ana')).toBe(true);
	state.listed = [];
	for (const [now, expected] of [
		[3000, true],
		[6899, true],
		[6900, false],
	] as const) {
		state.now = now;
		expect({ now, is: await isReply('ana') }).toEqual({ now, is: expected });
	}
});

it('counts a question of this process at once, whatever the list shows or will show', async () => {
	const { state, people } = played();
	const answers: Array<(listed: WaitingQuestion[]) => void> = [];
	const isReply = async () =>
		await people.isReply(key, { identifier: 'ana' }, async () =>
			listOf(await new Promise<WaitingQuestion[]>((resolve) => answers.push(resolve))),
		);
	const before = isReply();
	await settled();
	people.noteAsked(key);
	const after = isReply();
	await settled();
	expect(answers).toHaveLength(2);
	answers[0]?.([]);
	expect(await before).toBe(false);
	const third = isReply();
	await settled();
	// It takes part in the request for the second.
	expect(answers).toHaveLength(2);
	answers[1]?.([questionTo('1', 'ana')]);
	expect(await Promise.all([after, third])).toEqual([true, true]);
	state.now = 1999;
	expect(await isReply()).toBe(true);
});

it('counts nothing while the list is unavailable, tells only the caller why, and retries after two seconds', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await isReply('ana')).toBe(true);
	state.fails = true;
	state.now = 2000;
	const results = await Promise.allSettled([isReply('ana'), isReply('ana')]);
	expect(results).toEqual([
		{ status: 'rejected', reason: new Error('no list') },
		{ status: 'fulfilled', value: false },
	]);
	state.now = 3999;
	expect(await isReply('ana')).toBe(false);
	expect(state.lists).toBe(2);
	state.fails = false;
	state.now = 4000;
	expect(await isReply('ana')).toBe(true);
});

it('counts a reply to this process for its five seconds, even if the list shows later that the question ended', async () => {
	const { state, people, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	await isReply('ben');
	state.now = 4000;
	people.noteReplied(key, '1', [{ name: 'ana' }]);
	state.listed = [];
	state.now = 8000;
	expect(await isReply('ben')).toBe(false);
	expect(await isReply('ana')).toBe(true);
});

it('keeps a question open that the list shows again, and counts from then for five seconds', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	await isReply('ben');
	state.now = 2000;
	await isReply('ben');
	state.now = 3000;
	expect(await isReply('ana')).toBe(true);
	state.listed = [];
	state.now = 7999;
	expect(await isReply('ana')).toBe(true);
	state.now = 8000;
	expect(await isReply('ana')).toBe(false);
});

it("ignores words from before the question, by each person's span or else by the webhook's registration", async () => {
	const { state, isReply } = played();
	const question = questionTo('1', 'ana', 'ben');
	question.webhook.createdAt = '1970-01-01T00:00:01.000+0000';
	question.mark.sent = [{ from: 4000, until: 5000 }, null];
	state.listed = [question];
	const at = async (who: string, written?: number) => await isReply(who, key, written);
	expect([await at('ana', 3999), await at('ana', 4000), await at('ana')]).toEqual([
		false,
		true,
		true,
	]);
	expect([await at('ben', 999), await at('ben', 1000)]).toEqual([false, true]);
});

it("counts words since the webhook's registration if nobody knows when the question was sent", async () => {
	const { state, isReply } = played();
	const question = questionTo('1', 'ana');
	question.webhook.createdAt = '1970-01-01T00:00:01.000+0000';
	state.listed = [question];
	expect([await isReply('ana', key, 999), await isReply('ana', key, 1000)]).toEqual([false, true]);
});

it('ignores words from before the question also in the five seconds after the reply, whoever got it', async () => {
	const { state, people, isReply } = played();
	people.noteReplied(key, '1', [{ name: 'ana', since: 4000 }, { name: 'ben' }]);
	expect([await isReply('ana', key, 3999), await isReply('ana', key, 4000)]).toEqual([false, true]);
	expect(await isReply('ben', key, 1)).toBe(true);
	const question = questionTo('2', 'cleo');
	question.mark.sent = [{ from: 4000, until: 5000 }];
	state.listed = [question];
	state.now = 2000;
	expect(await isReply('cleo', key, 4000)).toBe(true);
	state.listed = [];
	state.now = 4000;
	expect([await isReply('cleo', key, 3999), await isReply('cleo', key, 4000)]).toEqual([
		false,
		true,
	]);
});

it('makes no mark of a writer while no question is open, because every message passes here', async () => {
	const { people } = played();
	let made = 0;
	const markOf = () => {
		made += 1;
		return '';
	};
	await people.isReply(key, { identifier: 'ana' }, async () => ({ questions: [], markOf }));
	await people.isReply(key, { identifier: 'ana' }, async () => ({ questions: [], markOf }));
	expect(made).toBe(0);
});

it('forgets the channel first that was not used for the longest time', async () => {
	const { state, isReply } = played();
	const use = async (index: number) =>
		await isReply('ana', { ...key, channelId: `channel ${index}` });
	for (let index = 0; index < 500; index += 1) await use(index);
	await use(0);
	expect(state.lists).toBe(500);
	await use(500);
	await use(0);
	expect(state.lists).toBe(501);
	await use(1);
	expect(state.lists).toBe(502);
});

it.each([
	['named', { businessMessagingApi: { id: 'c1', name: 'Mine' } }, 'c1'],
	['not saved', { businessMessagingApi: { id: null, name: 'Mine' } }, ''],
	['another', { other: { id: 'c2', name: 'Other' } }, ''],
	['missing', undefined, ''],
])("tells channels apart by the node's credential, which may be %s", (_, credentials, id) => {
	const context = { getNode: () => ({ credentials }) } as unknown as IExecuteFunctions;
	expect(channelKeyOf(context, 'channel')).toEqual({ credentialId: id, channelId: 'channel' });
});

it('limits the channels, and the questions of each', async () => {
	const { state, people, isReply } = played();
	state.listed = Array.from({ length: 1200 }, (_, index) => questionTo(String(index), `p${index}`));
	await isReply('ana');
	expect(people.size).toEqual({ channels: 1, questions: 1000 });
	for (let index = 0; index < 1200; index += 1)
		people.noteReplied(key, `over ${index}`, [{ name: 'ana' }]);
	expect(people.size.questions).toBe(2000);
	for (let index = 0; index < 600; index += 1)
		people.noteReplied({ ...key, channelId: String(index) }, '1', [{ name: 'ana' }]);
	expect(people.size).toEqual({ channels: 500, questions: 500 });
	// What has ended is forgotten when the next one ends.
	state.now = 5000;
	people.noteReplied({ ...key, channelId: '599' }, '2', [{ name: 'ana' }]);
	expect(people.size.questions).toBe(500);
});
