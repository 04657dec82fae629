import { createHash } from 'node:crypto';

import type { CreateWebhookRequest, Webhook } from '../service/contract';
import { asError } from '../service/errors';
import type { WebhookApi } from '../service/webhooks';
import { deleteIfThere } from '../service/webhooks';
import { normalizeIdentifier } from '../trigger/events';
import type { OwnerMark } from '../trigger/registration';
import { OWNER_ATTRIBUTE } from '../trigger/registration';
import { deadlines } from './deadlines';

/** Under this key of a webhook's `customAttributes` stands which question it waits for. The clean-up workflow reads it, too. */
export const WAIT_ATTRIBUTE = 'n8nWait';

/** What a temporary webhook carries, so that every process, and whoever finds it after a crash, knows what it is for. */
export interface WaitMark {
	executionId: string;
	/** A hash: of whom the answer is awaited. */
	recipient: string;
	/** ISO 8601. After it nobody listens any more. */
	deadline: string;
	/** Answers so far that were none of the choices. */
	wrongAnswers: number;
	/** The message that held the last of them: when it is delivered again, it does not count again. */
	lastWrong?: string;
}

/** A question that waits in the chat, as the service's list shows it. */
export interface WaitingQuestion {
	webhook: Webhook;
	owner: OwnerMark;
	mark: WaitMark;
}

/** The same for every way in which a number is written. */
export function recipientHash(channelId: string, recipient: string): string {
	return createHash('sha256').update(`${channelId.toUpperCase()}\n${normalizeIdentifier(recipient)}`).digest('hex').slice(0, 32);
}

/** Reads the mark of a temporary webhook; undefined for every other webhook. */
export function readWaiting(webhook: Webhook): WaitingQuestion | undefined {
	const mark = asObject(webhook.customAttributes?.[WAIT_ATTRIBUTE]);
	const owner = asObject(webhook.customAttributes?.[OWNER_ATTRIBUTE]);
	if (!mark || !owner) return undefined;
	const { executionId, recipient, deadline, wrongAnswers, lastWrong } = mark;
	if (typeof executionId !== 'string' || typeof recipient !== 'string' || typeof deadline !== 'string' || Number.isNaN(Date.parse(deadline))) return undefined;
	return {
		webhook,
		owner,
		mark: {
			executionId,
			recipient,
			deadline,
			wrongAnswers: typeof wrongAnswers === 'number' ? wrongAnswers : 0,
			...(typeof lastWrong === 'string' ? { lastWrong } : {}),
		},
	};
}

function asObject(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/** What is registered for a question. */
export function describeWebhook(url: string, description: string, owner: OwnerMark, mark: WaitMark): CreateWebhookRequest {
	return {
		url,
		events: ['MESSAGE_RECEIVED'],
		description,
		signing: true,
		payloadFormat: 'DEFAULT',
		customAttributes: { [OWNER_ATTRIBUTE]: owner, [WAIT_ATTRIBUTE]: mark },
	};
}

export const isOver = ({ mark }: WaitingQuestion, now: number): boolean => Date.parse(mark.deadline) <= now;

/**
 * Whether a temporary webhook may be deleted: it is this n8n's, and its time is over, or it was left by an earlier question of this very execution,
 * which can only wait for one answer at a time. Never any other.
 */
export function isLeftover(question: WaitingQuestion, own: { instanceId: string; executionId?: string }, now: number): boolean {
	if (question.owner.instanceId !== own.instanceId) return false;
	return isOver(question, now) || question.mark.executionId === own.executionId;
}

/** Deletes the leftovers. @returns the questions that still wait, whoever asked them */
export async function sweep(api: WebhookApi, own: { instanceId: string; executionId?: string }, now: () => number): Promise<WaitingQuestion[]> {
	const questions = (await api.list()).map(readWaiting).filter((question) => question !== undefined);
	const waiting: WaitingQuestion[] = [];
	for (const question of questions) {
		if (isLeftover(question, own, now())) await deleteIfThere(api, question.webhook.id);
		else waiting.push(question);
	}
	return waiting;
}

export interface WatchedChannel {
	api: WebhookApi;
	/** Root of the service. */
	baseUrl: string;
	channelId: string;
	deadline: Date;
	instanceId: string;
	warn: (message: string) => void;
}

/** Has the channel swept once the deadline is over. */
export function watchDeadline({ api, baseUrl, channelId, deadline, instanceId, warn }: WatchedChannel): void {
	deadlines.watch(`${baseUrl} ${channelId.toUpperCase()}`, deadline.getTime(), async () => {
		const waiting = await sweep(api, { instanceId }, () => Date.now()).catch((error: unknown) => {
			warn(`Webhooks of questions whose time is over could not be removed: ${asError(error).message}. It is tried again`);
			throw asError(error);
		});
		const next = waiting.filter(({ owner }) => owner.instanceId === instanceId).map(({ mark }) => Date.parse(mark.deadline));
		return next.length > 0 ? Math.min(...next) : undefined;
	});
}
