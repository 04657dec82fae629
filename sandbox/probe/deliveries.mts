import {
	computeSignature,
	GZIP_THRESHOLD,
	IDEMPOTENCY_HEADER,
	MESSAGE_EVENT_TYPES,
	messageEventSchema,
	SIGNATURE_HEADER,
	splitIdempotencyKey,
	SUGGESTED_TIMESTAMP_TOLERANCE,
	WEBHOOK_TIME_RESOLUTION,
	webhookWithSecretSchema,
} from '../contract.mts';
import type { Verdict } from './findings.mts';
import { MARK } from './marks.mts';
import { type Delivered, type Reaction, type Receiver, startReceiver } from './receiver.mts';
import type { Run } from './runContext.mts';
import { safeWord } from './wire.mts';

/** Seconds that the probe asks the service to wait: longer than the first wait of the schedule. */
export const RETRY_AFTER = 8;
export const FOLLOWED = 'followed';

/** The probe's receiver, with the secret of the webhook that is always answered with success. */
export interface Deliveries extends Receiver {
	secret: string | undefined;
}

/** The event of a delivery, if it is one of a message. */
export const eventIn = ({ json }: Delivered) => messageEventSchema.safeParse(json).data;

/** Five webhooks, one for each way to authenticate, and how each answers its first delivery. */
const webhooksWith = (
	key: string,
	location: string,
): Record<string, [more: object, first: Reaction]> => ({
	main: [{ signing: true, auth: { type: 'BEARER', token: key }, events: EVENTS }, { status: 200 }],
	basic: [
		{ signing: true, auth: { type: 'BASIC', username: 'probe', password: key } },
		{ status: 500 },
	],
	'api-key': [{ auth: { type: 'API_KEY', key } }, { status: 302, headers: { location } }],
	custom: [
		{ auth: { type: 'CUSTOM_HEADER', headerName: 'x-probe', headerValue: key } },
		{ status: 503, headers: { 'retry-after': String(RETRY_AFTER) } },
	],
	slow: [{}, 'hold'],
});
const EVENTS = ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'];

/**
 * Registers the webhooks.
 *
 * @returns undefined if the service does not take the first
 */
export async function openDeliveries(run: Run): Promise<Deliveries | undefined> {
	const { call, channelId, phone = '', publicUrl = '', token, port } = run;
	const webhooks = webhooksWith(run.webhookKey, `${publicUrl}/${token}/${FOLLOWED}`);
	const receiver = await startReceiver({
		...{ port, publicUrl, token },
		isKept: (json) => {
			const text = JSON.stringify(json);
			return text.includes(phone) && !(run.judgedId && text.includes(run.judgedId));
		},
		react: (name, count) => (count === 1 && webhooks[name]?.[1]) || { status: 200 },
	});
	let deliveries: Deliveries | undefined;
	try {
		for (const [name, [more]] of Object.entries(webhooks)) {
			const url = receiver.addressOf(name);
			const body = { url, events: EVENTS.slice(0, 1), description: MARK, ...more };
			const answer = await call(`/v1/channels/${channelId}/webhooks`, { body });
			const { data } = webhookWithSecretSchema.safeParse(answer.body);
			if (name === 'main' && data) deliveries = { ...receiver, secret: data.secret ?? undefined };
			if (!deliveries) break;
		}
	} catch (error) {
		await receiver.close();
		throw error;
	}
	if (!deliveries) await receiver.close();
	return deliveries;
}

export const of = ({ received }: Deliveries, name: string): Delivered[] =>
	received.filter((delivered) => delivered.name === name);

export const headerOf = ({ headers }: Delivered, name: string): string =>
	String(headers[name] ?? '');

