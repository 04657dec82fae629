/**
 * Mutated requests against verification and event parsing. Every request is judged by a second, plain reading of the published rule, so that what
 * is accepted is exactly what the rule accepts.
 */
import { createHmac } from 'node:crypto';

import { isNestedTooDeep, readBody } from '../../../nodes/BusinessMessaging/trigger/body.ts';
import { toItems } from '../../../nodes/BusinessMessaging/trigger/events.ts';
import { type DeliveryHeaders, type KnownProof, verifyDelivery } from '../../../nodes/BusinessMessaging/trigger/verification.ts';
import { messageBody } from '../../core/harness/deliveries.mts';

const RUNS = Number(process.env.FUZZ_RUNS ?? 100_000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 32));
const NOW = 1_800_000_000;
const TOLERANCE = 300;
const SECRET = 'a7f3c81e9d2b4605f1a8c3e7b9d40f6218273645a8b9c0d1e2f3041526374859';
const TOKEN = 'f'.repeat(64);

/** A small seeded generator (mulberry32), so that a failure can be repeated with FUZZ_SEED. */
function generator(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Request {
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
}

const template = [{ field: 'message_template_status_update', type: 'TEMPLATE_STATUS', value: { event: 'APPROVED', message_template_id: '1' }, waba_id: '2' }];
const bodies = [messageBody(), messageBody({ fromMe: true, state: 'READ' }), template, { odd: [1, null, 'x'] }].map((body) => JSON.stringify(body));

/** A right request of each kind of proof. */
function rightRequest(random: () => number, proof: KnownProof): Request {
	const body = Buffer.from(bodies[Math.floor(random() * bodies.length)] ?? '');
	const at = NOW - Math.floor(random() * 2 * TOLERANCE - TOLERANCE);
	const key = `topic:${Math.floor(random() * 4)}:${Math.floor(random() * 1e6)}`;
	if (proof.kind === 'token') return { headers: { authorization: `Bearer ${TOKEN}`, 'x-idempotency-key': key }, body };
	return { headers: { 'x-webhook-signature': `t=${at},v1=${sign(String(at), key, body)}`, 'x-idempotency-key': key }, body };
}

function sign(at: string, key: string, body: Buffer): string {
	const parts = key.split(':');
	const signedHead = [at, parts.slice(0, -2).join(':'), ...parts.slice(-2)].join('\n');
	return createHmac('sha256', SECRET).update(Buffer.concat([Buffer.from(`${signedHead}\n`), body])).digest('hex');
}

const ODD = ['', ' ', ',', '=', ':', ';', 't=', 'v1=', '\n', '\0', '0', 'é', '💬', 'Bearer ', '"', '{', '[', '__proto__', '1e9', '-', '\uFFFD', '%00', 'A'.repeat(3000)];

function mutateText(random: () => number, text: string): string {
	const at = Math.floor(random() * (text.length + 1));
	const odd = ODD[Math.floor(random() * ODD.length)] ?? '';
	switch (Math.floor(random() * 7)) {
		case 0:
			return text.slice(0, at) + odd + text.slice(at);
		case 1:
			return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 8));
		case 2:
			return text.slice(0, at);
		case 3:
			return odd;
		case 4:
			return text.slice(0, at) + String.fromCharCode(33 + Math.floor(random() * 90)) + text.slice(at + 1);
		case 5:
			return random() < 0.5 ? text.toUpperCase() : text + text;
		default:
			return `${text},${text}`;
	}
}

function mutateBody(random: () => number, body: Buffer): Buffer {
	if (random() < 0.5) return Buffer.from(mutateText(random, body.toString('utf8')));
	const changed = Buffer.from(body);
	for (let count = 1 + Math.floor(random() * 4); count > 0 && changed.length > 0; count--) changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
	return changed;
}

/** Changes one to three things of a request. One in ten is sent as it is. */
function mutate(random: () => number, request: Request): Request {
	if (random() < 0.1) return request;
	const headers = { ...request.headers };
	let { body } = request;
	for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
		const names = Object.keys(headers);
		const name = names[Math.floor(random() * names.length)] ?? 'x-webhook-signature';
		const value = headers[name];
		const what = random();
		if (what < 0.3) body = mutateBody(random, body);
		else if (what < 0.75 && typeof value === 'string') headers[name] = mutateText(random, value);
		else if (what < 0.8) headers[name] = undefined;
		else if (what < 0.85) headers[name] = [];
		else if (what < 0.9 && typeof value === 'string') headers[name] = [value];
		else if (what < 0.95 && typeof value === 'string') headers[name] = [value, mutateText(random, value)];
		else headers[ODD[Math.floor(random() * ODD.length)] ?? 'x'] = 'x';
	}
	return { headers, body };
}

function single(headers: DeliveryHeaders, name: string): string | undefined {
	const value = headers[name];
	if (typeof value === 'string') return value;
	return value?.length === 1 ? value[0] : undefined;
}

/** The published rule, read plainly: could the service have sent this? Blanks around parts and upper-case hex do no harm. */
function isGenuine({ headers, body }: Request, proof: KnownProof): boolean {
	if (proof.kind === 'token') return /^bearer +/i.test(single(headers, 'authorization') ?? '') && (single(headers, 'authorization') ?? '').replace(/^bearer +/i, '') === TOKEN;
	const parts = (single(headers, 'x-webhook-signature') ?? '').split(',').map((part) => part.trim());
	const timestamps = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
	const signatures = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3).toLowerCase());
	const key = single(headers, 'x-idempotency-key');
	const [at] = timestamps;
	if (timestamps.length !== 1 || at === undefined || key === undefined || !/^\d+$/.test(at) || Math.abs(NOW - Number(at)) > TOLERANCE) return false;
	return signatures.includes(sign(at, key, body));
}

it.each<[string, KnownProof]>([
	['five-field signatures', { kind: 'signature', secrets: [SECRET], scheme: 'fiveField', tolerance: TOLERANCE }],
	['tokens', { kind: 'token', tokens: [TOKEN] }],
])(
	`throws on none of ${RUNS} mutated requests, and accepts no forged one: %s (seed ${SEED})`,
	(_name, proof) => {
		const random = generator(SEED);
		let accepted = 0;
		const wrong: unknown[] = [];
		for (let run = 0; run < RUNS; run++) {
			const right = rightRequest(random, proof);
			const request = mutate(random, right);
			const verdict = verifyDelivery(request.headers, request.body, proof, NOW);
			if (verdict.accepted) accepted++;
			if (verdict.accepted && !isGenuine(request, proof)) wrong.push({ run, headers: request.headers, body: request.body.toString() });
			if (request === right && !verdict.accepted) wrong.push({ run, refused: verdict });
			// What was never to be accepted is parsed, too: parsing has to hold by itself.
			const body = readBody(request.body);
			const items = isNestedTooDeep(body) ? [] : toItems(body, { output: run % 2 ? 'raw' : 'simplified', chatFields: true, skipOwnMessages: false, senders: [], contentKinds: [], statuses: [] });
			for (const item of items) if (typeof item !== 'object' || Array.isArray(item)) wrong.push({ run, item });
		}
		expect(wrong).toEqual([]);
		// The mutations leave some genuine, and most not: neither branch is idle.
		expect(accepted / RUNS).toBeGreaterThan(0.05);
		expect(accepted / RUNS).toBeLessThan(0.6);
	},
	120_000,
);
