import type { IHookFunctions } from 'n8n-workflow';

import { thisN8n } from '../../replies/waitingExecution';
import { removingOver } from '../../replies/waitingLists';
import { createServiceClient, CREDENTIAL_TYPE, type ServiceClient } from '../../service/client';
import { isSameId, type Webhook } from '../../service/contract';
import { asError } from '../../service/errors';
import { log } from '../../service/log';
import { type WebhookApi, webhookApi, type WebhookOwner } from '../../service/webhooks';
import { describeNode, nodeMark } from '../../shared/node/nodeMark';
import { asSentence } from '../../shared/texts/words';
import { isOfTest } from '../../workarounds/testWebhook';
import { SHARED_MEMORY } from '../groupingSettings';
import { warnOfSenders } from '../senders';
import { RegistrationError, toShownError } from '../registrationError';
import type { RegistrationSettings } from '../triggerSettings';
import {
	isManual,
	readReceptionSettings,
	readRegistrationSettings,
	readSource,
} from '../triggerSettings';
import { applyPlan, isAsWanted, type StoreWebhook } from './apply';
import { checkManualRegistration, readManualProof, requireManualProof } from './manual';
import type { KnownWebhook, WantedWebhook } from './plan';
import { type OwnToRemove, removeOwn } from './remove';
import type { StoredState } from './state';
import { addFormer, clearState, readFormer, readState, writeState } from './state';
import { deriveToken, receiverOf } from './token';
import { describeOthers, nameFormer, warnIfDisconnected, warnOrRefuse } from './warnings';

/** n8n calls `register` if this returns false. */
export async function isRegistered(context: IHookFunctions): Promise<boolean> {
	return await prepared(context, async (work) => {
		const stored = readStored(context, work.url);
		if (stored && !isSameOwner(stored.owner, work.settings.owner)) return false;
		const wanted = await describeWanted(context, work);
		const isRight = await isAsWanted(work.api, wanted, startOf(stored, work.settings.owner));
		// Otherwise `register` names them.
		if (isRight) await nameFormer(context, work.client, work.url);
		return isRight;
	});
}

/** Throws if it fails, because n8n ignores what it returns. */
export async function register(context: IHookFunctions): Promise<boolean> {
	return await prepared(context, async (work) => {
		const { settings, client, api, url } = work;
		warnOrRefuse(context, work);
		await leaveFormerOwner(context, client, { url, node: nodeMark(context) }, settings.owner);
		// Before the webhook is registered, because n8n stores what the node knows of it afterwards.
		await warnIfDisconnected(context, client, settings.owner);
		const wanted = await describeWanted(context, work);
		const start = startOf(readStored(context, url), settings.owner);
		const store = storeIn(context, settings.owner);
		let isStored = false;
		const listed = await applyPlan(api, wanted, start, (...outcome) => {
			store(...outcome);
			isStored = true;
		});
		warnOfPublished(context, listed, settings);
		await nameFormer(context, client, url, isStored);
		if (settings.owner.kind === 'template') {
			log(
				context,
				'info',
				'A template webhook was registered: the service can take up to about 5 minutes to send its first events',
			);
		}
		return true;
	});
}

/**
 * Throws if it fails, because n8n would ignore a false and leave the webhook behind. After a test,
 * n8n would show this error and not the one that kept the test from starting.
 */
export async function unregister(context: IHookFunctions): Promise<boolean> {
	try {
		await remove(context);
		return true;
	} catch (error) {
		if (!isOfTest(context)) throw toShownError(context, 'unpublish', error);
		log(
			context,
			'warn',
			`The webhook of a test could not be removed: ${asSentence(asError(error).message)} The next test takes it over`,
		);
		return false;
	}
}

