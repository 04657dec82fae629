import type { IDataObject, IWebhookFunctions, IWebhookResponseData, JsonValue } from 'n8n-workflow';

import { asError } from '../service/errors';
import { DeliveryMemory, admitOnce, askToRepeat, refuse, respond } from '../delivery/respond';
import { toEvents, whatHappenedIn } from '../delivery/event/message';
import { openDelivery } from '../delivery/open';
import type { DeliveryHeaders, KnownProof } from '../delivery/open';
import { isForAnother, readManualProof } from './registration/manual';
import { log } from '../service/log';
import { BoundedMap, shortKey } from '../shared/tools/boundedMap';
import { steadyClock } from '../shared/tools/clock';
import { rememberReceived } from '../shared/node/reachability';
import { recentCredential } from '../shared/node/recentCredential';
import { receiveInGroup, TOO_MANY } from './grouping/receiveGrouped';
import { withoutReplies } from '../replies/ignoreReplies';
import { withoutOld, withoutRepeated, withoutTooMany } from './ignored';
import { readReceptionSettings, type ReceptionSettings } from './triggerSettings';
import type { KnownWebhook } from './registration/plan';
import { readState } from './registration/state';
import { deriveToken, receiverOf } from './registration/token';

/** One for all nodes of the process: its keys hold the node's path. */
const memory = new DeliveryMemory();
/** What the deliveries told that came under a key, for the log: no two should differ. */
const toldUnderKeys = new BoundedMap<string>(20_000);
const FOR_ANOTHER =
	"its body names another channel than the trigger's, or events of the other source";

/** *Webhook Health Check* reads it, which sends no proof. It helps nobody to make one. */
const NOT_STORED = ': no signing secret is stored';
const GONE =
	"The signing secret is gone from the workflow's static data, or was not stored yet if the workflow was just published. Meanwhile a delivery is accepted by its token alone, and refused once the credential has another secret key. In queue mode, a node that writes static data, such as a Code node with $getWorkflowStaticData, replaces all of it: keep its values in a data table or in Redis. Then unpublish and publish the workflow";
/** Milliseconds between two lines in the log about it. */
const BETWEEN_LINES = 3_600_000;
/** By node, when the log told that its state is gone. */
const toldGone = new BoundedMap<number>(500);

/** The headers that executions may store. Any other can prove who sent the delivery. */
const HARMLESS_HEADERS = [
	...['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length'],
	...['content-type', 'date', 'host', 'user-agent', 'x-correlation-id', 'x-idempotency-key'],
	'x-request-id',
];

