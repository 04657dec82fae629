/**
 * Genuine deliveries, changes to them, and a second, plain reading of the published rule that tells
 * which are still genuine.
 */
import { createHash, createHmac } from 'node:crypto';

import fc from 'fast-check';

import type { DeliveryHeaders, KnownProof } from '#nodes/delivery/open.ts';
import { messageBody } from '../../core/harness/deliveries.mts';
import { changeText, jsonOf, oddText, textChange } from '../../support/oddTexts.mts';

export const TOLERANCE = 300;
export const SECRET = 'a7f3c81e9d2b4605f1a8c3e7b9d40f6218273645a8b9c0d1e2f3041526374859';
/** What the service sends along with a right delivery. */
export const TOKEN = 'f'.repeat(64);
export const TOKEN_HASH = createHash('sha256').update(TOKEN).digest('hex');

export interface DeliveryRequest {
	headers: Record<string, string | string[] | undefined>;
	/** In base64: bytes survive JSON. */
	body: string;
}

const template = [
	{
		field: 'message_template_status_update',
		type: 'TEMPLATE_STATUS',
		value: { event: 'APPROVED', message_template_id: '1' },
		waba_id: '2',
	},
];
const known = [
	messageBody(),
	messageBody({ fromMe: true, state: 'READ' }),
	template,
	{ odd: [1, null, 'x'] },
].map((body) => JSON.stringify(body));
const NAMES = [
	...['message', '_id', 'channel_id', 'created', 'metadata', 'from_me', 'sender', 'recipient'],
	...['identifier', 'contents', 'type', 'state_items', 'moment', 'state', 'name', 'attachments'],
	...['url', 'messageEventType', 'field', 'value', 'event'],
];

/** As deep as this, around the depth that the trigger takes and far beyond it. */
const nested = fc
	.constantFrom(99, 100, 101, 5000)
	.map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`);

const rightBody = fc.oneof(
	{ weight: 1, arbitrary: nested },
	{ weight: 9, arbitrary: fc.constantFrom(...known) },
	{ weight: 3, arbitrary: jsonOf(...NAMES).map((value) => JSON.stringify(value)) },
);

/** A delivery as the service makes it, `age` seconds ago. */
export const rightDelivery = fc.record({
	body: rightBody,
	age: fc.integer({ min: -TOLERANCE + 5, max: TOLERANCE - 5 }),
	partition: fc.nat({ max: 4 }),
	offset: fc.nat({ max: 1_000_000 }),
});

/** Which of a request's headers. */
const header = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
/** A change of a request. */
const change = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('body' as const), change: textChange }) },
	{
		weight: 15,
		arbitrary: fc.record({ do: fc.constant('text' as const), header, change: textChange }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constantFrom('remove' as const, 'empty' as const, 'list' as const, 'twice' as const),
			header,
		}),
	},
	fc.record({ do: fc.constant('add' as const), name: oddText }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** One in eight stays as it is. */
export const changes = fc.oneof(
	{ weight: 1, arbitrary: fc.constant<Change[]>([]) },
	{ weight: 7, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
);

type Right = typeof rightDelivery extends fc.Arbitrary<infer Value> ? Value : never;

function sign(secret: string, at: string, key: string, body: Buffer): string {
	const parts = key.split(':');
	const signedHead = [at, parts.slice(0, -2).join(':'), ...parts.slice(-2)].join('\n');
	return createHmac('sha256', secret)
		.update(Buffer.concat([Buffer.from(`${signedHead}\n`), body]))
		.digest('hex');
}

export function rightRequest(
	{ body, age, partition, offset }: Right,
	proof: KnownProof,
	now: number,
): DeliveryRequest {
	const bytes = Buffer.from(body);
	const key = `topic:${partition}:${offset}`;
	const at = String(now - age);
	const proven: Record<string, string> =
		proof.kind === 'token'
			? { authorization: `Bearer ${proof.tokens[0]}` }
			: {
					'x-webhook-signature': `t=${at},v1=${sign(proof.secrets[0] ?? '', at, key, bytes)}`,
					...(proof.tokenHash === undefined ? {} : { authorization: `Bearer ${TOKEN}` }),
				};
	return { headers: { ...proven, 'x-idempotency-key': key }, body: bytes.toString('base64') };
}

export const applyChanges = (request: DeliveryRequest, list: readonly Change[]): DeliveryRequest =>
	list.reduce(applyChange, request);

function applyChange(request: DeliveryRequest, step: Change): DeliveryRequest {
	if (step.do === 'body') {
		// A byte for a character, so that the change may spoil the UTF-8.
		const text = changeText(Buffer.from(request.body, 'base64').toString('latin1'), step.change);
		return { ...request, body: Buffer.from(text, 'latin1').toString('base64') };
	}
	if (step.do === 'add')
		return { ...request, headers: { ...request.headers, [step.name || 'x']: 'x' } };
	const names = Object.keys(request.headers);
	const name = names[Math.floor(step.header * names.length)] ?? 'x-webhook-signature';
	const value = request.headers[name];
	const changed = () => {
		if (step.do === 'remove') return undefined;
		if (step.do === 'empty') return [];
		if (typeof value !== 'string') return value;
		if (step.do === 'text') return changeText(value, step.change);
		return step.do === 'list' ? [value] : [value, value];
	};
	return { ...request, headers: { ...request.headers, [name]: changed() } };
}

function single(headers: DeliveryHeaders, name: string): string | undefined {
	const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
	if (typeof value === 'string') return value;
	return value?.length === 1 ? value[0] : undefined;
}

/**
 * The published rule, read plainly: could the service have sent this? Blanks around parts and
 * upper-case hex do no harm.
 */
export function isGenuine(
	{ headers, body }: DeliveryRequest,
	proof: KnownProof,
	now: number,
): boolean {
	const authorization = single(headers, 'authorization') ?? '';
	const token = /^bearer +/i.test(authorization)
		? authorization.replace(/^bearer +/i, '')
		: undefined;
	if (proof.kind === 'token') return token !== undefined && proof.tokens.includes(token);
	if (
		proof.tokenHash !== undefined &&
		(token === undefined || createHash('sha256').update(token).digest('hex') !== proof.tokenHash)
	)
		return false;
	const parts = (single(headers, 'x-webhook-signature') ?? '')
		.split(',')
		.map((part) => part.trim());
	const timestamps = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
	const signatures = parts
		.filter((part) => part.startsWith('v1='))
		.map((part) => part.slice(3).toLowerCase());
	const key = single(headers, 'x-idempotency-key');
	const [at] = timestamps;
	if (
		timestamps.length !== 1 ||
		at === undefined ||
		key === undefined ||
		!/^\d+$/.test(at) ||
		Math.abs(now - Number(at)) > TOLERANCE
	)
		return false;
	const bytes = Buffer.from(body, 'base64');
	return proof.secrets.some((secret) => signatures.includes(sign(secret, at, key, bytes)));
}