async function remove(context: IHookFunctions): Promise<void> {
	const url = webhookUrl(context);
	const owner = readSource(context);
	const manual = isManual(context);
	// A person removes what a person registered. The node removes what it registered and stored.
	const hasFormer = readFormer(context.getWorkflowStaticData('node')).length > 0;
	if (!readStored(context, url) && (manual || !owner) && !hasFormer) return;
	const client = await createServiceClient(context);
	const own = { url, node: nodeMark(context), onlyStored: manual };
	await leaveFormerOwner(context, client, own, owner);
	if (owner) {
		const start = startOf(readStored(context, url), owner);
		await removeOwn(apiOf(context, client, owner), own, start, storeIn(context, owner));
	}
	await nameFormer(context, client, url);
}

function apiOf(context: IHookFunctions, client: ServiceClient, owner: WebhookOwner): WebhookApi {
	const { secret } = readState(context.getWorkflowStaticData('node'))?.webhook ?? {};
	const api = webhookApi(client, owner, secret ? [secret] : []);
	return removingOver(api, () => thisN8n(context));
}

/** What a test or publishing works with. */
type Work = Awaited<ReturnType<typeof prepare>>;

async function prepare(context: IHookFunctions) {
	const settings = readRegistrationSettings(context);
	const client = await createServiceClient(context);
	const api = apiOf(context, client, settings.owner);
	return { settings, client, api, url: webhookUrl(context) };
}

/** @param register unless a person did. @throws an error as n8n shows it */
async function prepared(
	context: IHookFunctions,
	register: (work: Work) => Promise<boolean>,
): Promise<boolean> {
	try {
		const work = await prepare(context);
		return await (work.settings.manual ? checkManual(context, work) : register(work));
	} catch (error) {
		const act = isOfTest(context) ? 'listen for a test event' : 'publish';
		throw toShownError(context, act, error);
	}
}

/** After a change of channel or source, removes the webhook of the former one. */
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
	await removeOwn(apiOf(context, client, former), own, start, storeIn(context, former));
}

async function checkManual(
	context: IHookFunctions,
	{ settings, api, url, client }: Work,
): Promise<true> {
	requireManualProof(readManualProof(await context.getCredentials(CREDENTIAL_TYPE)));
	warnOrRefuse(context, { url, client });
	const listed = await api.list();
	checkManualRegistration(listed, url, settings.events, settings.owner);
	warnOfPublished(context, listed, settings);
	await nameFormer(context, client, url);
	await warnIfDisconnected(context, client, settings.owner);
	return true;
}

/** Of a published workflow. A test listens beside others on purpose. */
function warnOfPublished(
	context: IHookFunctions,
	listed: readonly Webhook[],
	{ owner, events }: RegistrationSettings,
): void {
	if (owner.kind === 'template' || context.getActivationMode() === 'manual') return;
	warnOfSenders(context);
	const { grouping, output } = readReceptionSettings(context);
	if (grouping?.by === 'arrival' && output.chatFields) log(context, 'warn', SHARED_MEMORY);
	const others = describeOthers(listed, nodeMark(context), events);
	if (others !== undefined) log(context, 'warn', others);
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
		description: describeNode(context),
		node: nodeMark(context),
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
	// A test in the editor registers at another URL. If what is stored is the published workflow's,
	// the test leaves it alone and begins with nothing.
	return context.getActivationMode() === 'manual' && stored?.webhook.url !== url
		? undefined
		: stored;
}

const isSameOwner = (one: WebhookOwner, other: WebhookOwner): boolean =>
	one.kind === 'channel' && other.kind === 'channel'
		? isSameId(one.channelId, other.channelId)
		: one.kind === other.kind;

const startOf = (
	stored: StoredState | undefined,
	owner: WebhookOwner,
): { stored?: KnownWebhook; listShowsDisabled: boolean } => ({
	...(stored ? { stored: stored.webhook } : {}),
	listShowsDisabled: owner.kind === 'channel',
});

/** Stores the outcome of a run in the node's static data. */
function storeIn(context: IHookFunctions, owner: WebhookOwner): StoreWebhook {
	return (known, moved) => {
		const data = context.getWorkflowStaticData('node');
		if (moved) addFormer(data, { ...moved, owner });
		if (known === 'nothing') clearState(data);
		else writeState(data, known, owner);
	};
}