/** What the first deliveries of the person's message show. */
export function judgeFirst(run: Run, deliveries: Deliveries): void {
	const { findings, phone, webhookKey } = run;
	const [first] = of(deliveries, 'main');
	if (!first) return;
	const key = headerOf(first, IDEMPOTENCY_HEADER);
	const [, partition = '', offset = ''] = splitIdempotencyKey(key) ?? [];
	const isForm = /^\d+$/.test(partition) && /^\d+$/.test(offset);
	const event = eventIn(first);
	const isFromPhone =
		event?.message.metadata?.from_me === false &&
		event.message.sender?.identifier?.replace(/^\+/, '') === phone;
	const type = event?.messageEventType ?? MESSAGE_EVENT_TYPES.newMessage;
	const isNew = type === MESSAGE_EVENT_TYPES.newMessage;
	findings.note({
		'delivery.signature': signatureVerdict(first, deliveries.secret),
		...(signedAt(first) && timeVerdicts(first, Number(signedAt(first)))),
		'delivery.key-form': isForm || { word: key === '' ? 'missing' : 'other' },
		'delivery.bearer': keyVerdict(run, first, 'authorization', `Bearer ${webhookKey}`),
		'delivery.message': isFromPhone || { word: event ? 'other' : 'unreadable' },
		'delivery.new-message-type': isNew || { word: safeWord(type) },
	});
}

/** What the deliveries to the other webhooks show about their credentials. */
export function judgeOthers(run: Run, deliveries: Deliveries): void {
	const { findings, webhookKey } = run;
	const basic = `Basic ${Buffer.from(`probe:${webhookKey}`).toString('base64')}`;
	const verdict = (name: string, header: string, value = webhookKey) =>
		keyVerdict(run, of(deliveries, name)[0], header, value);
	findings.note({
		'delivery.basic': verdict('basic', 'authorization', basic),
		'delivery.custom-header': verdict('custom', 'x-probe'),
		'delivery.api-key': verdict('api-key', 'x-api-key'),
		'delivery.gzip': compressionVerdict(deliveries.received),
	});
}

function keyVerdict(
	{ webhookKey }: Run,
	delivered: Delivered | undefined,
	wanted: string,
	value: string,
): Verdict {
	if (!delivered) return 'nothing was delivered there';
	const { headers } = delivered;
	const header = Object.keys(headers).find((name) =>
		headerOf(delivered, name).includes(webhookKey),
	);
	return headers[wanted] === value || (header === undefined ? { word: 'missing' } : { header });
}

/** The time of a signature, in Unix seconds. */
export const signedAt = (delivered: Delivered): string | undefined =>
	/^t=(\d{1,12}),v1=/.exec(headerOf(delivered, SIGNATURE_HEADER))?.[1];

function signatureVerdict(first: Delivered, secret: string | undefined): Verdict {
	if (secret === undefined) return 'there is no secret';
	const given = headerOf(first, SIGNATURE_HEADER);
	const timestamp = signedAt(first) ?? '';
	const idempotencyKey = headerOf(first, IDEMPOTENCY_HEADER);
	const isBy = (scheme: 'fiveField' | 'bodyOnly') => {
		const parts = { timestamp, idempotencyKey, body: first.body };
		const signature = computeSignature(secret, scheme, parts);
		return signature !== undefined && given.endsWith(signature);
	};
	if (timestamp !== '' && isBy('fiveField')) return true;
	return { word: given === '' ? 'missing' : isBy('bodyOnly') ? 'bodyOnly' : 'other' };
}

/** @param timestamp of the signature */
function timeVerdicts(first: Delivered, timestamp: number) {
	const shown = (seconds: number) => ({ seconds: Math.min(86_400, Math.round(Math.abs(seconds))) });
	const age = Math.abs(first.at / 1000 - timestamp);
	const { created, metadata } = eventIn(first)?.message ?? {};
	const delays = [created, metadata?.moment]
		.filter((time) => typeof time === 'number')
		.map((time) => timestamp - time / 1000);
	const [delay] = delays;
	const least = -1 - WEBHOOK_TIME_RESOLUTION / 1000;
	const isOneClock = delays.every((one) => one >= least && one <= SUGGESTED_TIMESTAMP_TOLERANCE);
	return {
		'delivery.age': age <= SUGGESTED_TIMESTAMP_TOLERANCE || shown(age),
		'delivery.time': delay === undefined ? 'the message has no time' : isOneClock || shown(delay),
	};
}

function compressionVerdict(received: readonly Delivered[]): Verdict {
	const isLarge = ({ body }: Delivered) => body.length >= GZIP_THRESHOLD;
	if (received.some((one) => isLarge(one) && !one.isCompressed)) return { word: 'never' };
	if (received.some((one) => !isLarge(one) && one.isCompressed)) return { word: 'always' };
	return received.some(isLarge) || 'no body of that size came. Write a longer text';
}
