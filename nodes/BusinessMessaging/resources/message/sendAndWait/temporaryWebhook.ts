import type { CreateWebhookRequest } from '../../../service/contract';
import type { WebhookApi } from '../../../service/webhooks';
import { deleteIfThere } from '../../../service/webhooks';
import type { OwnerMark } from '../../../shared/ownerMark';
import { OWNER_ATTRIBUTE } from '../../../shared/ownerMark';
import type { WaitingQuestion, WaitMark } from '../../../shared/waitingQuestion';
import { isOver, readWaiting, WAIT_ATTRIBUTE } from '../../../shared/waitingQuestion';

/** What is registered for a question. */
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
		customAttributes: { [OWNER_ATTRIBUTE]: owner, [WAIT_ATTRIBUTE]: mark },
	};
}

/**
 * Whether a temporary webhook may be deleted: it is this n8n's, and its time is over, or it was left by an earlier question of this very execution,
 * which can only wait for one reply at a time. Never any other.
 */
export function isLeftover(
	question: WaitingQuestion,
	own: { instanceId: string; executionId?: string },
	now: number,
): boolean {
	if (question.owner.instanceId !== own.instanceId) return false;
	return isOver(question, now) || question.mark.executionId === own.executionId;
}

/** Deletes the leftovers. @returns the questions that still wait, whoever asked them */
export async function sweep(
	api: WebhookApi,
	own: { instanceId: string; executionId?: string },
	now: () => number,
): Promise<WaitingQuestion[]> {
	const questions = (await api.list())
		.map(readWaiting)
		.filter((question) => question !== undefined);
	const waiting: WaitingQuestion[] = [];
	for (const question of questions) {
		if (isLeftover(question, own, now())) await deleteIfThere(api, question.webhook.id);
		else waiting.push(question);
	}
	return waiting;
}
