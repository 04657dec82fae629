import { randomUUID } from 'node:crypto';

import { isSameId } from '../../service/contract';
import type { CreateWebhookRequest, Webhook, WebhookWithSecret } from '../../service/contract';
import { asError, ServiceError } from '../../service/errors';
import { NODE_ATTRIBUTE } from '../../shared/node/nodeMark';
import { deleteIfThere, type WebhookApi } from '../../service/webhooks';
import { holdsId, makePlan, isHidden, movedAway, SIGNING_ATTRIBUTE } from './plan';
import type { RunMemory, KnownWebhook, MovedWebhook, Step, WantedWebhook } from './plan';
import { hashToken } from '../../delivery/open';
import { RegistrationError } from '../registrationError';

/** Rounds of list, plan, act. Two are enough unless other processes interfere. */
const ROUNDS_MAX = 6;

/** Stores what a run, also a failed one, knows. @param moved what goes to another address */
export type StoreWebhook = (known: KnownWebhook | 'nothing', moved?: MovedWebhook) => void;

interface Run {
	api: WebhookApi;
	wanted: WantedWebhook;
	memory: RunMemory;
	listed: readonly Webhook[];
	moved?: MovedWebhook | undefined;
}

/** What the list shows, and what it may hide. */
async function listWebhooks(
	api: WebhookApi,
	url: string,
	memory: Pick<RunMemory, 'stored' | 'listShowsDisabled' | 'gone'>,
): Promise<readonly Webhook[]> {
	const listed = await api.list();
	const { stored } = memory;
	if (!stored || !isHidden(stored, listed, url, memory)) return listed;
	try {
		return [...listed, await api.get(stored.id)];
	} catch (error) {
		if (!isUnknown(error)) throw asError(error);
		return listed;
	}
}

/** Whether the service has what is wanted, and the secret is known. */
export async function isAsWanted(
	api: WebhookApi,
	wanted: WantedWebhook,
	memory: Pick<RunMemory, 'stored' | 'listShowsDisabled'>,
): Promise<boolean> {
	const { steps, registered } = makePlan(
		await listWebhooks(api, wanted.url, memory),
		wanted,
		memory,
	);
	return steps.length === 0 && registered !== undefined;
}

/**
 * Lists, plans and acts until nothing is left to do. Touches only the node's own webhooks.
 * @param store not called if another process of this n8n holds the secret, so what is stored stays
 * @returns what the service listed last
 */
export async function applyPlan(
	api: WebhookApi,
	wanted: WantedWebhook,
	start: Pick<RunMemory, 'stored' | 'listShowsDisabled'>,
	store: StoreWebhook,
): Promise<readonly Webhook[]> {
	const stored = start.stored && { ...start.stored };
	const memory: RunMemory = { ...start, ...(stored ? { stored } : {}) };
	const run: Run = { api, wanted, memory, listed: [] };
	try {
		const registered = await carryOut(run);
		if (registered) store(registered, run.moved);
		return run.listed;
	} catch (error) {
		const { made, gone } = memory;
		const isKept = stored && !run.moved && !holdsId(gone, stored.id);
		store(made ?? (isKept ? stored : 'nothing'), run.moved);
		throw asError(error);
	}
}

/** @returns the webhook, or undefined if another process of this n8n holds its secret */
async function carryOut(run: Run): Promise<KnownWebhook | undefined> {
	for (let round = 0; round < ROUNDS_MAX; round++) {
		run.listed = await listWebhooks(run.api, run.wanted.url, run.memory);
		run.moved ??= movedAway(run.memory.stored, run.listed, run.wanted);
		run.memory.before ??= new Set(run.listed.map(({ id }) => id));
		const { steps, registered } = makePlan(run.listed, run.wanted, run.memory);
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

/** @param after as the service confirmed it. If it is as before, the list is right */
function noteChanged({ memory, listed }: Run, id: string, after: Webhook): void {
	const before = JSON.stringify(listed.find((webhook) => webhook.id === id));
	if (before !== JSON.stringify(after)) memory.changed = new Set(memory.changed).add(before);
}

async function create(run: Run): Promise<void> {
	const secretVersion = randomUUID();
	const created = await run.api.create(wholeWebhook(run.wanted, secretVersion));
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
	forget(run.memory, step.id, ['secret', 'secretVersion', 'tokenHash']);
	await changeOrReplace(run, step.id, async () => {
		const adopted = await run.api.update(step.id, {
			...whole,
			status: 'ENABLED',
			customAttributes: { ...step.customAttributes, ...customAttributes },
		});
		noteChanged(run, step.id, adopted);
		// A new secret that is not shown is lost, so only a new webhook helps.
		if (adopted.secret) remember(run, { ...adopted, id: step.id }, secretVersion);
		else await deleteOwn(run, step.id);
	});
}

async function update(run: Run, { id, changes }: Extract<Step, { kind: 'update' }>): Promise<void> {
	const { api, wanted, memory } = run;
	if (changes.auth) forget(memory, id, ['tokenHash']);
	noteChanged(run, id, await api.update(id, changes));
	if (!changes.auth) return;
	const { stored, made } = memory;
	for (const known of [stored, made])
		if (known && isSameId(known.id, id)) known.tokenHash = hashToken(wanted.token);
}

/** Before a request that replaces it: if the response is lost, nobody knows what is in force. */
function forget(
	{ stored, made }: RunMemory,
	id: string,
	names: ReadonlyArray<'secret' | 'secretVersion' | 'tokenHash'>,
): void {
	for (const known of [stored, made])
		if (known && isSameId(known.id, id)) for (const name of names) delete known[name];
}

const wholeWebhook = (
	{ url, events, token, description, node }: WantedWebhook,
	secretVersion: string,
): CreateWebhookRequest => ({
	url,
	events,
	description,
	signing: true,
	auth: { type: 'BEARER', token },
	payloadFormat: 'DEFAULT',
	customAttributes: { [NODE_ATTRIBUTE]: node, [SIGNING_ATTRIBUTE]: secretVersion },
});

/** If the service cannot update the webhook or has lost it, the next round creates a new one. */
async function changeOrReplace(run: Run, id: string, change: () => Promise<void>): Promise<void> {
	try {
		await change();
	} catch (error) {
		if (!isUnknown(error)) throw asError(error);
		await deleteOwn(run, id);
	}
}

/** Whether the service has no such webhook, or offers no such request. */
function isUnknown(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	if (error.reason === 'not_found' || error.reason === 'method_not_allowed') return true;
	// A 404 of something between n8n and the service, or a 2xx whose body is not a webhook.
	return (
		error.reason === 'unexpected_response' &&
		(error.status === 404 || (error.status !== undefined && error.status < 300))
	);
}

async function deleteOwn(run: Run, id: string): Promise<void> {
	await deleteIfThere(run.api, id);
	const { memory } = run;
	memory.gone = new Set([...(memory.gone ?? []), id]);
	if (isSameId(memory.made?.id, id)) delete memory.made;
}

function remember(
	run: Run,
	{ id, secret, customAttributes }: WebhookWithSecret,
	secretVersion: string,
): void {
	// Only a version that the service kept can tell later whether the secret is still in force.
	const isKept = customAttributes?.[SIGNING_ATTRIBUTE] === secretVersion;
	const tokenHash = hashToken(run.wanted.token);
	run.memory.made = {
		id,
		url: run.wanted.url,
		...(isKept ? { secretVersion } : {}),
		...(secret ? { secret } : {}),
		tokenHash,
	};
}
