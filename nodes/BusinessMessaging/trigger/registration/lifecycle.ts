import type { IHookFunctions, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ServiceClient } from '../../service/client';
import { createServiceClient, CREDENTIAL_TYPE } from '../../service/client';
import { isSameId } from '../../service/contract';
import { ServiceError, toNodeError } from '../../service/errors';
import type { WebhookApi, WebhookOwner } from '../../service/webhooks';
import { webhookApi } from '../../service/webhooks';
import { checkManualRegistration, readManualProof, requireManualProof } from './manual';
import { judgeReachability } from '../../shared/reachability';
import type { Keep, OwnToRemove } from './apply';
import { applyPlan, isAsWanted, RegistrationError, removeOwn } from './apply';
import type { KnownWebhook, WantedWebhook } from './plan';
import { describeOwner, ownerMark } from '../../shared/ownerMark';
import { asSentence } from '../../shared/words';
import type { RegistrationSettings } from '../settings';
import { isManual, readSource, readRegistrationSettings } from '../settings';
import type { StoredState } from './state';
import { clearState, readState, writeState } from './state';
import { deriveToken, receiverOf } from './token';

/** n8n asks whether everything is as wanted; if not, it calls `register`. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await explained(context, 'start', async () => {
		const work = await prepare(context);
		if (work.settings.manual) return await checkManual(context, work);
		const stored = readStored(context, work.url);
		if (stored && !isSameOwner(stored.owner, work.settings.owner)) return false;
		return await isAsWanted(
			work.api,
			await describeWanted(context, work),
			startOf(stored, work.settings.owner),
		);
	});
}

/** Brings about what is wanted, or throws: n8n ignores what it returns. */
export async function register(context: IHookFunctions): Promise<boolean> {
	return await explained(context, 'start', async () => {
		const work = await prepare(context);
		if (work.settings.manual) return await checkManual(context, work);
		const { settings, client, api, url } = work;
		warnOrRefuse(context, work);
		await leaveFormerOwner(context, client, { url, owner: ownerMark(context) }, settings.owner);
		const wanted = await describeWanted(context, work);
		const start = startOf(readStored(context, url), settings.owner);
		await applyPlan(api, wanted, start, keepIn(context, settings.owner));
		if (settings.owner.kind === 'template') {
			context.logger.info(
				'A template webhook was registered: the service can take up to about 5 minutes to send its first events',
				logFields(context),
			);
		}
		return true;
	});
}

/** Deletes all that is this node's, or throws: a false would leave it behind unseen. */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	return await explained(context, 'end', async () => {
		const url = webhookUrl(context);
		const owner = readSource(context);
		const manual = isManual(context);
		// Whoever registered by hand removes by hand. What the node itself registered, and stored, is still its own.
		if (!readStored(context, url) && (manual || !owner)) return true;
		const client = await createServiceClient(context);
		const own = { url, owner: ownerMark(context), onlyStored: manual };
		await leaveFormerOwner(context, client, own, owner);
		if (!owner) return true;
		const start = startOf(readStored(context, url), owner);
		await removeOwn(webhookApi(client, owner), own, start, keepIn(context, owner));
		return true;
	});
}

interface Work {
	settings: RegistrationSettings;
	client: ServiceClient;
	api: WebhookApi;
	url: string;
}

async function prepare(context: IHookFunctions): Promise<Work> {
	const settings = readRegistrationSettings(context);
	const client = await createServiceClient(context);
	return { settings, client, api: webhookApi(client, settings.owner), url: webhookUrl(context) };
}

/** A person who changes the node's channel or source would otherwise leave the webhook of the former one behind. */
async function leaveFormerOwner(
	context: IHookFunctions,
	client: ServiceClient,
	own: OwnToRemove,
	owner: WebhookOwner | undefined,
): Promise<void> {
	const stored = readStored(context, own.url);
	if (!stored || (owner && isSameOwner(stored.owner, owner))) return;
	const { owner: former } = stored;
	const start = startOf(stored, former);
	await removeOwn(webhookApi(client, former), own, start, keepIn(context, former));
}

async function checkManual(
	context: IHookFunctions,
	{ settings, api, url, client }: Work,
): Promise<true> {
	requireManualProof(readManualProof(await context.getCredentials(CREDENTIAL_TYPE)));
	warnOrRefuse(context, { url, client });
	checkManualRegistration(await api.list(), url, settings.events, settings.owner);
	return true;
}

