import { resourceOf } from '../../shared/operation';
import { create } from './create';
import { deleteWebhook } from './delete';
import { getAll } from './getAll';
import type { OwnerKind } from './owners';
import { OWNERS } from './owners';
import { update } from './update';

const webhookResource = (kind: OwnerKind) =>
	resourceOf(
		OWNERS[kind].resource,
		[create(kind), deleteWebhook(kind), getAll(kind), update(kind)],
		'getAll',
	);

export const webhook = webhookResource('channel');
export const templateWebhook = webhookResource('template');
