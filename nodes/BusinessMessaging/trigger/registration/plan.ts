import { isSameId, type UpdateWebhookRequest, type Webhook } from '../../service/contract';
import { asPlainObject } from '../../service/parseJson';
import { hashToken } from '../../delivery/open';
import { NODE_ATTRIBUTE, type NodeMark } from '../../shared/node/nodeMark';

/** The attribute with the ID of the secret in force. n8n makes up the ID of each new secret. */
export const SIGNING_ATTRIBUTE = 'n8nSigning';

export interface WantedWebhook {
	url: string;
	events: string[];
	/** Sent with each delivery as `Authorization: Bearer`. */
	token: string;
	description: string;
	node: NodeMark;
}

/** What this node knows of its webhook, from its static data or from a response of the service. */
export interface KnownWebhook {
	id: string;
	/** The URL that it was registered with. */
	url?: string;
	secret?: string;
	secretVersion?: string;
	/** Hash of the token that the service sends. Missing while it is uncertain which one that is. */
	tokenHash?: string;
}

/** What a run remembers from one round to the next. */
export interface RunMemory {
	/** From static data. Every process of this n8n starts with the same. */
	stored?: KnownWebhook;
	/** The webhook that this run created or gave a new secret. */
	made?: KnownWebhook;
	/** IDs that this run deleted, or found deleted. */
	gone?: ReadonlySet<string>;
	/** IDs that were listed when this run began. */
	before?: ReadonlySet<string>;
	/** Webhooks as they were listed before this run changed them. */
	changed?: ReadonlySet<string>;
	/** False for template webhooks: their list shows only enabled ones (docs/contract.md). */
	listShowsDisabled: boolean;
}

export type Step =
	| { kind: 'create' }
	/** Set everything that is wanted and ask for a new secret. */
	| { kind: 'adopt'; id: string; customAttributes: Record<string, unknown> }
	/** Change what differs. The secret stays. */
	| { kind: 'update'; id: string; changes: UpdateWebhookRequest }
	| { kind: 'delete'; id: string };

export interface Plan {
	steps: Step[];
	/** Without steps: the webhook, or undefined if another process of this n8n holds its secret. */
	registered?: KnownWebhook;
}

/**
 * The steps after which exactly one webhook is this node's: enabled, with the wanted events and a
 * known secret. After the steps, the caller lists and plans again, until there are none.
 */
export function makePlan(
	listed: readonly Webhook[],
	wanted: WantedWebhook,
	memory: RunMemory,
): Plan {
	const { stored, made, gone, changed } = memory;
	const own = listed.filter((webhook) => isOwn(webhook, wanted) && !holdsId(gone, webhook.id));
	const keeper =
		own.find((webhook) => stored !== undefined && holdsSecret(stored, webhook)) ??
		[...own].sort(byAge)[0];
	// The service confirmed it. A list that lags behind must not lead to a second one.
	if (!keeper) return made ? { steps: [], registered: made } : { steps: [{ kind: 'create' }] };

	// The list can be a second behind. What this run changed since is no sign of another process.
	const isBehind = changed?.has(JSON.stringify(keeper)) === true;
	const known = [made, stored].find(
		(webhook) =>
			webhook !== undefined &&
			(holdsSecret(webhook, keeper) || (isBehind && isSameId(webhook.id, made?.id))),
	);
	const changes = isBehind ? {} : differences(keeper, wanted, known);
	const steps: Step[] = [];
	if (!isBehind && (known ? keeper.signing === false : !isRival(keeper, memory))) {
		steps.push({ kind: 'adopt', id: keeper.id, customAttributes: keeper.customAttributes ?? {} });
	} else if (Object.keys(changes).length > 0) {
		steps.push({ kind: 'update', id: keeper.id, changes });
	}
	// Deletes come last, so that there is a webhook at every moment.
	for (const { id } of own) if (id !== keeper.id) steps.push({ kind: 'delete', id });
	return steps.length > 0 || !known ? { steps } : { steps, registered: known };
}

/** It goes to this very URL. A restored copy of the database has the same ID and mark. */
export const isOwn = (webhook: Webhook, { url }: Pick<WantedWebhook, 'url'>): boolean =>
	webhook.url === url;

/** A webhook that the node registered, and that goes to another address. */
export interface MovedWebhook {
	id: string;
	url: string;
}

/** The stored webhook, if it goes to another copy of this n8n, or a former address. It stays. */
export function movedAway(
	stored: KnownWebhook | undefined,
	listed: readonly Webhook[],
	wanted: Pick<WantedWebhook, 'url' | 'node'>,
): MovedWebhook | undefined {
	const webhook = stored && listed.find(({ id }) => isSameId(id, stored.id));
	// n8n keeps static data by the node's name, so a renamed or imported node can find the ID of
	// another node's webhook there. The mark of that webhook tells.
	return webhook && !isOwn(webhook, wanted) && !isMarkedAsOthers(webhook, wanted.node)
		? { id: webhook.id, url: webhook.url }
		: undefined;
}

/** Whether the webhook's mark names another n8n, workflow or node, as far as both are known. */
export function isMarkedAsOthers(
	webhook: Webhook,
	own: { [name in keyof NodeMark]?: string | undefined },
): boolean {
	const mark = asPlainObject(webhook.customAttributes?.[NODE_ATTRIBUTE]);
	return Object.entries(own).some(
		([name, value]) =>
			typeof mark[name] === 'string' && value !== undefined && mark[name] !== value,
	);
}

/** Whether the stored webhook may still exist, DISABLED, though the list does not show it. */
export const isHidden = (
	stored: KnownWebhook,
	listed: readonly Webhook[],
	url: string,
	{ listShowsDisabled, gone }: Pick<RunMemory, 'listShowsDisabled' | 'gone'>,
): boolean =>
	!listShowsDisabled &&
	stored.url === url &&
	!holdsId(gone, stored.id) &&
	!listed.some(({ id }) => isSameId(id, stored.id));

/** Whether an ID is among these, in any spelling. */
export const holdsId = (ids: ReadonlySet<string> | undefined, id: string): boolean =>
	ids !== undefined && [...ids].some((known) => isSameId(known, id));

/** Whether the known secret is in force. Without a version from the service, it counts as such. */
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
 * Whether another process of this n8n registered the webhook, or gave it a new secret, during this
 * run (in 1.123 every main does). That process stores the secret, and a new one would replace it.
 */
const isRival = (webhook: Webhook, { made, before }: RunMemory): boolean =>
	isSameId(webhook.id, made?.id) || (before !== undefined && !holdsId(before, webhook.id));

/** The oldest first, so that every process of this n8n keeps the same one of several. */
const byAge = (one: Webhook, other: Webhook): number =>
	compare(one.createdAt ?? '', other.createdAt ?? '') || compare(one.id, other.id);

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

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
	// Where the service does not say so, it counts as set. Otherwise no round would be the last.
	const { type, configured } = webhook.auth ?? {};
	const tokenIsSet = configured !== false && (!type || type === 'BEARER');
	// The token depends on the URL and the secret key. The service does not show which one it has, so
	// a different hash, or none, sets it anew.
	const isAnother = known !== undefined && known.tokenHash !== hashToken(wanted.token);
	if (!tokenIsSet || isAnother) changes.auth = { type: 'BEARER', token: wanted.token };
	return changes;
}
