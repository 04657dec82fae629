import type { UpdateWebhookRequest, Webhook } from '../../service/contract';
import { isSameId } from '../../service/contract';
import { hashToken } from '../../delivery/verify';
import type { OwnerMark } from '../../shared/ownerMark';
import { OWNER_ATTRIBUTE } from '../../shared/ownerMark';

/** Under this key stands which of the secrets that the service gave out is in force: n8n made it up when it asked for the secret. */
export const SIGNING_ATTRIBUTE = 'n8nSigning';

/** What this node wants to be registered. */
export interface WantedWebhook {
	url: string;
	events: string[];
	/** Sent with each delivery as `Authorization: Bearer`. */
	token: string;
	description: string;
	owner: OwnerMark;
}

/** What this node knows of its webhook, from its static data or from a response of the service. */
export interface KnownWebhook {
	id: string;
	/** The URL that it was registered with. */
	url?: string;
	secret?: string;
	secretVersion?: string;
	/** Of the token that the service was given. Missing while that is not certain, and in the state that older versions stored. */
	tokenHash?: string;
}

/** What a run of the reconciliation knows when it decides. */
export interface Knowledge {
	/** From static data: every process of this n8n starts with the same. */
	stored?: KnownWebhook;
	/** What this run created or gave a new secret. */
	made?: KnownWebhook;
	/** Ids that the service no longer knows, though they were stored. */
	gone?: ReadonlySet<string>;
	/** Ids that were listed when this run began. */
	before?: ReadonlySet<string>;
	/** The list of template webhooks shows the enabled ones only (docs/contract.md). */
	listShowsDisabled: boolean;
}

export type Step =
	| { kind: 'create' }
	/** Give it everything that is wanted and ask for a new secret. */
	| { kind: 'adopt'; id: string; customAttributes: Record<string, unknown> }
	/** Change what differs, and leave the secret alone. */
	| { kind: 'update'; id: string; changes: UpdateWebhookRequest }
	| { kind: 'delete'; id: string };

export interface Plan {
	steps: Step[];
	/** With no steps: the webhook as it stands. Undefined when another process of this n8n holds its secret. */
	registered?: KnownWebhook;
}

/**
 * What has to be done so that exactly one webhook is this node's, enabled, with the wanted events and a known secret. Decides from the service's
 * list alone, and is asked again after its steps were taken, until there are none.
 */
export function makePlan(
	listed: readonly Webhook[],
	wanted: WantedWebhook,
	knowledge: Knowledge,
): Plan {
	const { stored, made } = knowledge;
	const own = listed.filter((webhook) => isOwn(webhook, wanted, knowledge));
	const keeper =
		own.find((webhook) => stored !== undefined && holdsSecret(stored, webhook)) ??
		[...own].sort(byAge)[0];
	if (!keeper) return decideWithoutOwn(listed, wanted, knowledge);

	const known = [made, stored].find(
		(webhook) => webhook !== undefined && holdsSecret(webhook, keeper),
	);
	const changes = differences(keeper, wanted, known);
	const steps: Step[] = [];
	if (known ? keeper.signing === false : !isRival(keeper, knowledge)) {
		steps.push({ kind: 'adopt', id: keeper.id, customAttributes: keeper.customAttributes ?? {} });
	} else if (Object.keys(changes).length > 0) {
		steps.push({ kind: 'update', id: keeper.id, changes });
	}
	// Last, so that there is a webhook at every moment.
	for (const { id } of own) if (id !== keeper.id) steps.push({ kind: 'delete', id });
	if (stored && isHidden(stored, listed, wanted.url, knowledge))
		steps.push({ kind: 'delete', id: stored.id });
	return steps.length > 0 || !known ? { steps } : { steps, registered: known };
}

/** The webhooks that this node may change or delete: the id it stored, or its exact URL. All others are strangers'. */
export function isOwn(
	webhook: Webhook,
	wanted: Pick<WantedWebhook, 'url' | 'owner'>,
	knowledge: Pick<Knowledge, 'stored' | 'made'>,
): boolean {
	if (webhook.url === wanted.url || isSameId(webhook.id, knowledge.made?.id)) return true;
	// n8n keeps static data by the node's name, so a renamed or imported node can find another node's id there: its mark tells.
	return isSameId(webhook.id, knowledge.stored?.id) && !isMarkedAsOthers(webhook, wanted.owner);
}

