import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

import { CHANNEL_EVENTS, TEMPLATE_EVENTS } from '../../sandbox/contract.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { eventsTold, requireDocumentedEvents, undocumentedIn } from './documentedEvents.mts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { variantsOf } from './helpers.mts';

interface Document {
	asyncapi: string;
	channels: Record<string, { messages: Record<string, unknown> }>;
	components: {
		messages: Record<string, { examples: Array<{ payload: unknown }> }>;
		schemas: Record<string, unknown>;
	};
}

const URL_OF_HOOK = 'http://127.0.0.1:9/hook';

const fixture = (name: string): unknown =>
	JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', name), 'utf8'));
const { valid } = fixture('messages.json') as { valid: Record<string, { content: unknown }> };
const { events: published } = fixture('events.json') as { events: Record<string, unknown> };

const sandbox = testSandbox();
let document: Document;
beforeAll(async () => {
	document = (await sandbox.call<Document>('/asyncapi.json', { key: null })).body;
});

it('is a valid AsyncAPI 3 document', () => {
	expect(document.asyncapi).toBe('3.0.0');
	const { schemas } = createRequire(import.meta.url)('@asyncapi/specs') as {
		schemas: Record<string, object>;
	};
	// It contains the JSON Schema of JSON Schema.
	const ajv = new Ajv({ strict: false, meta: false, validateSchema: false });
	addFormats(ajv);
	const validate = ajv.compile(schemas['3.0.0']!);
	expect(validate(document) ? [] : validate.errors).toEqual([]);
	expect(validate({ ...document, operations: { deliver: { action: 'push' } } })).toBe(false);
	// Every reference has a target.
	const references = JSON.stringify(document).match(/"#\/[^"]+"/g)!;
	for (const reference of new Set(references)) {
		const [, ...path] = (JSON.parse(reference) as string).split('/');
		const target = path.reduce<unknown>(
			(value, key) => (value as Record<string, unknown> | undefined)?.[key],
			document,
		);
		expect({ reference, isThere: target !== undefined }).toEqual({ reference, isThere: true });
	}
});

it('describes every event that can be subscribed to, except those that are never sent', () => {
	const { channelWebhook, templateWebhook } = document.channels;
	const neverSent = ['PRESENCE_CHAT', 'INITIAL_DATA', 'BLOCK'];
	expect(Object.keys(channelWebhook!.messages).sort()).toEqual(
		CHANNEL_EVENTS.filter((event) => !neverSent.includes(event)).sort(),
	);
	expect(Object.keys(templateWebhook!.messages).sort()).toEqual([...TEMPLATE_EVENTS].sort());
});

it('has a valid example of each event', () => {
	for (const [event, { examples }] of Object.entries(document.components.messages)) {
		expect(examples.length).toBeGreaterThan(0);
		for (const { payload } of examples) expect(undocumentedIn(event, payload)).toBeUndefined();
	}
});

it.each(Object.entries(published))('accepts the published form: %s', (_name, event) => {
	// A changed state has the form of a new message.
	for (const name of ['MESSAGE_DELIVERY', 'RECEIVED_AND_DELIVERY', 'MESSAGE_STATUS'])
		expect(undocumentedIn(name, event)).toBeUndefined();
	// The business wrote it.
	expect(undocumentedIn('MESSAGE_RECEIVED', event)).toMatch(/from_me/);
});

/** An unknown field in an object, and another type of anything else. */
const othersOf = (part: unknown): unknown[] => {
	if (Array.isArray(part)) return [];
	const isObject = typeof part === 'object' && part !== null;
	return [isObject ? { ...part, unknown_field: 1 } : [part]];
};

it('refuses an event with a missing field, an unknown field or another type, in every place', () => {
	let tried = 0;
	for (const [event, { examples }] of Object.entries(document.components.messages)) {
		const [first] = examples;
		for (const variant of variantsOf(first!.payload, othersOf)) {
			const isRefused = undocumentedIn(event, variant) !== undefined;
			expect({ variant, isRefused }).toEqual({ variant, isRefused: true });
			tried += 1;
		}
	}
	expect(tried).toBeGreaterThan(400);
});

it('matches the events of the sandbox for every kind of message', async () => {
	const hook = async (path: string, events: readonly string[]) => {
		for (const event of events)
			await sandbox.call(path, { body: { url: URL_OF_HOOK, events: [event] } });
	};
	await hook(`${CHANNEL}/webhooks`, CHANNEL_EVENTS);
	await hook('/v1/webhooks', TEMPLATE_EVENTS);
	await sandbox.control('/message-templates', {
		body: { name: 'table_ready', body: '{{1}}: {{2}}, {{3}}', status: 'APPROVED' },
	});
	const file = { url: 'http://files.example.com/ä b' };
	const written: Array<Record<string, unknown>> = [
		{ type: 'TEXT', text: 'Hello', forwarded: true },
		{ type: 'IMAGE', ...file, caption: 'This' },
		{ type: 'VIDEO', ...file },
		{ type: 'AUDIO', ...file },
		{ type: 'STICKER', ...file },
		{ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phones: ['55'] }] },
	];
	const post = (path: string, body: unknown) => sandbox.control(path, { body });
	for (const content of written) {
		await post('/inbound', { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, ...content });
		await post('/from-phone', { channelId: DEMO_CHANNEL_ID, to: CUSTOMER, ...content });
	}
	for (const id of ['yes', undefined])
		await post('/inbound', {
			...{ channelId: DEMO_CHANNEL_ID, from: CUSTOMER, type: 'BUTTON_REPLY', text: 'Yes', id },
		});
	for (const { content } of Object.values(valid))
		expect((await sandbox.sendContent(CUSTOMER, content)).status).toBe(200);
	const { body: failed } = await sandbox.send(CUSTOMER, 'Lost');
	await post(`/messages/${failed.messageId}/status`, { status: 'FAILED' });
	await post('/clock', { advance: 60 });
	await post('/read', { channelId: DEMO_CHANNEL_ID, customer: CUSTOMER });
	for (const change of [
		{ field: 'status', status: 'REJECTED', reason: null },
		{ field: 'category', newCategory: 'MARKETING' },
	])
		await post('/templates', change);
	await post(`/channels/${DEMO_CHANNEL_ID}/disconnect`, {});
	await post(`/channels/${DEMO_CHANNEL_ID}/connect`, {});
	expect(eventsTold()).toEqual(Object.keys(document.components.messages).sort());
	requireDocumentedEvents();
});
