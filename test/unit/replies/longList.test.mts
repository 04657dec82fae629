import type { WaitingQuestion, WaitMark } from '#nodes/replies/questionMark.ts';
import { markerOf } from '#nodes/replies/questionMark.ts';
import { ReplyRouter } from '#nodes/replies/router.ts';
import { PlayedClock } from '../../support/clocks.mts';
import { CHANNEL } from '../../support/constants.mts';

const marker = markerOf('key');

/** How often the marks of a list are read for the messages of a delivery. */
async function reads(
	questions: number,
	messages: number,
	marks: Partial<WaitMark>,
): Promise<number> {
	let count = 0;
	const mark: WaitMark = {
		executionId: '1',
		key: marker.key,
		recipient: marker.person(CHANNEL, 'ben'),
		deadline: new Date(Date.now() + 60_000).toISOString(),
		wrongAnswers: 0,
		sent: [],
		...marks,
	};
	const list = Array.from({ length: questions }, (_, index): WaitingQuestion => ({
		webhook: { id: `webhook ${index}`, url: '', events: [], status: 'ENABLED' },
		node: { instanceId: 'here' },
		get mark() {
			count += 1;
			return mark;
		},
	}));
	const clock = new PlayedClock();
	const router = new ReplyRouter(clock);
	const fateOf = async (number: number) =>
		await router.fateOf({
			place: { account: 'account', channelId: CHANNEL },
			receiver: 'trigger',
			message: {
				...{ messageId: `message ${number}`, identifier: 'ana', text: 'Hi', author: null, raw: {} },
				written: Date.now(),
			},
			read: async () => ({ questions: list, marker }),
			look: async () => 'alive',
			instanceId: 'here',
			thisN8n: () => ({ instanceId: 'here', resumeStart: undefined }),
			warn: () => {},
			until: clock.now() + 12_000,
		});
	const fates = await Promise.all(
		Array.from({ length: messages }, async (_, at) => await fateOf(at)),
	);
	for (const fate of fates) expect(fate).toMatchObject({ end: expect.any(Function) as unknown });
	return count;
}

const takes = { question: 'asked', takesBareTaps: true, tapsCarryIds: true, messageIds: [null] };

it.each<[string, Partial<WaitMark>]>([
	['for others', { takes }],
	['that are over', { takes, deadline: new Date(0).toISOString() }],
	[
		'for the author, from before whom no words count',
		{
			takes,
			recipient: marker.person(CHANNEL, 'ana'),
			sent: [{ from: Date.now() + 60_000, until: Date.now() + 61_000 }],
		},
	],
])(
	'a list of questions %s is gone through once for all messages of a delivery',
	async (_which, marks) => {
		const once = await reads(2000, 1, marks);
		expect(once).toBeGreaterThanOrEqual(2000);
		expect((await reads(2000, 50, marks)) - once).toBeLessThan(50 * 1000);
		expect(await reads(4000, 1, marks)).toBeLessThan(2.1 * once);
	},
);
