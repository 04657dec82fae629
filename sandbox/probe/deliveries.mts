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
import type { FactId } from '../facts/catalogue.mts';
import { safeWord } from './answer.mts';
import { MARK } from './marks.mts';
import { type Delivered, type React, type Receiver, startReceiver } from './receiver.mts';
import type { Run } from './runContext.mts';

/** Seconds that the probe asks the service to wait: longer than the first wait of the schedule. */
export const RETRY_AFTER = 8;
export const FOLLOWED = 'followed';
/** The webhook that is always answered with success. */
const MAIN = 'main';

/** The probe's receiver with its webhooks. */
export interface Deliveries {
	receiver: Receiver;
	/** By the name of a webhook. */
	secrets: Map<string, string>;
}

/** The event of a delivery, if it is one of a message. */
export const eventIn = ({ json }: Delivered) => messageEventSchema.safeParse(json).data;

/**
 * Registers five webhooks, one for each way to authenticate. Each but the first answers its first
 * delivery with another failure.
 *
 * @returns undefined if the service does not take them
 */
export async function openDeliveries(run: Run): Promise<Deliveries | undefined> {
	const { webhookKey: key, phone = '', publicUrl = '', token, port } = run;
	const failures: Record<string, (url: string) => ReturnType<React>> = {
		basic: () => ({ status: 500 }),
		'api-key': (url) => ({ status: 302, headers: { location: url } }),
		custom: () => ({ status: 503, headers: { 'retry-after': String(RETRY_AFTER) } }),
		slow: () => 'hold',
	};
	const receiver = await startReceiver({
		...{ port, publicUrl, token },
		isKept: (json) => {
			const text = JSON.stringify(json);
			return text.includes(phone) && !(run.judgedId && text.includes(run.judgedId));
		},
		react: ({ name }, count) =>
			count === 1 && failures[name]
				? failures[name](receiver.addressOf(FOLLOWED))
				: { status: 200 },
	});
	const kinds: Record<string, object> = {
		[MAIN]: { signing: true, auth: { type: 'BEARER', token: key } },
		basic: { signing: true, auth: { type: 'BASIC', username: 'probe', password: key } },
		'api-key': { auth: { type: 'API_KEY', key } },
		custom: { auth: { type: 'CUSTOM_HEADER', headerName: 'x-probe', headerValue: key } },
		slow: {},
	};
	try {
		const secrets = await registered(run, receiver, kinds);
		if (secrets) return { receiver, secrets };
		await receiver.close();
		return undefined;
	} catch (error) {
		await receiver.close();
		throw error;
	}
}

/** @returns the secrets by the name of a webhook; undefined if the main one was not taken */
async function registered(
	{ wire, channelId }: Run,
	receiver: Receiver,
	kinds: Record<string, object>,
): Promise<Map<string, string> | undefined> {
	const secrets = new Map<string, string>();
	for (const [name, kind] of Object.entries(kinds)) {
		const events = ['MESSAGE_RECEIVED', ...(name === MAIN ? ['MESSAGE_STATUS'] : [])];
		const body = { url: receiver.addressOf(name), events, description: MARK, ...kind };
		const answer = await wire.call(`/v1/channels/${channelId}/webhooks`, { body });
		const { data } = webhookWithSecretSchema.safeParse(answer.body);
		if (data?.secret) secrets.set(name, data.secret);
		if (name === MAIN && !data) return undefined;
	}
	return secrets;
}

export const of = ({ receiver }: Deliveries, name: string): Delivered[] =>
	receiver.received.filter((delivered) => delivered.name === name);

export const headerOf = ({ headers }: Delivered, name: string): string => {
	const value = headers[name];
	return typeof value === 'string' ? value : '';
};

/** What the first deliveries of the person's message show. */
export function judgeFirst(run: Run, deliveries: Deliveries): void {
	const { findings, phone, webhookKey } = run;
	const [first] = of(deliveries, MAIN);
	if (!first) return;
	judgeSignature(run, first, deliveries.secrets.get(MAIN));
	const key = headerOf(first, IDEMPOTENCY_HEADER);
	const fields = splitIdempotencyKey(key)?.slice(1) ?? [];
	findings.record(
		'delivery.key-form',
		fields.length === 2 && fields.every((n) => /^\d+$/.test(n)),
		{
			word: key === '' ? 'missing' : 'other',
		},
	);
	judgeCredentials(run, 'delivery.bearer', first, 'authorization', `Bearer ${webhookKey}`);
	const event = eventIn(first);
	const isFromPhone =
		event?.message.metadata?.from_me === false &&
		event.message.sender?.identifier?.replace(/^\+/, '') === phone;
	findings.record('delivery.message', isFromPhone, { word: event ? 'other' : 'unreadable' });
	const type = event?.messageEventType ?? MESSAGE_EVENT_TYPES.newMessage;
	findings.record('delivery.new-message-type', type === MESSAGE_EVENT_TYPES.newMessage, {
		word: safeWord(type) ?? 'other',
	});
}

