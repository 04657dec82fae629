import { createWebhookRequestSchema, updateWebhookRequestSchema } from '../../service/contract';
import { withoutSecrets } from '../../service/secrets';
import { webhookApi } from '../../service/webhooks';
import { type BatchOperation, type ItemOperation, resourceOf } from '../../shared/node/operation';
import { readId, readRequired } from '../../shared/node/parameters';
import { getAll, presentWebhook } from './getAllWebhooks.operation';
import {
	commonFields,
	eventsField,
	OWNERS,
	readWebhookOwner,
	statusField,
	urlField,
	readRequest,
} from './webhookFields';
import type { OwnerKind } from './webhookFields';
import { asPlainObject } from '../../service/parseJson';
import { collectionField } from '../../shared/node/fields';
import { addHint } from '../../shared/node/hints';
import { type Change, doEachOnce } from '../doEachOnce';

const create = (kind: OwnerKind): BatchOperation => ({
	name: 'Create',
	value: 'create',
	action: `Create ${OWNERS[kind].singular}`,
	description:
		kind === 'channel'
			? 'Create a webhook for events of the channel. Gives its ID, and its secret if it signs.'
			: 'Create a template webhook for template events. The first can take up to 5 minutes.',
	fields: [
		...OWNERS[kind].ownerFields,
		{ ...urlField, required: true },
		{ ...eventsField(kind), required: true },
		collectionField('Additional Fields', 'additionalFields', 'Field', commonFields(kind)),
	],
	executeAll: async (context, client) =>
		await doEachOnce(context, creationOf(kind), async (item, once) => {
			const owner = readWebhookOwner(context, kind, item);
			const request = readRequest(createWebhookRequestSchema, {
				payloadFormat: 'DEFAULT',
				...asPlainObject(context.getNodeParameter('additionalFields', item, {})),
				url: readRequired(context, 'url', 'URL', item),
				events: context.getNodeParameter('events', item, []),
			});
			const api = webhookApi(client, owner);
			let shownOnce = {};
			const made = await once(item, `create ${api.place} ${request.url}`, async () => {
				const { secret, ...webhook } = await api.create(request);
				if (secret) shownOnce = { secret };
				return JSON.stringify(withoutSecrets(presentWebhook(webhook, context.getInstanceId())));
			});
			if (request.signing && !('secret' in shownOnce))
				addHint(context, `The secret of item ${item} is lost. Make a new one with Update.`);
			return { ...asPlainObject(JSON.parse(made)), ...shownOnce };
		}),
});

const creationOf = (kind: OwnerKind): Change => ({
	done: `${OWNERS[kind].singular} was created`,
	look: 'Look with Get Many whether it is there, before you create it again.',
	asGiven: ['secret'],
});

const update = (kind: OwnerKind): ItemOperation => ({
	name: 'Update',
	value: 'update',
	action: `Update ${OWNERS[kind].singular}`,
	description: `Change or pause a ${OWNERS[kind].singular}. Fields that you do not add stay as they are.`,
	fields: [
		...OWNERS[kind].selectionFields,
		collectionField('Update Fields', 'updateFields', 'Field', [
			...commonFields(kind),
			{
				...eventsField(kind),
				description:
					'The events that the service delivers to the URL. They replace all earlier ones.',
			},
			statusField,
			urlField,
		]),
	],
	asGiven: ['secret'],
	async executeItem(context, client, itemIndex) {
		const owner = readWebhookOwner(context, kind, itemIndex);
		const id = readId(context, 'webhookId', 'Webhook', itemIndex);
		const changes = readRequest(
			updateWebhookRequestSchema,
			asPlainObject(context.getNodeParameter('updateFields', itemIndex, {})),
		);
		if (Object.keys(changes).length === 0)
			throw new Error('"Update Fields" is empty. Add at least one field to change.');
		const { secret, ...webhook } = await webhookApi(client, owner).update(id, changes);
		// Without a rotation, the secret is the one that was shown before.
		const isNew = changes.signing && secret;
		return { ...presentWebhook(webhook, context.getInstanceId()), ...(isNew ? { secret } : {}) };
	},
});

const deleteWebhook = (kind: OwnerKind): ItemOperation => ({
	name: 'Delete',
	value: 'delete',
	action: `Delete ${OWNERS[kind].singular}`,
	description: `Delete a ${OWNERS[kind].singular} permanently. Its URL gets no more events.`,
	fields: OWNERS[kind].selectionFields,
	async executeItem(context, client, itemIndex) {
		const owner = readWebhookOwner(context, kind, itemIndex);
		const id = readId(context, 'webhookId', 'Webhook', itemIndex);
		await webhookApi(client, owner).delete(id);
		return {
			deleted: true,
			id,
			...(owner.kind === 'channel' ? { channelId: owner.channelId } : {}),
		};
	},
});

const webhookResource = (kind: OwnerKind) =>
	resourceOf(
		OWNERS[kind].resource,
		[create(kind), deleteWebhook(kind), getAll(kind), update(kind)],
		'getAll',
	);

export const webhook = webhookResource('channel');
export const templateWebhook = webhookResource('template');