function warnOrRefuse(
	context: IHookFunctions,
	{ url, client }: Pick<Work, 'url' | 'client'>,
): void {
	const reachability = judgeReachability(url, client.baseUrl);
	if (reachability.verdict === 'fine') return;
	if (reachability.verdict === 'unreachable')
		throw new RegistrationError(reachability.problem, reachability.remedy);
	context.logger.warn(`${reachability.problem}. ${reachability.remedy}`, logFields(context));
}

async function describeWanted(
	context: IHookFunctions,
	{ url, settings }: Work,
): Promise<WantedWebhook> {
	const { secretKey } = await context.getCredentials(CREDENTIAL_TYPE);
	if (typeof secretKey !== 'string' || secretKey === '')
		throw new RegistrationError(
			'The credential has no secret key',
			'Enter the Secret Key in the credential.',
		);
	return {
		url,
		events: settings.events,
		token: deriveToken(secretKey, receiverOf(context, url)),
		description: describeOwner(context),
		owner: ownerMark(context),
	};
}

function webhookUrl(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default');
	if (url) return url;
	throw new RegistrationError(
		'n8n gave no webhook URL for this node',
		'Save the workflow and publish it again.',
	);
}

function readStored(context: IHookFunctions, url: string): StoredState | undefined {
	const stored = readState(context.getWorkflowStaticData('node'));
	// A test has its own state. Were it given production's, production's webhook must still not be taken for the test's.
	return context.getActivationMode() === 'manual' && stored?.webhook.url !== url
		? undefined
		: stored;
}

function isSameOwner(one: WebhookOwner, other: WebhookOwner): boolean {
	return one.kind === 'channel' && other.kind === 'channel'
		? isSameId(one.channelId, other.channelId)
		: one.kind === other.kind;
}

function startOf(
	stored: StoredState | undefined,
	owner: WebhookOwner,
): { stored?: KnownWebhook; listShowsDisabled: boolean } {
	return {
		...(stored ? { stored: stored.webhook } : {}),
		listShowsDisabled: owner.kind === 'channel',
	};
}

/** Stores what becomes of a run, and only what changes. */
function keepIn(context: IHookFunctions, owner: WebhookOwner): Keep {
	return (known) => {
		const data = context.getWorkflowStaticData('node');
		if (known === 'nothing') clearState(data);
		else writeState(data, known, owner);
	};
}

function logFields(context: IHookFunctions): { workflowId?: string; node: string } {
	const { id } = context.getWorkflow();
	return { ...(id ? { workflowId: id } : {}), node: context.getNode().name };
}

/** What a person was about to do, by what the lifecycle method is for. */
const ACTS = {
	start: { inTest: 'start listening', inProduction: 'publish' },
	end: { inTest: 'stop listening', inProduction: 'unpublish' },
};

async function explained<Result>(
	context: IHookFunctions,
	act: keyof typeof ACTS,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw stated(context, act, error);
	}
}

/**
 * The error as n8n shows it: of one of publishing nothing but the message (2.41), of one of a test the description, too. So what to do next stands in
 * the message, and nowhere else.
 */
function stated(
	context: IHookFunctions,
	act: keyof typeof ACTS,
	error: unknown,
): NodeApiError | NodeOperationError {
	const { inTest, inProduction } = ACTS[act];
	const begin = `Could not ${context.getActivationMode() === 'manual' ? inTest : inProduction}: `;
	if (error instanceof RegistrationError)
		return new NodeOperationError(
			context.getNode(),
			`${begin}${afterColon(error.message)}. ${error.hint}`,
		);
	const nodeError = toNodeError(context.getNode(), error);
	if (error instanceof ServiceError) {
		nodeError.message = `${begin}${asSentence(error.failure.cause)} ${error.description}`;
		nodeError.description = null;
	} else nodeError.message = begin + afterColon(nodeError.message);
	return nodeError;
}

/** A sentence that goes on after a colon. What begins with several capitals stays as it is. */
const afterColon = (sentence: string): string =>
	sentence.charAt(1) === sentence.charAt(1).toUpperCase()
		? sentence
		: sentence.charAt(0).toLowerCase() + sentence.slice(1);
