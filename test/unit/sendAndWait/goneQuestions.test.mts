import { setImmediate } from 'node:timers/promises';

import { removeGone } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/goneQuestions.ts';
import type { WaitingQuestion } from '../../../nodes/BusinessMessaging/shared/waitingQuestion.ts';

it('asks the addresses of many questions five at a time, in both looks', async () => {
	const questions = Array.from({ length: 300 }, (_, at) => ({
		webhook: { id: String(at) },
		mark: { sent: [null] },
	})) as unknown as WaitingQuestion[];
	const deleted: string[] = [];
	const api = { delete: async (id: string) => void deleted.push(id) };
	let [now, atOnce, most, looks] = [0, 0, 0, 0];
	const look = async ({ webhook }: WaitingQuestion) => {
		looks += 1;
		most = Math.max(most, ++atOnce);
		await setImmediate();
		atOnce -= 1;
		return Number(webhook.id) % 2 === 0 ? ('gone' as const) : ('alive' as const);
	};
	const sleep = async (milliseconds: number) => void (now += milliseconds);
	const found = await removeGone(api, questions, look, { now: () => now, sleep });
	expect([most, looks, found.length]).toEqual([5, 450, 150]);
	expect(deleted).toEqual(questions.map(({ webhook }) => webhook.id).filter((id) => +id % 2 === 0));
});
