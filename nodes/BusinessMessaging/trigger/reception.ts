import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../service/client';
import { IDEMPOTENCY_HEADER } from '../service/signature';
import { isNestedTooDeep, readBody, readRawBody } from './body';
import { DeliveryMemory } from './deduplication';
import { toItems } from './events';
import { readManualProof } from './manualRegistration';
import { admitOnce, answerJson, log, refuse } from './response';
import type { ReceptionSettings } from './settings';
import { readReceptionSettings } from './settings';
import { readState } from './state';
import { deriveToken, receiverOf } from './token';
import type { DeliveryHeaders, KnownProof, Verdict } from './verification';
import { REFUSALS, verifyDelivery } from './verification';

/** One for all nodes of the process: its keys hold the node. */
const memory = new DeliveryMemory();

/** Headers that prove who sent a delivery, and so may not stand in an execution's data. */
const SECRET_HEADERS = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$|signature|secret|token/i;

/** Receives a delivery: proof, then redelivery, then items. Never throws: n8n would store a failed execution for it. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receiveOrThrow(context);
	} catch (error) {
		// Not the sender's fault, so it is asked to try again.
		log(context, 'error', `A delivery could not be received: ${error instanceof Error ? error.message : 'unknown error'}`);
		return answerJson(context, 503, 'Temporarily unavailable');
	}
}

async function receiveOrThrow(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const headers: DeliveryHeaders = request.headersDistinct ?? request.headers;
	const rawBody = await readRawBody(request);
	if (!rawBody) return refuse(context, 422, 'Unprocessable body', 'it has no raw body to check: it is a form, an upload or broken, not an event');

	const settings = readReceptionSettings(context);
	const verdict = verifyDelivery(headers, rawBody, await findProof(context, settings), Date.now() / 1000);
	if (!verdict.accepted) return refuse(context, 401, 'Unauthorized', REFUSALS[verdict.reason]);
	if (verdict.by === 'token' && !settings.manual) {
		log(context, 'warn', 'A delivery was accepted by its token alone, for the signing secret is not stored (yet). If this goes on, unpublish and publish the workflow again');
	}

	const body = readBody(request);
	if (isNestedTooDeep(body)) return refuse(context, 422, 'Unprocessable body', 'its body is nested too deep for an execution to hold');

	const isRepeated = admit(context, settings, verdict);
	if (isRepeated) return isRepeated;

	const items = toItems(body, settings.output);
	if (items.length === 0) return { webhookResponse: { message: 'Filtered out' } };
	if (!settings.includeHeaders) return { workflowData: [items.map((json) => ({ json }))] };
	const shown = shownHeaders(headers);
	return { workflowData: [items.map((item) => ({ json: { ...item, headers: shown } }))] };
}

/** The strongest proof that this process can check. */
async function findProof(context: IWebhookFunctions, { manual, scheme, tolerance }: ReceptionSettings): Promise<KnownProof> {
	if (manual) {
		const { secrets, token } = readManualProof(await context.getCredentials(CREDENTIAL_TYPE));
		return secrets.length > 0 ? { kind: 'signature', secrets, scheme, tolerance } : { kind: 'token', tokens: [token] };
	}
	const secret = readState(context.getWorkflowStaticData('node'))?.webhook.secret;
	if (secret !== undefined) return { kind: 'signature', secrets: [secret], scheme, tolerance };
	const url = context.getNodeWebhookUrl('default');
	const { secretKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const canDerive = url !== undefined && typeof secretKey === 'string' && secretKey !== '';
	return { kind: 'token', tokens: canDerive ? [deriveToken(secretKey, receiverOf(context, url))] : [] };
}

/** The answer to a redelivery; undefined for a delivery that is to be processed. */
function admit(context: IWebhookFunctions, settings: ReceptionSettings, verdict: Extract<Verdict, { accepted: true }>): IWebhookResponseData | undefined {
	// Who tests sends the same event again and again, and expects it to arrive.
	if (!settings.deduplicate || verdict.idempotencyKey === undefined || context.getMode() === 'manual') return undefined;
	return admitOnce(context, memory, [String(context.getWorkflow().id), context.getNode().id, verdict.idempotencyKey]);
}

function shownHeaders(headers: DeliveryHeaders): IDataObject {
	const shown = Object.entries(headers).filter(([name]) => name === IDEMPOTENCY_HEADER || !SECRET_HEADERS.test(name));
	return Object.fromEntries(shown.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}