/** Proof, redelivery, events, replies, grouping. Never throws: n8n would store an execution. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receiveOrThrow(context);
	} catch (error) {
		// Not the sender's fault, so the sender should try again.
		log(context, 'error', `A delivery could not be received: ${asError(error).message}`);
		return respond(context, 503, { message: 'Temporarily unavailable' });
	}
}

async function receiveOrThrow(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const since = steadyClock.now();
	const settings = readReceptionSettings(context);
	const registered = settings.manual
		? undefined
		: readState(context.getWorkflowStaticData('node'))?.webhook;
	const opened = await openDelivery(
		context.getRequestObject(),
		async () => await findProof(context, settings, registered),
		Date.now() / 1000,
	);
	if (!opened.accepted) {
		const { status, message, reason } = opened;
		const isGone = status === 401 && !settings.manual && registered?.secret === undefined;
		return refuse(context, status, isGone ? `${message}${NOT_STORED}` : message, reason);
	}
	const { headers, body, idempotencyKey } = opened;

	if (settings.owner && isForAnother(body, settings.owner))
		return refuse(context, 401, 'Unauthorized', FOR_ANOTHER);

	if (settings.owner?.kind === 'channel') rememberReceived(settings.owner.channelId);
	const isRepeated = admit(context, settings, idempotencyKey, body);
	if (isRepeated) return isRepeated;

	const all = toEvents(body, settings.output);
	const at = { context, node: nodeOf(context) };
	const found = withoutOld(at, settings.oldestHours, all);
	const fresh = isRemembering(context, settings) ? withoutRepeated(at, found) : found;
	if (fresh === 'later') return askToRepeat(context, 'Being processed');
	if (fresh.length === 0 && found.length > 0)
		return { webhookResponse: { message: 'Received before' } };
	// A test run waits for one event, so it is never grouped, and has no limit.
	const { grouping, personLimit } = context.getMode() === 'manual' ? {} : settings;
	const passed = personLimit ? withoutTooMany(at, personLimit, fresh) : fresh;
	if (passed.length === 0 && fresh.length > 0) return TOO_MANY;
	const events =
		settings.repliesOn === undefined
			? Promise.resolve(passed)
			: withoutReplies(context, settings.repliesOn, passed, since);
	const received = {
		events: passed,
		...(settings.includeHeaders ? { headers: shownHeaders(headers) } : {}),
	};
	return await receiveInGroup(at, grouping, received, events, since, personLimit);
}

/** The strongest proof that this process can check. */
async function findProof(
	context: IWebhookFunctions,
	{ manual, scheme, tolerance }: ReceptionSettings,
	registered: KnownWebhook | undefined,
): Promise<KnownProof> {
	const credential = async () => await recentCredential(context, context.getRequestObject().path);
	if (manual) {
		const { secrets, token } = readManualProof(await credential());
		return secrets.length > 0
			? { kind: 'signature', secrets, scheme, tolerance }
			: { kind: 'token', tokens: [token] };
	}
	const { secret, tokenHash } = registered ?? {};
	tellIfGone(context, secret === undefined);
	if (secret !== undefined)
		return {
			kind: 'signature',
			secrets: [secret],
			scheme,
			tolerance,
			...(tokenHash === undefined ? {} : { tokenHash }),
		};
	const url = context.getNodeWebhookUrl('default');
	const { secretKey } = await credential();
	const canDerive = url !== undefined && typeof secretKey === 'string' && secretKey !== '';
	return {
		kind: 'token',
		tokens: canDerive ? [deriveToken(secretKey, receiverOf(context, url))] : [],
	};
}

/** For an accepted delivery and for a refused one: it tells of the state, not of the delivery. */
function tellIfGone(context: IWebhookFunctions, isGone: boolean): void {
	const node = nodeOf(context).join(' ');
	if (!isGone) return void toldGone.delete(node);
	const now = steadyClock.now();
	const told = toldGone.get(node);
	if (context.getMode() === 'manual' || (told !== undefined && now - told < BETWEEN_LINES)) return;
	toldGone.set(node, now);
	log(context, 'warn', GONE);
}

/** The response to a redelivery. Undefined for a delivery to process. */
function admit(
	context: IWebhookFunctions,
	settings: ReceptionSettings,
	idempotencyKey: string | undefined,
	body: JsonValue,
): IWebhookResponseData | undefined {
	if (idempotencyKey === undefined || !isRemembering(context, settings)) return undefined;
	const parts = [...nodeOf(context), idempotencyKey];
	const told = shortKey(whatHappenedIn(body));
	const known = toldUnderKeys.get(parts.join(' ')) ?? told;
	toldUnderKeys.set(parts.join(' '), told);
	if (known !== told)
		log(
			context,
			'warn',
			`Two events have the idempotency key ${idempotencyKey}. Both are processed`,
		);
	return admitOnce(context, memory, [...parts, told]);
}

/** A person who tests sends the same event several times, and expects it each time. */
const isRemembering = (context: IWebhookFunctions, { deduplicate }: ReceptionSettings): boolean =>
	deduplicate && context.getMode() !== 'manual';

/** No two nodes share a path. To ask for the node's ID would copy the whole node. */
const nodeOf = (context: IWebhookFunctions): [workflow: string, path: string] => [
	String(context.getWorkflow().id),
	context.getRequestObject().path,
];

function shownHeaders(headers: DeliveryHeaders): IDataObject {
	const shown = Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.includes(name));
	return Object.fromEntries(
		shown.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
	);
}
