import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/client';
import {
	ADDRESSED,
	channelField,
	noticeField,
	recipientField,
	TO_ANSWER,
	UNADDRESSED,
} from '../../../shared/node/fields';
import type { BatchOperation } from '../../../shared/node/operation';
import { fallbackFields } from '../template/fallback';
import { type OwnOptions, RATE_ADVICE, readSendOptions, sendOptionsFields } from './options';
import { type Noticed, type ReadFields, readItems } from './readItems';
import { report } from './report';
import { sendItems } from './sendItems';

const WINDOW =
	"If the channel has a window, send within 24 hours of the customer's last message. Later, send a template.";

/** An operation that sends one kind of message. */
export interface SendOperation extends OwnOptions, Omit<BatchOperation, 'executeAll'> {
	/** The notice below the recipient, if another one holds: of two lines at most. */
	notice?: string;
	read: ReadFields;
	/** Whether it reaches customers at any time, so that nothing needs to take its place. */
	isTemplate?: boolean;
}

/**
 * Makes an operation that sends: in order for each recipient, within limits, with safe retries.
 * @example
 * sendOperation({
 *   name: 'Send Text',
 *   value: 'sendText',
 *   action: 'Send text message',
 *   description: 'Send a text',
 *   names: 'texts', // for errors and descriptions
 *   fields: [textField],
 *   read: (context, index) => ({ content: { type: 'TEXT', body: { message: 'Hello!' } } }),
 * });
 */
export function sendOperation(operation: SendOperation): BatchOperation {
	const { description, notice = WINDOW, fields, isTemplate = false } = operation;
	const own = isTemplate ? fields : [...fields, ...fallbackFields()];
	return {
		...operation,
		description: `${description}. Gives messageId.`,
		fields: [
			channelField,
			recipientField,
			noticeField('answerNotice', TO_ANSWER, { hide: UNADDRESSED }),
			noticeField('windowNotice', notice, { hide: ADDRESSED }),
			...own.slice(0, -1),
			...sendOptionsFields(operation),
			...own.slice(-1), // Additional Components of a template, which few need.
		],
		executeAll: async (context, client) => await readAndSend(context, client, operation),
	};
}

async function readAndSend(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ read, ...own }: SendOperation,
): Promise<INodeExecutionData[]> {
	const options = readSendOptions(context, own);
	const noticed: Noticed = { files: new Set(), unkeyed: new Set() };
	const items = readItems(context, client, read, options, noticed);
	const policy = { ...options, stopOnFailure: !context.continueOnFail(), advice: RATE_ADVICE };
	const sent = await sendItems(context, client, items, policy);
	return report(context, { ...sent, ...noticed, ...options, ...own, baseUrl: client.baseUrl });
}