function isMarkedAsOthers(webhook: Webhook, owner: OwnerMark): boolean {
	const mark = webhook.customAttributes?.[OWNER_ATTRIBUTE];
	if (typeof mark !== 'object' || mark === null) return false;
	const marked = new Map<string, unknown>(Object.entries(mark));
	return Object.entries(owner).some(
		([name, value]) =>
			typeof marked.get(name) === 'string' && value !== undefined && marked.get(name) !== value,
	);
}

function decideWithoutOwn(
	listed: readonly Webhook[],
	wanted: WantedWebhook,
	knowledge: Knowledge,
): Plan {
	const { stored, made } = knowledge;
	// The service confirmed it; a list that lags behind must not lead to a second one.
	if (made) return { steps: [], registered: made };
	if (stored && isHidden(stored, listed, wanted.url, knowledge)) {
		if (!stored.secret) return { steps: [{ kind: 'adopt', id: stored.id, customAttributes: {} }] };
		return {
			steps: [
				{ kind: 'update', id: stored.id, changes: { status: 'ENABLED', events: wanted.events } },
			],
		};
	}
	return { steps: [{ kind: 'create' }] };
}

/**
 * Whether the stored webhook may still exist, DISABLED, though the list does not show it. Its mark cannot be seen then, so it counts as this node's
 * only if it was registered with this very URL.
 */
export function isHidden(
	stored: KnownWebhook,
	listed: readonly Webhook[],
	url: string,
	{ listShowsDisabled, gone }: Pick<Knowledge, 'listShowsDisabled' | 'gone'>,
): boolean {
	return (
		!listShowsDisabled &&
		stored.url === url &&
		!holdsId(gone, stored.id) &&
		!listed.some(({ id }) => isSameId(id, stored.id))
	);
}

/** Whether an id is among these, however it is written. */
export function holdsId(ids: ReadonlySet<string> | undefined, id: string): boolean {
	return ids !== undefined && [...ids].some((known) => isSameId(known, id));
}

/** Whether the secret that is known is the one in force. A version that the service does not give back says nothing. */
function holdsSecret(known: KnownWebhook, webhook: Webhook): boolean {
	if (!isSameId(known.id, webhook.id) || !known.secret) return false;
	const inForce = webhook.customAttributes?.[SIGNING_ATTRIBUTE];
	return (
		typeof inForce !== 'string' ||
		known.secretVersion === undefined ||
		inForce === known.secretVersion
	);
}

/**
 * Whether another process of this n8n registered the webhook, or gave it a new secret, while this run was under way (1.123 lets every main do it).
 * That process stores the secret: a new one would make its secret worthless.
 */
function isRival(webhook: Webhook, { made, before }: Knowledge): boolean {
	return isSameId(webhook.id, made?.id) || (before !== undefined && !holdsId(before, webhook.id));
}

/** The oldest first: of several own webhooks every process of this n8n keeps the same. */
function byAge(one: Webhook, other: Webhook): number {
	return compare(one.createdAt ?? '', other.createdAt ?? '') || compare(one.id, other.id);
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}

function differences(
	webhook: Webhook,
	wanted: WantedWebhook,
	known: KnownWebhook | undefined,
): UpdateWebhookRequest {
	const has = new Set(webhook.events);
	const sameEvents =
		has.size === new Set(wanted.events).size && wanted.events.every((event) => has.has(event));
	const changes: UpdateWebhookRequest = {};
	if (webhook.status !== 'ENABLED') changes.status = 'ENABLED';
	if (!sameEvents) changes.events = wanted.events;
	if (webhook.payloadFormat && webhook.payloadFormat !== 'DEFAULT')
		changes.payloadFormat = 'DEFAULT';
	const tokenIsSet = !webhook.auth || (webhook.auth.type === 'BEARER' && webhook.auth.configured);
	if (webhook.url !== wanted.url) changes.url = wanted.url;
	// The token belongs to the URL and to the secret key. Which one is set cannot be read, so another hash than its own, or none, asks for it anew.
	const isAnother = known !== undefined && known.tokenHash !== hashToken(wanted.token);
	if (webhook.url !== wanted.url || !tokenIsSet || isAnother)
		changes.auth = { type: 'BEARER', token: wanted.token };
	return changes;
}
