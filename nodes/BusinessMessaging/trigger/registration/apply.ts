import { randomUUID } from 'node:crypto';

import type { CreateWebhookRequest, Webhook, WebhookWithSecret } from '../../service/contract';
import { isSameId } from '../../service/contract';
import { asError, ServiceError } from '../../service/errors';
import { OWNER_ATTRIBUTE } from '../../shared/ownerMark';
import { withoutSignatures } from '../../service/signedUrl';
import type { WebhookApi } from '../../service/webhooks';
import { deleteIfThere, isGone } from '../../service/webhooks';
import type { Knowledge, KnownWebhook, Step, WantedWebhook } from './plan';
import { holdsId, makePlan, isHidden, isOwn, SIGNING_ATTRIBUTE } from './plan';
import { hashToken } from '../../delivery/verify';

/** Rounds of list, makePlan, act. Two settle every case without other processes; more are needed only while those interfere. */
const ROUNDS_MAX = 6;

/** Takes what is known now, to be stored whether the run fails or not. */
export type Keep = (known: KnownWebhook | 'nothing') => void;

/** Why a registration could not be brought about, in words for the user. */
export class RegistrationError extends Error {
	constructor(
		message: string,
		/** What to do next, in whole sentences. */
		readonly hint: string,
	) {
		super(message);
		this.name = 'RegistrationError';
	}
}

interface Run {
	api: WebhookApi;
	wanted: WantedWebhook;
	knowledge: Knowledge;
	listed: readonly Webhook[];
}

/** Whether everything is as wanted already, and the secret known. */
export async function isAsWanted(
	api: WebhookApi,
	wanted: WantedWebhook,
	knowledge: Pick<Knowledge, 'stored' | 'listShowsDisabled'>,
): Promise<boolean> {
	const { steps, registered } = makePlan(await api.list(), wanted, knowledge);
	return steps.length === 0 && registered !== undefined;
}

/**
 * Lists, plans and acts until nothing is left to do. Touches only what is this node's own.
 * @param keep not called where another process of this n8n holds the secret: what is stored stays
 */
export async function applyPlan(
	api: WebhookApi,
	wanted: WantedWebhook,
	start: Pick<Knowledge, 'stored' | 'listShowsDisabled'>,
	keep: Keep,
): Promise<void> {
	const stored = start.stored && { ...start.stored };
	const knowledge: Knowledge = { ...start, ...(stored ? { stored } : {}) };
	const run: Run = { api, wanted, knowledge, listed: [] };
	try {
		const registered = await settle(run);
		if (registered) keep(registered);
	} catch (error) {
		const { made, gone } = knowledge;
		keep(made ?? (stored && !holdsId(gone, stored.id) ? stored : 'nothing'));
		throw asError(error);
	}
}

/** @returns the webhook; undefined when another process of this n8n holds its secret */
async function settle(run: Run): Promise<KnownWebhook | undefined> {
	for (let round = 0; round < ROUNDS_MAX; round++) {
		run.listed = await run.api.list();
		run.knowledge.before ??= new Set(run.listed.map(({ id }) => id));
		const { steps, registered } = makePlan(run.listed, run.wanted, run.knowledge);
		if (steps.length === 0) return registered;
		for (const step of steps) await take(run, step);
	}
	throw new RegistrationError(
		'The webhook did not settle: something else keeps changing it',
		'Check whether another n8n runs this workflow with the same webhook URL, and publish again.',
	);
}

async function take(run: Run, step: Step): Promise<void> {
	switch (step.kind) {
		case 'create':
			return await create(run);
		case 'adopt':
			return await adopt(run, step);
		case 'update':
			return await changeOrReplace(run, step.id, async () => await update(run, step));
		case 'delete':
			return await deleteOwn(run, step.id);
	}
}

async function create(run: Run): Promise<void> {
	const secretVersion = randomUUID();
	let created: WebhookWithSecret;
	try {
		created = await run.api.create(wholeWebhook(run.wanted, secretVersion));
	} catch (error) {
		throw explainRefusedCreate(error, run.listed);
	}
	remember(run, created, secretVersion);
	if (!created.secret) {
		throw new RegistrationError(
			'The service registered the webhook without giving a signing secret',
			'Check with the service that webhook signing is available to the account.',
		);
	}
}

async function adopt(run: Run, step: Extract<Step, { kind: 'adopt' }>): Promise<void> {
	const secretVersion = randomUUID();
	const { customAttributes, ...whole } = wholeWebhook(run.wanted, secretVersion);
	forget(run.knowledge, step.id, ['secret', 'secretVersion', 'tokenHash']);
	await changeOrReplace(run, step.id, async () => {
		const adopted = await run.api.update(step.id, {
			...whole,
			status: 'ENABLED',
			customAttributes: { ...step.customAttributes, ...customAttributes },
		});
		// A new secret that is not shown is lost: only a new webhook helps.
		if (adopted.secret) remember(run, { ...adopted, id: step.id }, secretVersion);
		else await deleteOwn(run, step.id);
	});
}

async function update(
	{ api, wanted, knowledge }: Run,
	{ id, changes }: Extract<Step, { kind: 'update' }>,
): Promise<void> {
	if (!changes.auth) return void (await api.update(id, changes));
	forget(knowledge, id, ['tokenHash']);
	await api.update(id, changes);
	const { stored, made } = knowledge;
	for (const known of [stored, made])
		if (known && isSameId(known.id, id)) known.tokenHash = hashToken(wanted.token);
}

