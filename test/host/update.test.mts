/** What users have under way when they update: it was all begun by the version before, and goes on with the present one. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import { until } from '../../scripts/until.mts';
import { acceptedTexts, number, sendTextParameters } from './harness/conversations.mts';
import { startFront } from './harness/frontedService.mts';
import { type ActionRun, Host } from './harness/host.mts';
import { createAccount, Listener } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	open,
	type Question,
	reply,
	submit,
} from './harness/questions.mts';
import { readNodeState } from './harness/staticData.mts';
import { VERSION_BEFORE } from './harness/versionBefore.mts';

const [ana, ben, eva, dan] = [number(1), number(2), number(3), number(4)] as const;
const TEXTS = Array.from({ length: 10 }, (_, index) => ({
	to: number(10 + (index % 2)),
	text: `text ${index}`,
}));

let n8n: OwnN8n;
let front: Awaited<ReturnType<typeof startFront>>;
let customers: Customers;
/** Where the texts of the execution that failed half-way go. */
let sending: string;
let isBroken = true;
let listener: Listener;
let questions: Record<'approval' | 'form' | 'freeText' | 'chat', Question>;
let stopped: ActionRun;
let before: { webhooks: unknown; bundle: string; state: { secret: unknown; tokenHash: unknown } };

const bundle = (): string =>
	createHash('sha256')
		.update(
			readFileSync(
				join(
					n8n.host.underTest.home,
					'.n8n/nodes/node_modules/n8n-nodes-business-messaging/dist/nodes/BusinessMessaging/bundle.js',
				),
			),
		)
		.digest('hex');

const webhooks = async () =>
	(await listWebhooks(customers))
		.map(({ id, url }) => ({ id, url }))
		.sort((one, other) => (one.id < other.id ? -1 : 1));

/** What the trigger stored, with what the version before does not know. */
const state = () =>
	readNodeState(n8n.host.underTest.home, listener.workflow.id, listener.nodeName) as
		{ secret: string; tokenHash?: string } | undefined;

beforeAll(async () => {
	const shared = new Host();
	const { secretKey, channels } = await createAccount(shared, ['Updated', 'Sending']);
	const [channelId = ''] = channels;
	sending = channels[1] ?? '';
	n8n = await startOwnN8n(secretKey, {}, undefined, VERSION_BEFORE.tarball);
	const { host } = n8n;
	customers = { host, channelId, secretKey };
	for (const customer of [ana, ben, eva, dan]) await reply(customers, customer, 'Hello');
	for (const { to } of TEXTS) await reply({ ...customers, channelId: sending }, to, 'Hello');

	listener = await Listener.create(host, secretKey, channelId);
	await host.client.publish(listener.workflow.id);
	await listener.registered(channelId);
	await listener.receives(channelId);
	questions = {
		approval: await ask(customers, ana, {
			responseType: 'approval',
			approvalOptions: { values: { approvalType: 'double' } },
		}),
		form: await ask(customers, ben, {
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: 'Name', requiredField: true },
					{ fieldLabel: 'Visitors', fieldType: 'number' },
				],
			},
		}),
		freeText: await ask(customers, dan, { responseType: 'freeText' }),
		chat: await ask(customers, eva, {
			responseType: 'replyInChat',
			choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
		}),
	};
	// Item 7 of 10 fails, after others of both recipients were sent.
	front = await startFront(shared.underTest.sandboxUrl, (body) =>
		isBroken && body.includes('text 6')
			? { status: 500, body: { error: 500, message: 'Internal error' } }
			: undefined,
	);
	const credential = await host.client.createCredential('Sending', CREDENTIAL_TYPE, {
		baseUrl: front.url,
		secretKey,
	});
	stopped = await host.runAction(sendTextParameters(sending), { items: TEXTS, credential });
	before = {
		webhooks: await webhooks(),
		bundle: bundle(),
		state: { secret: state()?.secret, tokenHash: state()?.tokenHash },
	};

	await n8n.update();
}, 400_000);

afterAll(async () => {
	await n8n?.remove();
	await front?.close();
});

test('the update puts another package in the place of the version before, and leaves the registered webhooks where they are', async () => {
	expect(before.bundle).not.toBe(bundle());
	expect(await webhooks()).toEqual(before.webhooks);
});

test('an event starts the workflow that was published before: by the signature alone, since its state knows no token, which n8n 1 mends at its start', async () => {
	expect(before.state).toEqual({ secret: expect.any(String), tokenHash: undefined });
	if (n8n.host.underTest.generation === 'oldest')
		await until('the registration to be mended', () => state()?.tokenHash !== undefined, 30_000);
	else
		expect({ ...state() }).toEqual(expect.not.objectContaining({ tokenHash: expect.anything() }));
	await listener.receives(customers.channelId);
	expect(await webhooks()).toEqual(before.webhooks);
});

test('a link that was sent before approves', async () => {
	const [yes = ''] = await questions.approval.links();
	expect((await open(yes)).body).toContain('May we deliver on Tuesday?');
	expect((await open(yes, { method: 'POST' })).body).toContain('Your answer was recorded');
	expect(await questions.approval.outcome()).toMatchObject({
		status: 'success',
		items: [{ data: { approved: true, outcome: 'answered' } }],
	});
});

test('a form that was sent before takes its replies, and refuses what it refused', async () => {
	const [link = ''] = await questions.form.links();
	expect((await open(link)).body).toContain('Visitors');
	expect((await submit(link, { 'field-0': '', 'field-1': '3' })).body).toContain(
		'Please fill in this field.',
	);
	await submit(link, { 'field-0': 'Ben', 'field-1': '3' });
	expect(await questions.form.outcome()).toMatchObject({
		status: 'success',
		items: [{ data: { Name: 'Ben', Visitors: 3 } }],
	});
});

test('a page that was sent before takes its text', async () => {
	const [link = ''] = await questions.freeText.links();
	expect((await open(link)).body).toContain('May we deliver on Tuesday?');
	await submit(link, { 'field-0': 'After noon' });
	expect(await questions.freeText.outcome()).toMatchObject({
		status: 'success',
		items: [{ data: { text: 'After noon' } }],
	});
});

test('a reply in the chat goes to the question that was asked before, and its webhook goes', async () => {
	await reply(customers, eva, 'Sunday');
	await reply(customers, eva, '2');
	expect(await questions.chat.outcome()).toMatchObject({
		status: 'success',
		items: [{ text: '2', data: { choice: 'Tuesday', outcome: 'answered' } }],
	});
	expect(await listener.own(customers.channelId)).toEqual([
		await listener.registered(customers.channelId),
	]);
});

test('the Retry of an execution that failed half-way sends nothing twice', async () => {
	const texts = async (to: string) =>
		(await acceptedTexts(n8n.host, sending))
			.filter(({ customer }) => customer === to)
			.map(({ text }) => text);
	const wanted = (to: string) => TEXTS.filter((item) => item.to === to).map(({ text }) => text);
	expect(stopped.execution.status).toBe('error');
	expect(await texts(number(10))).toEqual(['text 0', 'text 2', 'text 4']);
	isBroken = false;
	const retried = await n8n.host.client.finishedExecution(
		await n8n.host.client.retryExecution(stopped.execution.id),
	);
	expect(retried.status).toBe('success');
	expect(await texts(number(10))).toEqual(wanted(number(10)));
	expect(await texts(number(11))).toEqual(wanted(number(11)));
});

test('what was registered before is removed when the workflow is unpublished', async () => {
	await n8n.host.client.unpublish(listener.workflow.id);
	await listener.unregistered(customers.channelId);
});
