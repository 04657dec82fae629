import { randomUUID } from 'node:crypto';

import { SEND_AND_WAIT_OPERATION, WAIT_INDEFINITELY } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookDescription,
} from 'n8n-workflow';

import type { BatchOperation } from '../../../shared/node/operation';
import { addHint, addUnclearHint } from '../../../shared/node/hints';
import { failedItem } from '../../../shared/node/items';
import type { Addressee } from '../../../sending/batch';
import { sendOnce } from '../../../sending/once/sendOnce';
import { quoteRecipient } from '../batch/report';
import type { ServiceClient } from '../../../service/client';
import { toNodeError } from '../../../service/errors';
import { identifierOf } from '../../../service/recipient';
import { readText } from '../../../shared/node/parameters';
import { requireEngineThatWaits } from '../../../workarounds/engine';
import { fingerprintOf, onceKeysIn, readOnceKey } from '../batch/onceKey';
import { askByLink } from './byLink/askByLink';
import { askInChat } from './inChat/askInChat';
import { isInChat, keepQuestion, timedOutItem, type Question } from './kinds';
import { requireWorkingLinks } from './links';
import { fields } from './sendAndWaitFields';
import { readSettings, type Settings, endOfWait } from './waitSettings';

/** By its value, n8n offers the node as a human-approval tool, and checks its resume URLs. */
export const sendAndWait: BatchOperation = {
	name: 'Send and Wait for Response',
	value: SEND_AND_WAIT_OPERATION,
	builderHint: {
		propertyHint:
			'A customer replies in the chat: askIn chat, responseType replyInChat. Gives data: approved, or text and choice. data.outcome is timedOut if nobody replied.',
	},
	action: 'Send message and wait for response',
	description: 'Ask a customer or a colleague, and wait for the reply. Gives it in data.',
	fields,
	executeAll: askAndWait,
};

/** The resume URL of a waiting execution. n8n finds the node by its ID. */
const resumeWebhook = (httpMethod: 'GET' | 'POST'): IWebhookDescription => ({
	name: 'default',
	httpMethod,
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
	// n8n then responds once it has stored that the execution goes on.
	responseMode: 'onReceived',
	responseData: '',
});

/** GET shows pages and POST takes replies. */
export const resumeWebhooks = [resumeWebhook('GET'), resumeWebhook('POST')];

/** Shown at the node while an execution waits. */
export const waitingNodeTooltip =
	'={{ $parameter["operation"] === "sendAndWait" ? "Execution will continue after the reply" : "" }}';

/** Asks for the first item, and waits for the reply, which `receiveReply` gets. */
async function askAndWait(
	context: IExecuteFunctions,
	client: ServiceClient,
): Promise<INodeExecutionData[]> {
	try {
		// Shown while it waits. n8n's own nodes show the input, but n8n would take an `error` in it for
		// a failure, and ask again under "Retry On Fail".
		const json = (await ask(context, client)) ? WAITING : ALREADY_ASKED;
		return [{ json, pairedItem: { item: 0 } }];
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError(context.getNode(), error, 0);
		return [failedItem(error, 0, targetOf(context))];
	}
}

/** The recipient and the channel, if their fields can be read. */
function targetOf(context: IExecuteFunctions): Addressee {
	const target: Addressee = {};
	try {
		for (const name of ['recipient', 'channelId'] as const) {
			const given = readText(context, name, 0);
			if (given) target[name] = given;
		}
	} catch {
		// An expression failed. This may be the error that is being reported.
	}
	return target;
}

const WAITING = { data: { outcome: 'waiting' } };
/** An approval tool takes this as declined. */
const ALREADY_ASKED = { data: { outcome: 'alreadyAsked', approved: false } };

/** @returns false if the question was asked before under its key */
async function ask(context: IExecuteFunctions, client: ServiceClient): Promise<boolean> {
	requireEngineThatWaits(context);
	const settings = readSettings(context, Date.now());
	const { channelId, recipients, message, question: draft, sendOnceMemory } = settings;
	const key = readOnceKey(context, 0);
	const once = {
		fingerprint: fingerprintOf(channelId, recipients.map(identifierOf).sort(), contentOf(settings)),
		formerly: fingerprintOf(channelId, recipients, { ...draft, type: draft.kind, message }),
	};
	const askNow = async () => {
		requireSignedResume(context);
		const id = randomUUID();
		requireWorkingLinks(context, id);
		return settings.link
			? await askByLink(context, client, settings, id)
			: await askInChat(context, client, settings, id);
	};
	const question = await (key === undefined
		? askNow()
		: sendOnce(
				`question to ${quoteRecipient(recipients.join(', '))}`,
				{ key, ...once },
				onceKeysIn(context, sendOnceMemory),
				askNow,
			));
	addHintOfOthers(context);
	if (question === 'alreadySent' || question === undefined) return false;
	addUnclearHint(
		context,
		recipients.map((recipient) => [0, recipient]),
	);
	keepQuestion(context, question);
	leaveForTimeout(context, timedOutItem(question));
	await context.putExecutionToWait(deadlineOf(question, settings));
	return true;
}

/** What makes it another question under its key. Options, such as texts of the page, do not. */
function contentOf({ question, message }: Settings) {
	const { kind: type } = question;
	if ('choices' in question) return { type, message, choices: question.choices };
	if ('fields' in question) return { type, message, choices: question.fields };
	return { type, message, choices: [question.approveLabel, question.disapproveLabel ?? null] };
}

/** A link has no webhook. Its wait begins once everybody was asked, as in n8n's own nodes. */
function deadlineOf(question: Question, { limit }: Settings): Date {
	if (isInChat(question)) return new Date(question.deadline);
	return limit ? endOfWait(limit, Date.now()) : WAIT_INDEFINITELY;
}

/** The items after the first ask nobody. */
function addHintOfOthers(context: IExecuteFunctions): void {
	const { length } = context.getInputData();
	if (length > 1)
		addHint(
			context,
			`Only the first of ${length} items asks a question, because an execution waits in one place. To ask one for each item, put n8n's node "Loop Over Items" in front of this node.`,
		);
}

/** n8n 1 checks the signature of a resume URL only on request. n8n 2 always does. */
function requireSignedResume(
	context: IExecuteFunctions & { setSignatureValidationRequired?(): void },
): void {
	context.setSignatureValidationRequired?.();
}

/**
 * After a time-out, n8n does not run the node. It takes the node for disabled and passes its stored
 * input on. So the node stores the time-out's item as its input. Nothing of the real input stays,
 * because an agent could have put an approval there.
 */
function leaveForTimeout(context: IExecuteFunctions, json: IDataObject): void {
	const executeData = context.getExecuteData();
	executeData.data = { ...executeData.data, main: [[{ json, pairedItem: { item: 0 } }]] };
}
