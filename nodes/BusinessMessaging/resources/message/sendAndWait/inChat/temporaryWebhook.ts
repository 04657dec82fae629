import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { isOfThisN8n, thisN8n, type ThisN8n } from '../../../../replies/waitingExecution';
import { leftovers } from '../../../../replies/leftovers';
import { readQuestions } from '../../../../replies/waitingLists';
import type { WaitingQuestion, WaitMark } from '../../../../replies/questionMark';
import { isOver, isTaken, WAIT_ATTRIBUTE, writeMark } from '../../../../replies/questionMark';
import { createServiceClient } from '../../../../service/client';
import type { CreateWebhookRequest } from '../../../../service/contract';
import { warnOf } from '../../../../service/log';
import { deleteIfThere, type WebhookApi, webhookApi } from '../../../../service/webhooks';
import type { Clock } from '../../../../shared/tools/clock';
import { NODE_ATTRIBUTE, type NodeMark } from '../../../../shared/node/nodeMark';
import { fewAtATime } from '../../../../shared/tools/remembered';
import { Turns } from '../../../../shared/tools/turns';
import { withCancelSignal } from '../../../../workarounds/cancelSignal';

/** What the webhook of a question says of its node and of itself. */
export const attributesOf = (node: NodeMark, mark: WaitMark) => ({
	[NODE_ATTRIBUTE]: node,
	[WAIT_ATTRIBUTE]: writeMark(mark),
});

/** Whether it may go: this n8n's, and over or of this execution, which waits for one at a time. */
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
export const turnsOfQuestions = new Turns();

/**
 * Lets the webhook of an answered question say which message it took, and deletes it later. The
 * service delivers nothing more to it meanwhile, and it counts as gone for everything else.
 */
export async function retire(
	api: WebhookApi,
	{ id, webhookId, deadline }: { id: string; webhookId: string; deadline: string },
	node: NodeMark,
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
	const changes = { status: 'DISABLED' as const, customAttributes: attributesOf(node, mark) };
	const update = async () => await api.update(webhookId, changes, UPDATE_TIMEOUT);
	try {
		await turnsOfQuestions.take(id, update);
		await clock.sleep(TAKEN_KEPT);
	} finally {
		await deleteIfThere(api, webhookId);
	}
}

interface Sweep extends ThisN8n {
	executionId?: string;
	/** Called if a leftover could not be deleted. A later sweep tries again. */
	onStuck: (error: Error) => void;
}

/** Begins to delete leftovers. @returns the questions that still wait, also other n8n's */
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

/** The webhooks, by requests that outlast the execution if it is cancelled. */
export const lastingApi = async (
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	channelId: string,
): Promise<WebhookApi> =>
	webhookApi(
		await createServiceClient(withCancelSignal(context, new AbortController().signal), credential),
		{ kind: 'channel', channelId },
	);

/** Webhooks that are deleted for an execution, which registers one at a time. */
const OWN_MOST = 50;

/** Deletes a webhook that nobody waits for: by the list, if the response with its ID was lost. */
export async function removeQuestion(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhookId: string | undefined,
): Promise<void> {
	const own = { ...thisN8n(context), executionId: context.getExecutionId() };
	const listed = async () =>
		readQuestions(await api.list())
			.filter((question) => isLeftover(question, own, -Infinity))
			.slice(0, OWN_MOST)
			.map(({ webhook }) => webhook.id);
	try {
		const ids = webhookId === undefined ? await listed() : [webhookId];
		await fewAtATime(ids, async (id) => await deleteIfThere(api, id));
	} catch (error) {
		const what = 'The webhook of a question that failed could not be removed';
		warnOf(context, what, 'The next question removes it')(error);
	}
}

/** Milliseconds. Until then the execution does not wait, and n8n refuses replies. */
const MARK_TIMEOUT = 5000;

/** Writes who was asked, and when, for triggers. Whoever was not is free for other questions. */
export async function markWhoWasAsked(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhookId: string,
	{ customAttributes }: CreateWebhookRequest,
): Promise<void> {
	const warn = warnOf(
		context,
		'The webhook of a question could not be updated',
		'Until the question is over, replies may also start the workflows of triggers',
	);
	await api.update(webhookId, { customAttributes }, MARK_TIMEOUT).catch(warn);
}
