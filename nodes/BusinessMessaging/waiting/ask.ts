import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { failedItem } from '../resources/shared/items';
import { withHostClock } from '../sending/hostClock';
import { Ledger } from '../sending/ledger';
import { sendAll } from '../sending/sendAll';
import type { ServiceClient } from '../service/client';
import { toNodeError } from '../service/errors';
import type { TextMessage } from '../service/messages';
import { sendText } from '../service/messages';
import { askInChat } from './askInChat';
import type { Question } from './question';
import { keepQuestion, newQuestionId, timedOutItem } from './question';
import type { Settings } from './settings';
import { readSettings } from './settings';

/** Asks, and lets the execution wait for the answer, which `webhook()` receives. Only for the first item: an execution waits in one place (n8n). */
export async function askAndWait(context: IExecuteFunctions, client: ServiceClient): Promise<INodeExecutionData[]> {
	const failure = await ask(context, client).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	// Shown while it waits. Not the input, as n8n's own nodes give: an `error` in that would have n8n ask again under "Retry On Fail".
	if (!failure) return [{ json: { data: { outcome: 'waiting' } }, pairedItem: { item: 0 } }];
	if (!context.continueOnFail()) throw toNodeError(context.getNode(), failure.error, 0);
	return [failedItem(failure.error, 0)];
}

async function ask(context: IExecuteFunctions, client: ServiceClient): Promise<void> {
	const settings = readSettings(context, Date.now());
	const question = await send(context, client, settings);
	keepQuestion(context, question);
	leaveForTimeout(context, timedOutItem(question.kind));
	await context.putExecutionToWait(settings.deadline ?? WAIT_INDEFINITELY);
}

async function send(context: IExecuteFunctions, client: ServiceClient, settings: Settings): Promise<Question> {
	requireSignedResume(context);
	const { channelId, recipient, question: asked } = settings;
	const id = newQuestionId();
	const sendOut = async (text: string) => await sendOnce(context, client, { channelId, recipient, text });
	if (asked.kind === 'replyInChat') return await askInChat(context, client, settings, { ...asked, id }, sendOut);

	const linkTo = (label: string, query: Record<string, string> = {}) => `${label}: ${context.getSignedResumeUrl({ ...query, question: id })}`;
	const links =
		asked.kind === 'approval'
			? [linkTo(asked.approveLabel, { approved: 'true' }), ...(asked.disapproveLabel === undefined ? [] : [linkTo(asked.disapproveLabel, { approved: 'false' })])]
			: [linkTo(settings.linkLabel)];
	await sendOut([settings.message, ...links].join('\n\n'));
	return { ...asked, id };
}

/** n8n 1 checks the signature of a resume URL only when the node asks for it. n8n 2 always does, and has no such method any more. */
function requireSignedResume(context: IExecuteFunctions & { setSignatureValidationRequired?(): void }): void {
	context.setSignatureValidationRequired?.();
}

/**
 * n8n does not run the node when its time is over: it takes the node for disabled and passes on the input that it kept (both versions). So what it keeps is
 * what is to come out then. It holds nothing of the input, or an agent could put an approval there.
 */
function leaveForTimeout(context: IExecuteFunctions, json: IDataObject): void {
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[{ json, pairedItem: { item: 0 } }]] };
}

/** Sends the question as Send Text sends: it waits when the service asks to, and a retry does not repeat what may have been sent. */
async function sendOnce(context: IExecuteFunctions, client: ServiceClient, message: TextMessage): Promise<void> {
	const signal = context.getExecutionCancelSignal();
	const ledger = Ledger.open(context.getContext('node'), Number(context.evaluateExpression('{{ $runIndex }}', 0)));
	const outcomes = await withHostClock(
		signal,
		async (clock) =>
			await sendAll(only({ index: 0, ...message }), {
				send: async (text) => await sendText(client, text),
				ledger,
				maxConcurrency: 1,
				maxPerSecond: 0,
				stopOnFailure: true,
				clock,
				...(signal ? { signal } : {}),
			}),
	);
	const outcome = outcomes.get(0);
	if (!outcome) throw new Error('The execution was cancelled before the question was sent.');
	if ('error' in outcome) throw outcome.error;
	ledger.clear();
}

async function* only<Value>(value: Value): AsyncGenerator<Value> {
	yield value;
}
