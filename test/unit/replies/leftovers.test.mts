import { Leftovers } from '#nodes/replies/leftovers.ts';
import { listReader } from '#nodes/replies/waitingLists.ts';
import type { WaitingQuestion } from '#nodes/replies/questionMark.ts';
import { webhookApi } from '#nodes/service/webhooks.ts';
import type { ServiceClient } from '#nodes/service/client.ts';
import { PlayedClock, settled } from '../../support/clocks.mts';
import { failed } from '../trigger/registration/webhookList.mts';
import { CHANNEL } from '../../support/constants.mts';

const questions = (count: number): WaitingQuestion[] =>
	Array.from({ length: count }, (_, index) => ({
		webhook: { id: `webhook ${index}`, url: '', events: [], status: 'ENABLED' },
		node: {},
		mark: {
			executionId: '1',
			recipient: '',
			deadline: new Date(0).toISOString(),
			wrongAnswers: 0,
			sent: [],
		},
	}));

/** Deletions that end as the test says. */
function played(answer: (id: string) => Promise<void> = async () => {}) {
	const clock = new PlayedClock();
	const leftovers = new Leftovers(clock);
	const asked: string[] = [];
	const stuck: string[] = [];
	let open = 0;
	let mostOpen = 0;
	const read = (list: readonly WaitingQuestion[], place = 'here') =>
		void leftovers.remove(
			{
				place,
				delete: async (id) => {
					asked.push(id);
					mostOpen = Math.max(mostOpen, ++open);
					await answer(id).finally(() => (open -= 1));
				},
			},
			list,
			({ message }) => void stuck.push(message),
		);
	return { clock, asked, stuck, read, mostOpen: () => mostOpen };
}
const never = async () => await new Promise<void>(() => {});

it('has five requests open, however often a list of 2,000 is read and nothing is answered', async () => {
	const { asked, read, mostOpen } = played(never);
	for (let reading = 0; reading < 3; reading += 1) {
		read(questions(2000));
		await settled();
	}
	expect([asked.length, mostOpen()]).toEqual([5, 5]);
	read(questions(7), 'another channel');
	expect(asked).toHaveLength(10);
});

it('deletes fifty after a reading, five at a time, and each once, though the list shows it again', async () => {
	const { clock, asked, read, mostOpen } = played(async () => await settled());
	const counts: number[] = [];
	for (let reading = 0; reading < 4; reading += 1) {
		read(questions(120));
		while (asked.length < Math.min(120, 50 * (reading + 1))) await settled();
		await settled();
		counts.push(asked.length);
		await clock.pass(3_600_000);
	}
	expect(counts).toEqual([50, 100, 120, 120]);
	expect([new Set(asked).size, mostOpen()]).toEqual([120, 5]);
});

it('takes a webhook that is gone for deleted', async () => {
	const { asked, stuck, read } = played(async () => await Promise.reject(failed('not_found')));
	read(questions(20));
	await settled();
	expect([asked.length, stuck]).toEqual([20, []]);
	// A list that shows only these keeps back nothing.
	read(questions(20));
	read(questions(21));
	await settled();
	expect(asked).toHaveLength(21);
});

it('pauses for a minute after a refusal, and then turns to others first', async () => {
	const { clock, asked, stuck, read } = played(
		async () => await Promise.reject(failed('rate_limited')),
	);
	const minute = async () => {
		for (let second = 0; second < 60; second += 2) {
			read(questions(300));
			await clock.pass(2000);
		}
	};
	await minute();
	expect([asked.length, stuck.length]).toEqual([5, 1]);
	await minute();
	expect(new Set(asked).size).toBe(10);
	for (let time = 0; time < 58; time += 1) await minute();
	expect(asked).toHaveLength(300);
	// Each has another turn after ten minutes.
	expect(new Set(asked).size).toBeGreaterThan(40);
	expect(new Set(asked).size).toBeLessThan(60);
});

it('asks n8n once where its questions are, however many of a list are over', async () => {
	const marked = questions(300).map(({ webhook, mark }) => ({
		...webhook,
		customAttributes: { n8n: { instanceId: 'another' }, n8nWait: mark },
	}));
	const request = async () => marked;
	const client = { account: 'account', request } as unknown as ServiceClient;
	const own = jest.fn(() => ({ instanceId: 'here', resumeStart: undefined }));
	const api = webhookApi(client, { kind: 'channel', channelId: CHANNEL });
	await listReader(api, 'key', own)(1000);
	expect(own).toHaveBeenCalledTimes(1);
});
