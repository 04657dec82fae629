import type { IExecuteFunctions } from 'n8n-workflow';

import { Claims } from '../../../nodes/BusinessMessaging/delivery/questionOrWorkflow.ts';
import { WhoIsAsked } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/whoIsAsked.ts';
import { channelKeyOf } from '../../../nodes/BusinessMessaging/shared/repliesInChat.ts';
import type { WaitingQuestion } from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { PlayedClock, settled } from '../trigger/playedClock.mts';

const key = { credentialId: 'credential', channelId: 'A'.repeat(32) };

/** A question to these people, as the list has it. It is being sent, so it holds back words. */
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
		recipient: `mark of ${recipient}`,
		approvers: approvers.map((one) => `mark of ${one}`),
		deadline: '2026-01-01T00:00:00Z',
		wrongAnswers: 0,
		sent: [],
	},
});

const markOf = (identifier: string) => `mark of ${identifier}`;
const listOf = (questions: WaitingQuestion[]) => ({ questions, markOf, markOfWords: () => '' });

/** What a process knows, at a time and with a list that the test sets. */
function played() {
	const clock = new PlayedClock();
	const state = { listed: [] as WaitingQuestion[], lists: 0, fails: false };
	const people = new WhoIsAsked(clock, new Claims());
	const read = async () => {
		state.lists += 1;
		if (state.fails) throw new Error('no list');
		return listOf(state.listed);
	};
	let messages = 0;
	const fateOf = async (identifier: string, at = key, get = read) => {
		const message = { messageId: String(++messages), identifier, text: 'Hi', raw: {} };
		const tools = { read: get, check: async () => 'alive' as const, until: Infinity };
		const fate = await people.fateOf(at, message, tools);
		return typeof fate === 'string' ? fate : 'starts';
	};
	return { clock, state, people, fateOf };
}

it('holds back words of the recipient and the approvers of a question that is being sent', async () => {
	const { state, fateOf } = played();
	state.listed = [questionTo('1', 'ana', 'ben')];
	expect(await Promise.all(['ana', 'ben', 'cleo'].map((one) => fateOf(one)))).toEqual([
		'later',
		'later',
		'starts',
	]);
});

it('uses a list for two seconds, for one channel and credential, and asks for one at a time', async () => {
	const { clock, state, fateOf } = played();
	await Promise.all(['ana', 'ben', 'cleo'].map((one) => fateOf(one)));
	await clock.pass(1999);
	await fateOf('ana');
	expect(state.lists).toBe(1);
	await clock.pass(1);
	await fateOf('ana');
	expect(state.lists).toBe(2);
	await fateOf('ana', { ...key, channelId: 'B'.repeat(32) });
	await fateOf('ana', { ...key, credentialId: 'another' });
	expect(state.lists).toBe(4);
	await fateOf('ana', { ...key, channelId: 'a'.repeat(32) });
	expect(state.lists).toBe(4);
});

it('counts a question of this process at once, whatever the list shows or will show', async () => {
	const { clock, people, fateOf } = played();
	const answers: Array<(listed: WaitingQuestion[]) => void> = [];
	const heard = async () =>
		await fateOf('ana', key, async () =>
			listOf(await new Promise<WaitingQuestion[]>((resolve) => answers.push(resolve))),
		);
	const before = heard();
	await settled();
	people.noteAsked(key);
	const after = heard();
	await settled();
	expect(answers).toHaveLength(2);
	answers[0]?.([]);
	expect(await before).toBe('starts');
	const third = heard();
	await settled();
	// It takes part in the request for the second.
	expect(answers).toHaveLength(2);
	answers[1]?.([questionTo('1', 'ana')]);
	expect(await Promise.all([after, third])).toEqual(['later', 'later']);
	await clock.pass(1999);
	expect(await heard()).toBe('later');
});

it('holds back nothing while the list is unavailable, tells only the caller why, and retries after two seconds', async () => {
	const { clock, state, fateOf } = played();
	state.listed = [questionTo('1', 'ana')];
	expect(await fateOf('ana')).toBe('later');
	state.fails = true;
	await clock.pass(2000);
	const results = await Promise.allSettled([fateOf('ana'), fateOf('ana')]);
	expect(results).toEqual([
		{ status: 'rejected', reason: new Error('no list') },
		{ status: 'fulfilled', value: 'starts' },
	]);
	await clock.pass(1999);
	expect(await fateOf('ana')).toBe('starts');
	expect(state.lists).toBe(2);
	state.fails = false;
	await clock.pass(1);
	expect(await fateOf('ana')).toBe('later');
});

it('makes no mark of a writer while no question is open, because every message passes here', async () => {
	const { fateOf } = played();
	let made = 0;
	const counting = () => {
		made += 1;
		return '';
	};
	const read = async () => ({ questions: [], markOf: counting, markOfWords: counting });
	await fateOf('ana', key, read);
	await fateOf('ana', key, read);
	expect(made).toBe(0);
});

it('forgets the channel first that was not used for the longest time', async () => {
	const { state, fateOf } = played();
	const use = async (index: number) =>
		await fateOf('ana', { ...key, channelId: `channel ${index}` });
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

it('limits the questions of each channel', async () => {
	const { state, people, fateOf } = played();
	state.listed = Array.from({ length: 1200 }, (_, index) => questionTo(String(index), `p${index}`));
	await fateOf('ana');
	expect(people.size).toEqual({ channels: 1, questions: 1000 });
});
