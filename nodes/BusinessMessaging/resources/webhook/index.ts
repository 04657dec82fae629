import { resourceOf } from '../../shared/operation';
import { create } from './create';
import { deleteWebhook } from './delete';
import { getAll } from './getAll';
import type { WebhookKind } from './kind';
import { KINDS } from './kind';
import { update } from './update';

const webhookResource = (kind: WebhookKind) =>
	resourceOf(
		KINDS[kind].resource,
		[create(kind), deleteWebhook(kind), getAll(kind), update(kind)],
		'getAll',
	);

export const webhook = webhookResource('channel');
export const templateWebhook = webhookResource('template');
