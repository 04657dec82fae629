import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import { failedItem } from '../../../shared/items';
import type { FailedTarget } from '../../../sending/sendAll';
import { sendOnce } from '../../../sending/sendOnce';
import { quoteRecipient } from '../../../sending/toRecipient';
import type { ServiceClient } from '../../../service/client';
import { toNodeError } from '../../../service/errors';
import { readText } from '../../../shared/parameters';
import { fingerprintOf, onceKeysIn, readOnceKey } from '../onceMemory';
import { askByLinks } from './askByLinks';
import { askInChat } from './askInChat';
import { requireEngineThatWaits } from './engine';
import type { Question } from './question';
import { isInChat, keepQuestion, newQuestionId, timedOutItem } from './question';
import type { Settings } from './settings';
import { readSettings } from './settings';

/** Asks, and lets the execution wait for the reply, which `webhook()` receives. Only for the first item: an execution waits in one place (n8n). */
export async function askAndWait(
	context: IExecuteFunctions,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	try {
		// Shown while it waits. Not the input, as n8n's own nodes give: an `error` in that would have n8n ask again under "Retry On Fail".
		const json = (await ask(context, client)) ? WAITING : ALREADY_ASKED;
		return [{ json, pairedItem: { item: 0 } }];
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, 0);
		return [failedItem(error, 0, targetOf(context))];
	}
}

/** Whom the question was for, as far as its fields can be read. */
function targetOf(context: IExecuteFunctions): FailedTarget {
	const target: FailedTarget = {};
	try {
		for (const name of ['recipient', 'channelId'] as const) {
			const given = readText(context, name, 0);
			if (given) target[name] = given;
		}
	} catch {
		// An expression that fails: it may be the very error that is told.
	}
	return target;
}

const WAITING = { data: { outcome: 'waiting' } };
/** Neither asked again nor waited for. An approval tool takes it as declined. */
const ALREADY_ASKED = { data: { outcome: 'alreadyAsked', approved: false } };

/** @returns false when it was asked before under its key */
async function ask(context: IExecuteFunctions, client: ServiceClient): Promise<boolean> {
	requireEngineThatWaits(context);
	const settings = readSettings(context, Date.now());
	const { channelId, recipients, message, question: asked, sendOnceMemory } = settings;
	const key = readOnceKey(context, 0);
	const fingerprint = fingerprintOf(channelId, recipients.join('\n'), {
		...asked,
		type: asked.kind,
		message,
	});
	const askNow = async () => await send(context, client, settings);
	const question = await (key === undefined
		? askNow()
		: sendOnce(
				`question to ${quoteRecipient(recipients.join(', '))}`,
				{ key, fingerprint },
				onceKeysIn(context, sendOnceMemory),
				askNow,
			));
	if (question === 'alreadySent' || question === undefined) return false;
	keepQuestion(context, question);
	leaveForTimeout(context, timedOutItem(question.kind));
	await context.putExecutionToWait(settings.deadline ?? WAIT_INDEFINITELY);
	return true;
}

async function send(
	context: IExecuteFunctions,
	client: ServiceClient,
	settings: Settings,
): Promise<Question> {
	requireSignedResume(context);
	const asked = { ...settings.question, id: newQuestionId() };
	return isInChat(asked)
		? await askInChat(context, client, settings, asked)
		: await askByLinks(context, client, settings, asked);
}

/** n8n 1 checks the signature of a resume URL only when the node asks for it. n8n 2 always does, and has no such method any more. */
function requireSignedResume(
	context: IExecuteFunctions & { setSignatureValidationRequired?(): void },
): void {
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
