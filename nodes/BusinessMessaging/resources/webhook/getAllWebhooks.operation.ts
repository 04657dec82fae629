import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isOfThisN8n, askAddress, removeGone, thisN8n } from '../../replies/waitingExecution';
import {
	isTaken,
	readWaiting,
	WAIT_ATTRIBUTE,
	type WaitingQuestion,
} from '../../replies/questionMark';
import type { Webhook } from '../../service/contract';
import { withoutSignatures } from '../../service/secrets';
import { webhookApi, type WebhookApi } from '../../service/webhooks';
import { withHostClock } from '../../shared/tools/clock';
import {
	collectionField,
	limitFields,
	simplifyField,
	switchField,
	textField,
} from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readLimit } from '../../shared/node/parameters';
import { textsOf } from '../../shared/texts/words';
import { eventsField, OWNERS, readWebhookOwner, statusField } from './webhookFields';
import type { OwnerKind } from './webhookFields';
import { isPlainObject } from '../../service/parseJson';
import { NODE_ATTRIBUTE } from '../../shared/node/nodeMark';

interface Filters {
	checkQuestions?: boolean;
	createdByN8n?: boolean;
	/** A text of an expression, too. */
	events?: unknown;
	status?: string;
	urlContains?: string;
}

const checkQuestionsField = switchField('Check Questions', 'checkQuestions', {
	description:
		'Whether to look if questions that wait in the chat still have an execution. Deletes the webhooks of those that have none, and returns them with "deleted": true.',
});

const fields = (kind: OwnerKind): INodeProperties[] => [
	...OWNERS[kind].ownerFields,
	...limitFields,
	simplifyField,
	collectionField('Filters', 'filters', 'Filter', [
		switchField('Created by Trigger', 'createdByN8n', {
			description:
				'Whether to return only webhooks that a Business Messaging Trigger registered. If off, only the others are returned, with those of questions that wait in the chat.',
		}),
		...(kind === 'channel' ? [checkQuestionsField] : []),
		{
			...eventsField(kind),
			description: 'Return only webhooks with at least one of these events',
		},
		// The service lists only enabled template webhooks.
		...(kind === 'channel'
			? [{ ...statusField, description: 'Return only webhooks with this status' }]
			: []),
		textField('URL Contains', 'urlContains', {
			placeholder: 'e.g. example.com',
			description: 'Return only webhooks whose URL contains this text',
		}),
	]),
];

/** A question has a webhook, too, while it waits in the chat. */
export const isOfTrigger = (webhook: Webhook): boolean =>
	madeByN8n(webhook) !== undefined && webhook.customAttributes?.[WAIT_ATTRIBUTE] === undefined;

function matches(
	webhook: Webhook,
	{ createdByN8n, events: given, status, urlContains }: Filters,
): boolean {
	const events = textsOf(given);
	return (
		(createdByN8n === undefined || isOfTrigger(webhook) === createdByN8n) &&
		(events.length === 0 || events.some((event) => webhook.events.includes(event))) &&
		(!status || webhook.status === status) &&
		(!urlContains || withoutSignatures(webhook.url).includes(urlContains))
	);
}

export const getAll = (kind: OwnerKind): ItemOperation => ({
	name: 'Get Many',
	value: 'getAll',
	action: `Get many ${OWNERS[kind].singular}s`,
	description:
		kind === 'channel'
			? "Retrieve a list of a channel's webhooks"
			: "Retrieve a list of the account's enabled template webhooks",
	fields: fields(kind),
	async executeItem(context, client, itemIndex) {
		const limit = readLimit(context, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {}) as Filters;
		const simplify = context.getNodeParameter('simplify', itemIndex, true) === true;
		const api = webhookApi(client, readWebhookOwner(context, kind, itemIndex));
		const found = (await api.list()).filter((webhook) => matches(webhook, filters));
		// What is not returned is not deleted.
		const webhooks = found.slice(0, limit);
		const isChecking = kind === 'channel' && filters.checkQuestions === true;
		const deleted = new Set(isChecking ? await removeGoneOf(context, api, webhooks) : []);
		return webhooks.map((webhook) => ({
			...presentWebhook(webhook, context.getInstanceId(), simplify),
			...(deleted.has(webhook.id) ? { deleted: true } : {}),
		}));
	},
});

/** @returns the IDs of the webhooks that were deleted, because nobody waits for a reply there */
async function removeGoneOf(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhooks: readonly Webhook[],
): Promise<string[]> {
	const own = thisN8n(context);
	const questions = webhooks
		.map(readWaiting)
		.filter((question) => question !== undefined)
		.filter((question) => isOfThisN8n(question, own) && !isTaken(question));
	const look = async (question: WaitingQuestion) => await askAddress(context, question, own);
	const removed = await withHostClock(
		context.getExecutionCancelSignal(),
		async (clock) => await removeGone(api, questions, look, clock),
	);
	return removed.map(({ webhook }) => webhook.id);
}

/** Says nothing: deprecated, no channel, or the format that all webhooks have. */
const isDropped = (name: string, value: unknown): boolean =>
	name === 'instanceId' ||
	(name === 'channelId' && value === null) ||
	(name === 'payloadFormat' && value === 'DEFAULT');

/** Dates as `2026-07-15T19:00:00.000Z`. Not every parser reads `+0000`. Other texts stay. */
function asIsoDate(value: string): string {
	const date = new Date(value.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
	return Number.isNaN(date.getTime()) ? value : date.toISOString();
}

/** The mark of webhooks that a node in n8n made: a trigger, or a question in the chat. */
export function madeByN8n(webhook: Webhook): IDataObject | undefined {
	const mark = webhook.customAttributes?.[NODE_ATTRIBUTE];
	return isPlainObject(mark) ? mark : undefined;
}

/** What an item shows of a webhook. Its mark says who made it, and anybody could write one. */
export function presentWebhook(webhook: Webhook, instanceId: string, simplify = true): IDataObject {
	if (!simplify) return webhook as IDataObject;
	const kept = Object.entries(webhook).filter(([name, value]) => !isDropped(name, value));
	const simplified = Object.fromEntries(kept) as IDataObject;
	for (const name of ['createdAt', 'updatedAt'] as const) {
		const value = webhook[name];
		if (typeof value === 'string') simplified[name] = asIsoDate(value);
	}
	const mark = madeByN8n(webhook);
	return {
		...simplified,
		createdByN8n: mark !== undefined,
		createdByThisN8n: mark?.instanceId === instanceId,
	};
}
