import type { WebhookApi } from '../../../../service/webhooks';
import { deleteIfThere } from '../../../../service/webhooks';
import type { Clock } from '../../../../shared/clock';
import { fewAtATime } from '../../../../shared/remembered';
import type { Verdict } from '../../../../shared/questionAddress';
import type { WaitingQuestion } from '../../../../shared/waitingQuestion';
import { isBeingSent } from '../../../../shared/waitingQuestion';

/** Milliseconds between the two looks of which both must say that nobody waits. */
export const SECOND_LOOK = 10_000;

/** Asks a question's own address whether anybody waits there. Never rejects. */
export type Look = (question: WaitingQuestion) => Promise<Verdict>;

/**
 * Finds out which questions wait for nobody, because their executions were stopped or deleted, and
 * deletes their webhooks. Both looks must say so.
 * @returns those that were deleted
 */
export async function removeGone(
	api: Pick<WebhookApi, 'delete'>,
	questions: readonly WaitingQuestion[],
	look: Look,
	clock: Clock,
): Promise<WaitingQuestion[]> {
	const suspects = await gone(questions, look);
	if (suspects.length === 0) return [];
	const until = clock.now() + SECOND_LOOK;
	await clock.sleep(SECOND_LOOK);
	// Cancelled.
	if (clock.now() < until) return [];
	const found = await gone(suspects, look);
	for (const { webhook } of found) await deleteIfThere(api, webhook.id);
	return found;
}

async function gone(questions: readonly WaitingQuestion[], look: Look): Promise<WaitingQuestion[]> {
	const verdicts = await fewAtATime(questions, async (question) =>
		isBeingSent(question) ? 'unknown' : await look(question),
	);
	return questions.filter((_question, index) => verdicts[index] === 'gone');
}
