/** Which delivery is the service's, by the strongest proof that this process can check. */
import type { IWebhookFunctions, IWebhookResponseData, JsonValue } from 'n8n-workflow';

import { openDelivery } from '../delivery/open';
import type { DeliveryHeaders, KnownProof } from '../delivery/open';
import { refuse } from '../delivery/respond';
import { log } from '../service/log';
import { recentCredential } from '../shared/node/recentCredential';
import { rememberReceived } from '../shared/node/reachability';
import { BoundedMap } from '../shared/tools/boundedMap';
import { steadyClock } from '../shared/tools/clock';
import { isForAnother, readManualProof } from './registration/manual';
import type { KnownWebhook } from './registration/plan';
import { readState } from './registration/state';
import { deriveToken, receiverOf } from './registration/token';
import { readReceptionSettings, type ReceptionSettings } from './triggerSettings';

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

/** A person who tests sends the same event several times, and expects it each time, and alone. */
const IN_A_TEST = { deduplicate: false, grouping: undefined, personLimit: undefined };
const isTest = (context: IWebhookFunctions) => context.getMode() === 'manual';

/** A delivery of the service. */
export interface Proven {
	context: IWebhookFunctions;
	/** Names it among all nodes of the process. */
	node: readonly [workflow: string, path: string];
	settings: ReceptionSettings;
	headers: DeliveryHeaders;
	body: JsonValue;
	idempotencyKey?: string;
}

/**
 * @returns the response of n8n to what nobody proves
 * @throws RegistrationError about a setting
 */
export async function prove(
	context: IWebhookFunctions,
): Promise<Proven | { refusal: IWebhookResponseData }> {
	const settings = { ...readReceptionSettings(context), ...(isTest(context) ? IN_A_TEST : {}) };
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
		return {
			refusal: refuse(context, status, isGone ? `${message}${NOT_STORED}` : message, reason),
		};
	}
	if (settings.owner && isForAnother(opened.body, settings.owner))
		return { refusal: refuse(context, 401, 'Unauthorized', FOR_ANOTHER) };
	if (settings.owner?.kind === 'channel') rememberReceived(settings.owner.channelId);
	return { ...opened, context, settings, node: nodeOf(context) };
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
	if (isTest(context) || (told !== undefined && now - told < BETWEEN_LINES)) return;
	toldGone.set(node, now);
	log(context, 'warn', GONE);
}

/** No two nodes share a path. To ask for the node's ID would copy the whole node. */
const nodeOf = (context: IWebhookFunctions): [workflow: string, path: string] => [
	String(context.getWorkflow().id),
	context.getRequestObject().path,
];
