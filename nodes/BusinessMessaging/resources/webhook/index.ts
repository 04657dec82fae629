import { operationField } from '../shared/operation';
import { create } from './create';
import { deleteWebhook } from './delete';
import { getAll } from './getAll';
import type { WebhookKind } from './kind';
import { KINDS } from './kind';
import { update } from './update';

/** The operations and fields of one kind of webhook. */
export function webhookResource(kind: WebhookKind) {
	const operations = { create: create(kind), delete: deleteWebhook(kind), getAll: getAll(kind), update: update(kind) };
	const all = Object.values(operations);
	return { operations, fields: [operationField(KINDS[kind].resource, all, 'getAll'), ...all.flatMap(({ fields }) => fields)] };
}

export const { operations, fields } = webhookResource('channel');
