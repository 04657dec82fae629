/** What others can make the trigger do while a question waits: how long, how often, about whom. */
import type { Life } from '#nodes/replies/waitingExecution.ts';
import { type Delivered, ReplyRouter } from '#nodes/replies/router.ts';
import type { WaitingList } from '#nodes/replies/waitingLists.ts';
import { markerOf, type WaitingQuestion } from '#nodes/replies/questionMark.ts';
import { PlayedClock, playTimeouts } from '../../support/clocks.mts';
import { CHANNEL } from '../../support/constants.mts';

const place = { account: 'account', channelId: CHANNEL };
const RESUME = 'https://n8n.example.com/webhook-waiting/';
const marker = markerOf('key');

/** A Reply in Chat to Ana. */
const question = (id = 'asked'): WaitingQuestion => ({
	webhook: {
		id: `webhook of ${id}`,
		url: `${RESUME}1/node`,
		events: ['MESSAGE_RECEIVED'],
		status: 'ENABLED',
	},
	node: { instanceId: 'here' },
	mark: {
		executionId: '1',
		key: marker.key,
		takes: { question: id, takesBareTaps: true, tapsCarryIds: true, messageIds: [null] },
		recipient: marker.person(place.channelId, 'ana'),
		deadline: new Date(Date.now() + 3_600_000).toISOString(),
		wrongAnswers: 0,
		sent: [{ from: 1, until: 2 }],
	},
});

afterEach(() => jest.restoreAllMocks());

function played(listTakes: number, life: Life = 'alive', lookTakes = 0) {
	const clock = new PlayedClock(0.37);
	playTimeouts(clock);
	const router = new ReplyRouter(clock);
	let running = 0;
	const seen = { life, most: 0, warnings: [] as string[] };
	const read = async (timeout: number): Promise<WaitingList> => {
		await clock.sleep(Math.min(listTakes, timeout));
		if (listTakes > timeout) throw new Error('no list');
		return { questions: [question()], marker };
	};
	const look = async (_question: WaitingQuestion, timeout: number): Promise<Life> => {
		seen.most = Math.max(seen.most, (running += 1));
		await clock.sleep(Math.min(lookTakes, timeout));
		running -= 1;
		return lookTakes > timeout ? 'blind' : seen.life;
	};
	const deliver = async (messageId: string, tapped?: string, at = place, receiver = 'one') => {
		const came = clock.now();
		const words = { type: 'TEXT', message: 'Hello' };
		const tap = { type: 'INTERACTIVE_BUTTON', id: `n8n-question:${tapped}:1` };
		const delivered: Delivered = {
			place: at,
			receiver,
			message: {
				messageId,
				identifier: 'ana',
				text: 'Hello',
				author: null,
				written: 3,
				raw: { contents: [tapped === undefined ? words : tap] },
			},
			read,
			look,
			instanceId: 'here',
			thisN8n: () => ({ instanceId: 'here', resumeStart: RESUME }),
			warn: (words) => seen.warnings.push(words),
			until: came + 12_000,
		};
		const fate = await router.fateOf(delivered);
		return { fate: typeof fate === 'string' ? fate : 'starts', took: clock.now() - came };
	};
	return { clock, router, seen, deliver };
}

it('all waits of a delivery end after twelve seconds, however slow the lists, whoever reads them', async () => {
	const { clock, deliver } = played(4900);
	const all: Array<ReturnType<typeof deliver>> = [];
	for (let index = 0; index < 20; index += 1) {
		all.push(deliver(`message ${index}`, index % 3 === 0 ? 'asked' : undefined));
		await clock.pass(700);
	}
	await clock.pass(60_000);
	const longest = Math.max(...(await Promise.all(all)).map(({ took }) => took));
	expect(longest).toBeLessThan(12_002);
});

it('a delivery whose time is over leaves the others their list', async () => {
	const { clock, deliver } = played(4000);
	const first = deliver('first');
	await clock.pass(12_100);
	const second = deliver('second');
	await clock.pass(60_000);
	await first;
	// It would start the workflow, if the list could not be read.
	expect(await second).toMatchObject({ fate: 'later' });
});

it('the shortage of a delivery does not count as an address that cannot be asked', async () => {
	const { clock, deliver, seen } = played(4000, 'alive', 100);
	for (const message of ['first', 'second', 'third']) {
		void deliver(message);
		await clock.pass(60_000);
	}
	expect(seen).toMatchObject({ warnings: [] });
});

it('an address that could not be asked for words of two deliveries counts twice, and for a tap not', async () => {
	const { clock, deliver, seen } = played(0, 'blind');
	const tap = deliver('tap', 'asked');
	await clock.pass(1000);
	const first = deliver('words');
	await clock.pass(1000);
	const second = deliver('words', undefined, place, 'two');
	await clock.pass(60_000);
	const fates = (await Promise.all([tap, first, second])).map(({ fate }) => fate);
	expect(fates).toEqual(['taken', 'later', 'starts']);
	expect(seen.warnings).toHaveLength(1);
});

it('asks at most five addresses at a time', async () => {
	const { clock, deliver, seen } = played(0, 'alive', 100);
	const taps = Array.from({ length: 40 }, (_none, index) => `tap ${index}`);
	const all = taps.map(async (tap) => await deliver(tap, 'asked'));
	await clock.pass(60_000);
	await Promise.all(all);
	expect(seen.most).toBeLessThanOrEqual(5);
});

it('each of several triggers gives a question the two redeliveries', async () => {
	const { clock, deliver } = played(0);
	const fates: string[][] = [];
	for (let time = 0; time < 3; time += 1) {
		const all = ['one', 'two', 'three'].map(
			async (receiver) => await deliver('message', undefined, place, receiver),
		);
		await clock.pass(20_000);
		fates.push((await Promise.all(all)).map(({ fate }) => fate));
	}
	expect(fates.map((all) => new Set(all))).toEqual(
		['later', 'later', 'starts'].map((fate) => new Set([fate])),
	);
});

it('what another account says of a question with the same ID changes nothing', async () => {
	const other = { ...place, account: 'another' };
	const { clock, deliver, router, seen } = played(0, 'gone');
	const theirs = deliver('theirs', undefined, other);
	await clock.pass(20_000);
	expect(await theirs).toMatchObject({ fate: 'starts' });
	seen.life = 'alive';
	const ours = deliver('ours');
	await clock.pass(20_000);
	expect(await ours).toMatchObject({ fate: 'later' });
	router.noteAnswered(other, 'asked', 'theirs');
	expect([other, place].map((at) => router.isAnswered(at, 'asked'))).toEqual([true, false]);
});

it.each([
	['asked', 'taken'],
	['ASKED', 'starts'],
])('a tap with the ID %s of the question "asked": %s', async (id, fate) => {
	const { clock, deliver } = played(0);
	const tapped = deliver('message', id);
	await clock.pass(20_000);
	expect(await tapped).toMatchObject({ fate });
});
