import type { IExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { webUrl } from '../service/baseUrl';
import { startDeadline } from '../service/deadline';
import { jsonOrText, asPlainObject } from '../service/parseJson';
import { isByteStream, readBody } from '../service/readBody';
import { deleteIfThere, type WebhookApi } from '../service/webhooks';
import type { Clock } from '../shared/tools/clock';
import { fewAtATime } from '../shared/tools/remembered';
import { isBeingSent, type WaitingQuestion } from './questionMark';

/** What a question's own address says of its execution. */
export type Life =
	/** It waits with this question. */
	| 'alive'
	/** It has not begun to wait, or goes on with an answer. */
	| 'running'
	/** Nobody waits there any more. */
	| 'gone'
	/** The address is not of this n8n. */
	| 'elsewhere'
	/** This n8n cannot reach itself, or does not know its address. */
	| 'blind'
	/** Anything else. It may be alive. */
	| 'unknown';

/** Milliseconds. */
export const CHECK_TIMEOUT = 3000;
/** Bytes of an answer. n8n's page has some ten thousand. */
const CHECK_MAX = 256 * 1024;
/** Milliseconds between the two looks of which both must say that nobody waits. */
export const SECOND_LOOK = 10_000;

/** Tells our node that a check asks, and no person's browser. */
export const CHECK_ACCEPTS = 'application/json';

type Context = IExecuteFunctions | IWebhookFunctions;

/** What tells the questions of this n8n from those of others. */
export interface ThisN8n {
	instanceId: string;
	/** How its resume URLs begin: origin and path. Undefined if n8n does not tell. */
	resumeStart: string | undefined;
}

/** n8n puts the execution's ID behind its resume URLs. The type of a hook lacks the method. */
export function thisN8n(
	context: Pick<Context, 'getInstanceId'> & Partial<Pick<Context, 'evaluateExpression'>>,
): ThisN8n {
	const url = webUrl(context.evaluateExpression?.('{{ $execution.resumeUrl }}', 0));
	const { origin, pathname } = url ?? { origin: '', pathname: '/' };
	const base = pathname.slice(0, pathname.lastIndexOf('/') + 1);
	return {
		instanceId: context.getInstanceId(),
		resumeStart: base === '/' ? undefined : origin + base,
	};
}

/**
 * Whether a question is this n8n's: by its mark, and by the address of its webhook, because a
 * restored copy of the database has the same instance ID. One that n8n does not tell is no proof.
 */
export const isOfThisN8n = ({ node, webhook }: WaitingQuestion, own: ThisN8n): boolean =>
	node.instanceId === own.instanceId &&
	own.resumeStart !== undefined &&
	startsWith(webhook.url, own.resumeStart);

function startsWith(address: string, resumeStart: string): boolean {
	const url = webUrl(address);
	if (!url || url.username + url.password !== '') return false;
	return `${url.origin}${url.pathname}`.startsWith(resumeStart);
}

/** Asks a question's own address if its execution waits. Changes nothing, and never rejects. */
export async function askAddress(
	{ helpers }: Pick<Context, 'helpers'>,
	question: WaitingQuestion,
	own: ThisN8n,
	timeout = CHECK_TIMEOUT,
): Promise<Life> {
	if (own.resumeStart === undefined) return 'blind';
	if (!isOfThisN8n(question, own)) return 'elsewhere';
	// Until it waits, n8n has no answer that tells anything.
	if (isBeingSent(question)) return 'unknown';
	const deadline = startDeadline({}, Math.max(1, Math.ceil(timeout)));
	const options: IHttpRequestOptions = {
		method: 'GET',
		url: question.webhook.url,
		headers: { accept: CHECK_ACCEPTS },
		timeout: deadline.timeout,
		abortSignal: deadline.signal,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		encoding: 'stream',
	};
	// The address may be another node's of this n8n, which answers as it likes.
	const ask = async () => {
		const { statusCode, body } = asPlainObject(await helpers.httpRequest(options));
		if (!isByteStream(body)) return lifeBy({ statusCode, body }, question.mark);
		const text = (await readBody(body, CHECK_MAX, deadline.signal))?.toString();
		return lifeBy({ statusCode, body: text }, question.mark);
	};
	return await deadline
		.race(ask())
		.catch(() => 'blind' as const)
		.finally(() => deadline.end());
}

/** What n8n says of an execution that does not exist any more, or has ended. */
const endings = (id: string): string[] => [
	`The execution "${id}" does not exist.`,
	`The execution "${id}" has finished with error.`,
	`The execution "${id}" has finished already.`,
	// As n8n has it.
	`The execution "${id} has finished already.`,
];
/** Of n8n's page for a link whose execution needs nothing more. */
const NOTHING_TO_DO = ['<title>No action required</title>', 'n8n.io'];

/** Reads the response: n8n's own words, or our node's. */
export function lifeBy(response: unknown, { executionId, takes }: WaitingQuestion['mark']): Life {
	const { statusCode, body } = asPlainObject(response);
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	if (statusCode === 200 && NOTHING_TO_DO.every((part) => text.includes(part))) return 'gone';
	const { message, question: waiting } = asPlainObject(jsonOrText(text));
	if (statusCode === 200) {
		if (waiting === undefined || !takes) return 'unknown';
		return waiting === takes.question ? 'alive' : 'gone';
	}
	if (statusCode === 401) return 'blind';
	if (typeof message !== 'string' || (statusCode !== 404 && statusCode !== 409)) return 'unknown';
	if (message === `The execution "${executionId}" is running already.`) return 'running';
	return endings(executionId).includes(message) ? 'gone' : 'unknown';
}

/**
 * Finds out which questions wait for nobody, because their executions were stopped or deleted, and
 * deletes their webhooks. Both looks must say so.
 * @param look asks a question's own address. Never rejects
 * @returns those that were deleted
 */
export async function removeGone(
	api: Pick<WebhookApi, 'delete'>,
	questions: readonly WaitingQuestion[],
	look: (question: WaitingQuestion) => Promise<Life>,
	clock: Clock,
): Promise<WaitingQuestion[]> {
	const suspects = await gone(questions, look);
	if (suspects.length === 0) return [];
	const until = clock.now() + SECOND_LOOK;
	await clock.sleep(SECOND_LOOK);
	// Cancelled.
	if (clock.now() < until) return [];
	const found = await gone(suspects, look);
	await fewAtATime(found, async ({ webhook }) => await deleteIfThere(api, webhook.id));
	return found;
}

async function gone(
	questions: readonly WaitingQuestion[],
	look: (question: WaitingQuestion) => Promise<Life>,
): Promise<WaitingQuestion[]> {
	const lives = await fewAtATime(questions, look);
	return questions.filter((_question, index) => lives[index] === 'gone');
}
