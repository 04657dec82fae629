import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import {
	addSendHints,
	outputItem,
	retryNote,
	stoppingError,
	tagExecution,
	toRecipient,
} from './report';
import type { ServiceClient } from '../../../service/client';
import {
	ADDRESSED,
	channelField,
	noticeUntil,
	recipientField,
	TO_ANSWER,
	UNADDRESSED,
} from '../../../shared/node/fields';
import { type BatchOperation, fieldsOf } from '../../../shared/node/operation';
import { addReachHint, addUnclearHint, filesIn } from '../../../shared/node/hints';
import { type ReadContent, readItems } from './readItems';
import { sendItems } from './sendItems';
import { type OwnOptions, readSendOptions, sendOptionsFields } from './options';
import { fallbackFields, readFallback } from '../template/fallback';

const WINDOW =
	"If the channel has a window, send within 24 hours of the customer's last message. Later, send a template.";

/** An operation that sends one kind of message. */
export interface SendOperation extends OwnOptions {
	option: INodePropertyOptions & { value: string; description: string };
	/** The notice below the recipient, if another one holds: of two lines at most. */
	notice?: string;
	/** The fields of the message. */
	fields: INodeProperties[];
	read: ReadContent;
	/** Whether it reaches customers at any time, so that nothing needs to take its place. */
	isTemplate?: boolean;
}

/** Makes an operation that sends: in order for each recipient, within limits, with safe retries. */
export function sendOperation(operation: SendOperation): BatchOperation {
	const { option, notice = WINDOW, fields, isTemplate = false } = operation;
	const own = isTemplate ? fields : [...fields, ...fallbackFields()];
	return {
		option: { ...option, description: `${option.description}. Gives messageId.` },
		fields: fieldsOf('message', option.value, [
			channelField,
			recipientField,
			noticeUntil('answerNotice', TO_ANSWER, UNADDRESSED),
			noticeUntil('windowNotice', notice, ADDRESSED),
			...own.slice(0, -1),
			...sendOptionsFields(operation),
			...own.slice(-1), // Additional Components of a template, which few need.
		]),
		executeAll: async (context, client) => await readAndSend(context, client, operation),
	};
}

async function readAndSend(
	context: IExecuteFunctions,
	client: ServiceClient,
	operation: SendOperation,
): Promise<INodeExecutionData[]> {
	const { isTagged, failed, ...limits } = readSendOptions(context, operation);
	const read = operation.isTemplate ? operation.read : orFallback(operation.read);
	const total = context.getInputData().length;
	const stopOnFailure = !context.continueOnFail();
	const files = new Set<string>();
	const readNoting: ReadContent = async (...given) => {
		const unread = failed.get(given[1]);
		if (unread) throw unread;
		const outgoing = await read(...given);
		for (const file of filesIn(outgoing)) files.add(file);
		return outgoing;
	};
	const { outcomes, waited, forget } = await sendItems(
		context,
		client,
		readItems(context, client, readNoting),
		{ ...limits, stopOnFailure },
	);

	const inOrder = [...outcomes].sort(([left], [right]) => left - right);
	const all = inOrder.map(([, outcome]) => outcome);
	// Before the node may stop, because people search for failed executions, too.
	if (isTagged) tagExecution(context, all);
	const stop = (index: number, error: Error) =>
		stoppingError(context, index, error, retryNote(all, total, limits.sendAgain));
	for (const [index, outcome] of inOrder)
		if ('error' in outcome && stopOnFailure)
			throw stop(index, toRecipient(outcome.error, outcome.recipient));
	if (inOrder.length < total)
		throw stop(
			0,
			new Error(`The execution was cancelled before all ${operation.names} were sent.`),
		);
	if (!all.some((outcome) => 'error' in outcome)) forget();
	addSendHints(context, all, waited);
	addReachHint(context, files, client.baseUrl);
	addUnclearHint(
		context,
		inOrder.map(([index, { recipient }]) => [index, recipient]),
	);
	return inOrder.map(([index, outcome]) => outputItem(index, outcome));
}

/** Reads a message, and the template that takes its place if the window is closed. */
const orFallback =
	(read: ReadContent): ReadContent =>
	async (context, index, client, channelId) => {
		const outgoing = await read(context, index, client, channelId);
		const isTemplate = 'content' in outgoing && outgoing.content.type === 'TEMPLATE';
		const ready = isTemplate ? undefined : await readFallback(context, index, client, channelId);
		if (!ready) return outgoing;
		return { ...outgoing, fallback: ready.leaves };
	};
