import type { IExecuteFunctions, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { asPlainObject } from './plainObject';
import { isResumeUrl } from './resumeUrls';
import type { WaitingQuestion } from './waitingQuestion';

/** What a question's own address says of its execution. */
export type Verdict =
	/** It waits with this question. */
	| 'alive'
	/** It has not begun to wait, or goes on with an answer. */
	| 'running'
	/** Nobody waits there any more. */
	| 'gone'
	/** Anything else. It may be alive. */
	| 'unknown';

/** Milliseconds. */
export const CHECK_TIMEOUT = 3000;

/** Tells our node that a check asks, and no person's browser. */
export const CHECK_ACCEPTS = 'application/json';

/**
 * How the resume URLs of this n8n begin, in a trigger, which has none of its own. Undefined if n8n
 * does not tell.
 */
export function resumeBaseOf(context: IExecuteFunctions | IWebhookFunctions): string | undefined {
	const url: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	const base = pathname.slice(0, pathname.lastIndexOf('/') + 1);
	return base === '/' ? undefined : origin + base;
}

type Requesting = Pick<IExecuteFunctions | IWebhookFunctions, 'helpers'>;

/**
 * Asks a question's own address whether its execution waits with it. A GET changes nothing there.
 * Never rejects.
 * @param base from `resumeBaseOf`
 */
export async function checkQuestion(
	{ helpers }: Requesting,
	{ webhook: { url }, mark }: WaitingQuestion,
	base: string | undefined,
	timeout = CHECK_TIMEOUT,
): Promise<Verdict> {
	if (base === undefined || !isResumeUrl(url, base) || timeout <= 0) return 'unknown';
	const options: IHttpRequestOptions = {
		method: 'GET',
		url,
		headers: { accept: CHECK_ACCEPTS },
		timeout,
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
		encoding: 'text',
	};
	try {
		return verdictOf(await helpers.httpRequest(options), mark);
	} catch {
		return 'unknown';
	}
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
export function verdictOf(
	response: unknown,
	{ executionId, takes }: WaitingQuestion['mark'],
): Verdict {
	const { statusCode, body } = asPlainObject(response);
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	if (statusCode === 200 && NOTHING_TO_DO.every((part) => text.includes(part))) return 'gone';
	const { message, question: waiting } = asPlainObject(parsed(text));
	if (statusCode === 200) {
		if (waiting === undefined || !takes) return 'unknown';
		return waiting === takes.question ? 'alive' : 'gone';
	}
	if (typeof message !== 'string' || (statusCode !== 404 && statusCode !== 409)) return 'unknown';
	if (message === `The execution "${executionId}" is running already.`) return 'running';
	return endings(executionId).includes(message) ? 'gone' : 'unknown';
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
