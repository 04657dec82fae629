import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/client';
import { isNestedTooDeep, readBody, readRawBody } from '../delivery/body';
import { DeliveryMemory } from '../delivery/deduplicate';
import { toEvents } from '../delivery/message';
import { isForAnother, readManualProof } from './registration/manual';
import { admitOnce, respondJson, log, refuse } from '../delivery/respond';
import { separateItems } from './groupedItems';
import { withoutReplies } from './ignoreReplies';
import { executionOf, receiveInGroup } from './receiveInGroup';
import type { ReceptionSettings } from './settings';
import { readReceptionSettings } from './settings';
import type { KnownWebhook } from './registration/plan';
import { readState } from './registration/state';
import { deriveToken, receiverOf } from './registration/token';
import type { DeliveryHeaders, KnownProof, Verdict } from '../delivery/verify';
import { REFUSALS, verifyDelivery } from '../delivery/verify';

/** One for all nodes of the process: its keys hold the node. */
const memory = new DeliveryMemory();
/** The nodes of which the log said already that no token is asked for. */
const warned = new Set<string>();
const WARNED_MAX = 1000;
const FOR_ANOTHER =
	"its body names another channel than the trigger's, or events of the other source, though its proof is one of the credential's: it was meant for another trigger";

/** Headers that prove who sent a delivery, and so may not stand in an execution's data. */
const SECRET_HEADERS =
	/^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$|signature|secret|token/i;

/** Receives a delivery: proof, then redelivery, then items without replies to questions, then others to share an execution with. Never throws: n8n would store a failed execution for it. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receiveOrThrow(context);
	} catch (error) {
		// Not the sender's fault, so it is asked to try again.
		log(
			context,
			'error',
			`A delivery could not be received: ${error instanceof Error ? error.message : 'unknown error'}`,
		);
		return respondJson(context, 503, 'Temporarily unavailable');
	}
}

async function receiveOrThrow(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const headers: DeliveryHeaders = request.headersDistinct ?? request.headers;
	const rawBody = await readRawBody(request);
	if (!rawBody)
		return refuse(
			context,
			422,
			'Unprocessable body',
			'it has no raw body to check: it is a form, an upload or broken, not an event',
		);

	const settings = readReceptionSettings(context);
	const registered = settings.manual
		? undefined
		: readState(context.getWorkflowStaticData('node'))?.webhook;
	const proof = await findProof(context, settings, registered);
	const verdict = verifyDelivery(headers, rawBody, proof, Date.now() / 1000);
	if (!verdict.accepted) return refuse(context, 401, 'Unauthorized', REFUSALS[verdict.reason]);
	if (!settings.manual) warnOfWeakProof(context, proof);

	const body = readBody(request);
	if (isNestedTooDeep(body))
		return refuse(
			context,
			422,
			'Unprocessable body',
			'its body is nested too deep for an execution to hold',
		);

	if (settings.owner && isForAnother(body, settings.owner))
		return refuse(context, 401, 'Unauthorized', FOR_ANOTHER);

	const isRepeated = admit(context, settings, verdict, registered?.id);
	if (isRepeated) return isRepeated;

	const passed = toEvents(body, settings.output);
	const events =
		settings.repliesOn === undefined
			? passed
			: await withoutReplies(context, settings.repliesOn, passed);
	if (events.length === 0) return { webhookResponse: { message: 'Filtered out' } };
	const delivery = {
		events,
		...(settings.includeHeaders ? { headers: shownHeaders(headers) } : {}),
	};
	// Who tests waits for this one event.
	return settings.grouping && context.getMode() !== 'manual'
		? await receiveInGroup(context, settings.grouping, delivery)
		: executionOf(separateItems([delivery]));
}

/** The strongest proof that this process can check. */
async function findProof(
	context: IWebhookFunctions,
	{ manual, scheme, tolerance }: ReceptionSettings,
	registered: KnownWebhook | undefined,
): Promise<KnownProof> {
	if (manual) {
		const { secrets, token } = readManualProof(await context.getCredentials(CREDENTIAL_TYPE));
		return secrets.length > 0
			? { kind: 'signature', secrets, scheme, tolerance }
			: { kind: 'token', tokens: [token] };
	}
	const { secret, tokenHash } = registered ?? {};
	if (secret !== undefined)
		return {
			kind: 'signature',
			secrets: [secret],
			scheme,
			tolerance,
			...(tokenHash === undefined ? {} : { tokenHash }),
		};
	const url = context.getNodeWebhookUrl('default');
	const { secretKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const canDerive = url !== undefined && typeof secretKey === 'string' && secretKey !== '';
	return {
		kind: 'token',
		tokens: canDerive ? [deriveToken(secretKey, receiverOf(context, url))] : [],
	};
}

/** Says what an accepted delivery did not have to prove. */
function warnOfWeakProof(context: IWebhookFunctions, proof: KnownProof): void {
	if (proof.kind === 'token') {
		log(
			context,
			'warn',
			'A delivery was accepted by its token alone, for the signing secret is not stored (yet). If this goes on, unpublish and publish the workflow again',
		);
	} else if (proof.tokenHash === undefined) {
		const node = `${context.getWorkflow().id} ${context.getNode().id}`;
		if (warned.has(node)) return;
		if (warned.size === WARNED_MAX) warned.clear();
		warned.add(node);
		log(
			context,
			'warn',
			'Deliveries are accepted by their signature alone, for the webhook was registered by an older version of this node. Unpublish and publish the workflow: their token is then asked for, too',
		);
	}
}

/** The response to a redelivery; undefined for a delivery that is to be processed. */
function admit(
	context: IWebhookFunctions,
	settings: ReceptionSettings,
	verdict: Extract<Verdict, { accepted: true }>,
	webhookId: string | undefined,
): IWebhookResponseData | undefined {
	// Who tests sends the same event again and again, and expects it to arrive.
	if (
		!settings.deduplicate ||
		verdict.idempotencyKey === undefined ||
		context.getMode() === 'manual'
	)
		return undefined;
	return admitOnce(context, memory, [
		String(context.getWorkflow().id),
		// A node's webhook is its own. n8n copies the whole node to tell its id.
		webhookId ?? context.getNode().id,
		verdict.idempotencyKey,
	]);
}

function shownHeaders(headers: DeliveryHeaders): IDataObject {
	const shown = Object.entries(headers).filter(([name]) => !SECRET_HEADERS.test(name));
	return Object.fromEntries(
		shown.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
	);
}