/** Before a request that replaces it: should the response get lost, nobody knows what is in force, and what is not would refuse every event. */
function forget(
	{ stored, made }: Knowledge,
	id: string,
	names: ReadonlyArray<'secret' | 'secretVersion' | 'tokenHash'>,
): void {
	for (const known of [stored, made])
		if (known && isSameId(known.id, id)) for (const name of names) delete known[name];
}

function wholeWebhook(
	{ url, events, token, description, owner }: WantedWebhook,
	secretVersion: string,
): CreateWebhookRequest {
	return {
		url,
		events,
		description,
		signing: true,
		auth: { type: 'BEARER', token },
		payloadFormat: 'DEFAULT',
		customAttributes: { [OWNER_ATTRIBUTE]: owner, [SIGNING_ATTRIBUTE]: secretVersion },
	};
}

/** Where the service has no update, or does not know the webhook any more, the next round creates it anew. */
async function changeOrReplace(run: Run, id: string, change: () => Promise<void>): Promise<void> {
	try {
		await change();
	} catch (error) {
		if (!isUpdateUnknown(error)) throw asError(error);
		await deleteOwn(run, id);
	}
}

function isUpdateUnknown(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	if (error.reason === 'not_found' || error.reason === 'method_not_allowed') return true;
	// A 404 that is not the service's own, or a success whose body is not a webhook.
	return (
		error.reason === 'unexpected_response' &&
		(error.status === 404 || (error.status !== undefined && error.status < 300))
	);
}

async function deleteOwn(run: Run, id: string): Promise<void> {
	await deleteIfThere(run.api, id);
	const { knowledge } = run;
	knowledge.gone = new Set([...(knowledge.gone ?? []), id]);
	if (isSameId(knowledge.made?.id, id)) delete knowledge.made;
}

function remember(
	run: Run,
	{ id, secret, customAttributes }: WebhookWithSecret,
	secretVersion: string,
): void {
	// A version that the service did not keep cannot tell later whether the secret is still in force.
	const isKept = customAttributes?.[SIGNING_ATTRIBUTE] === secretVersion;
	const tokenHash = hashToken(run.wanted.token);
	run.knowledge.made = {
		id,
		url: run.wanted.url,
		...(isKept ? { secretVersion } : {}),
		...(secret ? { secret } : {}),
		tokenHash,
	};
}

/** A service may allow one webhook only. Then the user has to know which one holds the place. */
function explainRefusedCreate(error: unknown, listed: readonly Webhook[]): Error {
	const refused =
		error instanceof ServiceError &&
		['rejected', 'forbidden', 'invalid_request'].includes(error.reason);
	if (!refused || listed.length === 0) return asError(error);
	const holders = listed.map(({ url }) => withoutSignatures(withoutQuery(url))).join(', ');
	return new ServiceError(error.action, {
		...error.failure,
		cause: `${error.failure.cause}. The place may be held by ${holders}`,
		hint: 'If the service allows no further webhook beside it, unpublish the workflow or delete the webhook that holds the place, and try again. Nothing was changed.',
	});
}

/** A stranger's URL without what may be secret in it. */
function withoutQuery(url: string): string {
	return url.replace(/:\/\/[^/@]*@/g, '://').replace(/[?#].*/s, '');
}

/** What tells a node's own webhooks from all others when they are removed. */
export interface OwnToRemove extends Pick<WantedWebhook, 'url' | 'owner'> {
	/** What else stands at its URL was registered by hand: whoever did that removes it. */
	onlyStored?: boolean;
}

/**
 * Deletes all that is this node's own: what the list shows, and the stored id, which the list may not show. What cannot be deleted is reported
 * after everything else was tried.
 */
export async function removeOwn(
	api: WebhookApi,
	own: OwnToRemove,
	start: Pick<Knowledge, 'stored' | 'listShowsDisabled'>,
	keep: Keep,
): Promise<void> {
	const failures: Error[] = [];
	const { stored } = start;
	const ids = new Set<string>();
	let listed: Webhook[] | undefined;
	try {
		listed = await api.list();
		for (const webhook of listed)
			if (isOwn(webhook, own, start) && (!own.onlyStored || isSameId(webhook.id, stored?.id)))
				ids.add(webhook.id);
	} catch (error) {
		// A channel that is gone has taken its webhooks with it.
		if (!isGone(error)) failures.push(asError(error));
	}
	// A list that failed hides everything.
	const listShowsDisabled = listed !== undefined && start.listShowsDisabled;
	const isStoredHidden =
		stored !== undefined && isHidden(stored, listed ?? [], own.url, { listShowsDisabled });
	if (isStoredHidden) ids.add(stored.id);
	// Registered with another URL, it is deleted once its mark can be seen.
	const isStoredUnseen = failures.length > 0 && !isStoredHidden;

	for (const id of ids) {
		try {
			await deleteIfThere(api, id);
			ids.delete(id);
		} catch (error) {
			failures.push(asError(error));
		}
	}
	keep(stored && (isStoredUnseen || holdsId(ids, stored.id)) ? stored : 'nothing');
	const [failure] = failures;
	if (failure) throw failure;
}
