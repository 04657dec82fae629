import { CHANNEL_EVENTS, TEMPLATE_EVENTS } from '#sandbox/contract.mts';
import { openApiDocument } from '#sandbox/openapi/document.mts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { events as published } from '../fixtures/events.mts';
import { valid } from '../fixtures/messages.mts';
import { CUSTOMER, testSandbox, WEBHOOKS } from './deliveryHarness.mts';
import { eventsTold, requireDocumentedEvents, undocumentedIn } from './documentedEvents.mts';
import { variantsOf } from './helpers.mts';

const URL_OF_HOOK = 'http://127.0.0.1:9/hook';

const sandbox = testSandbox();

it.each(Object.entries(published))('describes the published event: %s', (_name, event) => {
	// A changed state has the form of a new message.
	for (const name of ['MESSAGE_DELIVERY', 'RECEIVED_AND_DELIVERY', 'MESSAGE_STATUS'])
		expect(undocumentedIn(name, event)).toBeUndefined();
	// The business wrote it.
	expect(undocumentedIn('MESSAGE_RECEIVED', event)).toMatch(/from_me/);
});

/** Has the demo account tell of everything that a webhook can subscribe to. */
async function tellEverything(): Promise<void> {
	for (const event of CHANNEL_EVENTS)
		await sandbox.call(WEBHOOKS, { body: { url: URL_OF_HOOK, events: [event] } });
	await sandbox.call('/v1/webhooks', { body: { url: URL_OF_HOOK, events: TEMPLATE_EVENTS } });
	const post = (path: string, body: unknown) => sandbox.control(path, { body });
	await post('/message-templates', {
		...{ name: 'table_ready', body: '{{1}}: {{2}}, {{3}}', status: 'APPROVED' },
	});
	const file = { url: 'http://files.example.com/ä b' };
	for (const content of [
		{ type: 'TEXT', text: 'Hello', forwarded: true },
		{ type: 'IMAGE', ...file, caption: 'This' },
		...['VIDEO', 'AUDIO', 'STICKER'].map((type) => ({ type, ...file })),
		{ type: 'CONTACT_ARRAY', contacts: [{ name: 'Bea', phones: ['55'] }] },
	]) {
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
	await post('/templates', { field: 'status', status: 'REJECTED', reason: null });
	await post('/templates', { field: 'category', newCategory: 'MARKETING' });
	await post(`/channels/${DEMO_CHANNEL_ID}/disconnect`, {});
	await post(`/channels/${DEMO_CHANNEL_ID}/connect`, {});
}

/** An unknown field in an object, and another type of anything else. */
const otherParts = (part: unknown): unknown[] => {
	if (Array.isArray(part)) return [];
	const isObject = typeof part === 'object' && part !== null;
	return [isObject ? { ...part, unknown_field: 1 } : [part]];
};

it('describes every event that the sandbox can deliver, and nothing that differs', async () => {
	await tellEverything();
	requireDocumentedEvents();
	const told = eventsTold();
	const neverSent = ['PRESENCE_CHAT', 'INITIAL_DATA', 'BLOCK'];
	const events = [...CHANNEL_EVENTS, ...TEMPLATE_EVENTS]
		.filter((event) => !neverSent.includes(event))
		.sort();
	expect(Object.keys(openApiDocument().webhooks ?? {}).sort()).toEqual(events);
	expect([...told.keys()].sort()).toEqual(events);
	let tried = 0;
	for (const [event, body] of told)
		for (const variant of variantsOf(body, otherParts)) {
			const isRefused = undocumentedIn(event, variant) !== undefined;
			expect({ variant, isRefused }).toEqual({ variant, isRefused: true });
			tried += 1;
		}
	expect(tried).toBeGreaterThan(400);
});