/** What the deliveries to the other webhooks show about their credentials. */
export function judgeOthers(run: Run, deliveries: Deliveries): void {
	const basic = `Basic ${Buffer.from(`probe:${run.webhookKey}`).toString('base64')}`;
	const expected = [
		['basic', 'delivery.basic', 'authorization', basic],
		['custom', 'delivery.custom-header', 'x-probe', run.webhookKey],
		['api-key', 'delivery.api-key', 'x-api-key', run.webhookKey],
	] as const;
	for (const [name, id, header, value] of expected) {
		const [first] = of(deliveries, name);
		if (first) judgeCredentials(run, id, first, header, value);
		else run.findings.skip(id, 'nothing was delivered there');
	}
	judgeCompression(run, deliveries.receiver.received);
}

function judgeCredentials(
	{ findings, webhookKey }: Run,
	id: FactId,
	delivered: Delivered,
	header: string,
	value: string,
): void {
	const where = Object.keys(delivered.headers).find((name) =>
		headerOf(delivered, name).includes(webhookKey),
	);
	findings.record(
		id,
		headerOf(delivered, header) === value,
		where === undefined ? { word: 'missing' } : { header: where },
	);
}

/** The time of a signature, in Unix seconds. */
export const signedAt = (delivered: Delivered): string | undefined =>
	/^t=(\d{1,12}),v1=/.exec(headerOf(delivered, SIGNATURE_HEADER))?.[1];

function judgeSignature({ findings }: Run, first: Delivered, secret: string | undefined): void {
	if (secret === undefined) return findings.skip('delivery.signature', 'there is no secret');
	const timestamp = signedAt(first) ?? '';
	const given = headerOf(first, SIGNATURE_HEADER);
	const parts = {
		timestamp,
		idempotencyKey: headerOf(first, IDEMPOTENCY_HEADER),
		body: first.body,
	};
	const isBy = (scheme: 'fiveField' | 'bodyOnly') => {
		const signature = computeSignature(secret, scheme, parts);
		return signature !== undefined && given.endsWith(signature);
	};
	const isRight = timestamp !== '' && isBy('fiveField');
	const word = given === '' ? 'missing' : isBy('bodyOnly') ? 'bodyOnly' : 'other';
	findings.record('delivery.signature', isRight, { word });
	if (timestamp === '') return;
	const age = Math.abs(first.at / 1000 - Number(timestamp));
	const shown = (seconds: number) => Math.min(86_400, Math.round(seconds));
	findings.record('delivery.age', age <= SUGGESTED_TIMESTAMP_TOLERANCE, { seconds: shown(age) });
	const { created, metadata } = eventIn(first)?.message ?? {};
	const delays = [created, metadata?.moment]
		.filter((time) => typeof time === 'number')
		.map((time) => Number(timestamp) - time / 1000);
	if (delays.length === 0) return findings.skip('delivery.time', 'the message has no time');
	const isOneClock = delays.every(
		(delay) =>
			delay >= -1 - WEBHOOK_TIME_RESOLUTION / 1000 && delay <= SUGGESTED_TIMESTAMP_TOLERANCE,
	);
	const [delay = 0] = delays;
	findings.record('delivery.time', isOneClock, { seconds: shown(Math.abs(delay)) });
}

function judgeCompression({ findings }: Run, received: readonly Delivered[]): void {
	const large = received.filter(({ body }) => body.length >= GZIP_THRESHOLD);
	const small = received.filter(({ body }) => body.length < GZIP_THRESHOLD);
	if (large.some(({ isCompressed }) => !isCompressed))
		findings.record('delivery.gzip', false, { word: 'never' });
	else if (small.some(({ isCompressed }) => isCompressed))
		findings.record('delivery.gzip', false, { word: 'always' });
	else if (large.length === 0)
		findings.skip('delivery.gzip', 'no body of that size came. Write a longer text');
	else findings.record('delivery.gzip', true);
}
