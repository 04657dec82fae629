import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isOfThisN8n, lookAt, removeGone, thisN8n } from '../../replies/resumeAddress';
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
import { limitField, returnAllField, simplifyField } from '../../shared/node/fields';
import { fieldsOf, type ItemOperation } from '../../shared/node/operation';
import { readLimit } from '../../shared/node/parameters';
import { textsOf } from '../../shared/texts/words';
import type { OwnerKind } from './webhookFields';
import { eventsField, OWNERS, readWebhookOwner, statusField } from './webhookFields';
import { madeByN8n, presentWebhook } from './present';

interface Filters {
	checkQuestions?: boolean;
	createdByN8n?: boolean;
	/** A text of an expression, too. */
	events?: unknown;
	status?: string;
	urlContains?: string;
}

const checkQuestionsField: INodeProperties = {
	displayName: 'Check Questions',
	name: 'checkQuestions',
	type: 'boolean',
	default: true,
	description:
		'Whether to look if questions that wait in the chat still have an execution. Deletes the webhooks of those that have none, and returns them with "deleted": true.',
};

const fields = (kind: OwnerKind): INodeProperties[] => [
	...OWNERS[kind].ownerFields,
	returnAllField,
	limitField,
	simplifyField,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Created by Trigger',
				name: 'createdByN8n',
				type: 'boolean',
				default: true,
				description:
					'Whether to return only webhooks that a Business Messaging Trigger registered. If off, only the others are returned, with those of questions that wait in the chat.',
			},
			...(kind === 'channel' ? [checkQuestionsField] : []),
			{
				...eventsField(kind),
				description: 'Return only webhooks with at least one of these events',
			},
			// The service lists only enabled template webhooks.
			...(kind === 'channel'
				? [{ ...statusField, description: 'Return only webhooks with this status' }]
				: []),
			{
				displayName: 'URL Contains',
				name: 'urlContains',
				type: 'string',
				default: '',
				placeholder: 'e.g. example.com',
				description: 'Return only webhooks whose URL contains this text',
			},
		],
	},
];

/** A question has a webhook, too, while it waits in the chat. */
const isOfTrigger = (webhook: Webhook): boolean =>
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
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: `Get many ${OWNERS[kind].plural}`,
		description:
			kind === 'channel'
				? "Retrieve a list of a channel's webhooks"
				: "Retrieve a list of the account's enabled template webhooks",
	},
	fields: fieldsOf(OWNERS[kind].resource, 'getAll', fields(kind)),
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
	const look = async (question: WaitingQuestion) => await lookAt(context, question, own);
	const removed = await withHostClock(
		context.getExecutionCancelSignal(),
		async (clock) => await removeGone(api, questions, look, clock),
	);
	return removed.map(({ webhook }) => webhook.id);
}
