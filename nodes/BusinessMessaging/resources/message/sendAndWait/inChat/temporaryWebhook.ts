import type { ThisN8n } from '../../../../owner/address';
import { isOfThisN8n } from '../../../../owner/address';
import type { WaitingQuestion, WaitMark } from '../../../../owner/mark';
import { leftovers } from '../../../../owner/leftovers';
import { readQuestions } from '../../../../owner/lists';
import { isOver, isTaken, WAIT_ATTRIBUTE, writeMark } from '../../../../owner/mark';
import { Turns } from '../../../../shared/turns';
import type { CreateWebhookRequest } from '../../../../service/contract';
import type { WebhookApi } from '../../../../service/webhooks';
import { deleteIfThere } from '../../../../service/webhooks';
import type { Clock } from '../../../../shared/clock';
import type { OwnerMark } from '../../../../shared/ownerMark';
import { OWNER_ATTRIBUTE } from '../../../../shared/ownerMark';

/** The webhook of a question, as it is registered. */
export function describeWebhook(
	url: string,
	description: string,
	owner: OwnerMark,
	mark: WaitMark,
): CreateWebhookRequest {
	return {
		url,
		events: ['MESSAGE_RECEIVED'],
		description,
		signing: true,
		payloadFormat: 'DEFAULT',
		customAttributes: { [OWNER_ATTRIBUTE]: owner, [WAIT_ATTRIBUTE]: writeMark(mark) },
	};
}

/**
 * Whether a temporary webhook may be deleted: it is this n8n's, and it timed out or belongs to an
 * earlier question of this execution. An execution waits for one reply at a time.
 */
export function isLeftover(
	question: WaitingQuestion,
	own: ThisN8n & { executionId?: string },
	now: number,
): boolean {
	if (!isOfThisN8n(question, own)) return false;
	if (isOver(question, now)) return true;
	// Other processes still read what it took.
	return question.mark.executionId === own.executionId && !isTaken(question);
}

/** Milliseconds for which other processes can read what a question took. */
const TAKEN_KEPT = 10_000;

/** One change of a question's webhook at a time, because each writes its whole mark. */
const turns = new Turns();

/** Runs the work once earlier work on the question has ended. */
export const inTurnOf = async <Result>(
	questionId: string,
	work: () => Promise<Result>,
): Promise<Result> => await turns.take(questionId, work);

/**
 * Lets the webhook of an answered question say which message it took, and deletes it later. The
 * service delivers nothing more to it meanwhile, and it counts as gone for everything else.
 */
export async function retire(
	api: WebhookApi,
	{ id, webhookId, deadline }: { id: string; webhookId: string; deadline: string },
	owner: OwnerMark,
	took: { executionId: string; messageId: string },
	clock: Clock,
): Promise<void> {
	const until = Math.min(Date.now() + TAKEN_KEPT, Date.parse(deadline));
	const mark: WaitMark = {
		executionId: took.executionId,
		took: took.messageId,
		recipient: '',
		deadline: new Date(until).toISOString(),
		wrongAnswers: 0,
		sent: [null],
	};
	const customAttributes = { [OWNER_ATTRIBUTE]: owner, [WAIT_ATTRIBUTE]: writeMark(mark) };
	try {
		await inTurnOf(
			id,
			async () =>
				await api.update(webhookId, { status: 'DISABLED', customAttributes }, UPDATE_TIMEOUT),
		);
		await clock.sleep(TAKEN_KEPT);
	} finally {
		await deleteIfThere(api, webhookId);
	}
}

/** Whose leftovers to delete. */
export interface Sweep extends ThisN8n {
	executionId?: string;
	/** Called if a leftover could not be deleted. A later sweep tries again. */
	onStuck: (error: Error) => void;
}

/**
 * Begins to delete the leftovers, for which nobody waits.
 * @returns the questions that still wait, also other n8n's
 */
export async function sweep(
	api: WebhookApi,
	own: Sweep,
	now: () => number,
): Promise<WaitingQuestion[]> {
	const questions = readQuestions(await api.list());
	const isLeft = (question: WaitingQuestion) => isLeftover(question, own, now());
	void leftovers.remove(api, questions.filter(isLeft), own.onStuck);
	return questions.filter((question) => !isLeft(question) && !isTaken(question));
}

/** Milliseconds. */
const UPDATE_TIMEOUT = 5000;
