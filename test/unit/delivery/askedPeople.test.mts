import type { IExecuteFunctions } from 'n8n-workflow';

import { AskedPeople, whereOf } from '../../../nodes/BusinessMessaging/delivery/askedPeople.ts';
import type { WaitingQuestion } from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { settled } from '../trigger/playedClock.mts';

const where = { credentialId: 'credential', channelId: 'A'.repeat(32) };

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
	},
});

/** What a process gets from the service. */
const listOf = (questions: WaitingQuestion[]) => ({
	questions,
	marksOf: (identifier: string) => [`mark of ${identifier}`],
});

/** What a process knows, at a time that is told, with a list that is told. */
function played() {
	const state = { now: 0, listed: [] as WaitingQuestion[], lists: 0, fails: false };
	const people = new AskedPeople(() => state.now);
	const read = async () => {
		state.lists += 1;
		if (state.fails) throw new Error('no list');
		return listOf(state.listed);
	};
	const isReply = async (person: string, at = where) => await people.isReply(at, person, read);
	return { state, people, isReply };
}

it('whom a listed question asks replies, recipient or approver, and nobody else does', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana', 'ben')];
	expect(await Promise.all(['ana', 'ben', 'cleo'].map((one) => isReply(one)))).toEqual([
		true,
		true,
		false,
	]);
});

it('a list counts for two seconds, for its channel and credential alone, and is asked for once at a time', async () => {
	const { state, isReply } = played();
	await Promise.all(['ana', 'ben', 'cleo'].map((one) => isReply(one)));
	state.now = 1999;
	await isReply('ana');
	expect(state.lists).toBe(1);
	state.now = 2000;
	await isReply('ana');
	expect(state.lists).toBe(2);
	await isReply('ana', { ...where, channelId: 'B'.repeat(32) });
	await isReply('ana', { ...where, credentialId: 'another' });
	expect(state.lists).toBe(4);
	await isReply('ana', { ...where, channelId: 'a'.repeat(32) });
	expect(state.lists).toBe(4);
});

it('for five seconds after the reply that this process got, what the person writes counts, without a list', async () => {
	const { state, people, isReply } = played();
	state.now = 10_000;
	people.answered(where, '1', ['ana']);
	state.fails = true;
	state.now += 4999;
	expect(await isReply('ana')).toBe(true);
	expect(state.lists).toBe(0);
	state.fails = false;
	expect(await isReply('ben')).toBe(false);
	state.now += 1;
	expect(await isReply('ana')).toBe(false);
});

it('a list from before the reply does not hold it up', async () => {
	const { state, people, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await isReply('ana')).toBe(true);
	people.answered(where, '1', ['ana']);
	state.listed = [];
	state.now = 5000;
	expect(await isReply('ana')).toBe(false);
});

it('for five seconds after a question was seen to wait that another process had answered, what the person writes counts', async () => {
	const { state, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await isReply('ben')).toBe(false);
	state.listed = [];
	state.now = 4999;
	expect(await isReply('ana')).toBe(true);
	state.now = 5000;
	expect(await isReply('ana')).toBe(false);
});

it('and for five seconds after what may have been the reply, but not after what followed it', async () => {
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

it('a question of this process counts at once, whatever was listed or is being listed', async () => {
	const { state, people } = played();
	const answers: Array<(listed: WaitingQuestion[]) => void> = [];
	const isReply = async () =>
		await people.isReply(where, 'ana', async () =>
			listOf(await new Promise<WaitingQuestion[]>((resolve) => answers.push(resolve))),
		);
	const before = isReply();
	await settled();
	people.asked(where);
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

it('while the list cannot be had, nothing is a reply: who asked for it is told why, the others are not, and it is tried again after two seconds', async () => {
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

it('the reply that this process got counts for its five seconds also when the list shows later that the question is over', async () => {
	const { state, people, isReply } = played();
	state.listed = [questionTo('1', 'ana')];
	await isReply('ben');
	state.now = 4000;
	people.answered(where, '1', ['ana']);
	state.listed = [];
	state.now = 8000;
	expect(await isReply('ben')).toBe(false);
	expect(await isReply('ana')).toBe(true);
});

it('a question that is listed again waits on: what may have been the reply counts for five seconds from then', async () => {
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

it('makes no marks of who writes while nobody is asked: every message passes here', async () => {
	const { people } = played();
	let made = 0;
	const marksOf = () => {
		made += 1;
		return [];
	};
	await people.isReply(where, 'ana', async () => ({ questions: [], marksOf }));
	await people.isReply(where, 'ana', async () => ({ questions: [], marksOf }));
	expect(made).toBe(0);
});

it('forgets the channel first that was not used for the longest time', async () => {
	const { state, isReply } = played();
	const use = async (index: number) =>
		await isReply('ana', { ...where, channelId: `channel ${index}` });
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
])('a channel is told by the credential of the node, which may be %s', (_, credentials, id) => {
	const context = { getNode: () => ({ credentials }) } as unknown as IExecuteFunctions;
	expect(whereOf(context, 'channel')).toEqual({ credentialId: id, channelId: 'channel' });
});

it('is bounded in channels, and in questions of each', async () => {
	const { state, people, isReply } = played();
	state.listed = Array.from({ length: 1200 }, (_, index) => questionTo(String(index), `p${index}`));
	await isReply('ana');
	expect(people.size).toEqual({ channels: 1, questions: 1000 });
	for (let index = 0; index < 1200; index += 1) people.answered(where, `over ${index}`, ['ana']);
	expect(people.size.questions).toBe(2000);
	for (let index = 0; index < 600; index += 1)
		people.answered({ ...where, channelId: String(index) }, '1', ['ana']);
	expect(people.size).toEqual({ channels: 500, questions: 500 });
	// What is over is forgotten when the next one is.
	state.now = 5000;
	people.answered({ ...where, channelId: '599' }, '2', ['ana']);
	expect(people.size.questions).toBe(500);
});
