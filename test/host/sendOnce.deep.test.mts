import type { IDataObject } from 'n8n-workflow';

import type { CredentialReference, StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import {
	acceptedTexts,
	clearFaults,
	number,
	sendTextParameters,
} from './harness/conversations.mts';
import { ACTION, Host, startNode } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { countRemembered } from './harness/staticData.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

const LIMIT_MS = 60_000;
const CONCURRENCY = 5;
const recipients = Array.from({ length: 20 }, (_, index) => number(index));

let n8n: OwnN8n;
let host: Host;
let secretKey: string;
let tenantId: string;
let channelId: string;
let credential: CredentialReference;

beforeAll(async () => {
	const account = await createAccount(new Host(), ['Once']);
	({ secretKey, tenantId } = account);
	[channelId = ''] = account.channels;
	n8n = await startOwnN8n(secretKey);
	host = n8n.host;
	credential = host.underTest.credential;
	for (const from of recipients)
		await host.sandbox.customerWrites({ channelId, from, name: 'Customer', text: 'Hello' });
}, 300_000);
afterEach(async () => await clearFaults(host));
afterAll(async () => await n8n?.remove());

/** A saved workflow that sends texts, each with its item's key. */
const sends = async (items: IDataObject[], changes: IDataObject = {}): Promise<StoredWorkflow> => {
	const parameters = sendTextParameters(channelId);
	const options = { sendOnceKey: '={{ $json.key }}', maxConcurrency: CONCURRENCY, ...changes };
	const action = {
		...host.node('Action', ACTION, { ...parameters, options }, credential),
		onError: 'continueRegularOutput' as const,
	};
	return await host.createWorkflow('Once', [startNode(), action], items);
};
const runOf = async (workflow: StoredWorkflow): Promise<IDataObject[]> => {
	const { resultData } = await host.client.execute(workflow, 'Start');
	return (resultData.runData.Action?.[0]?.data?.main[0] ?? []).map(({ json }) => json);
};
const texts = async (about: string) =>
	(await acceptedTexts(host, channelId))
		.map(({ text }) => text)
		.filter((text) => text.startsWith(about));

test('sends a text with a key once, however often the workflow runs, and remembers nothing without a key', async () => {
	const items = ['a', 'b', 'a', ''].map((key, index) => ({
		key: key && `order ${key}`,
		to: recipients[0],
		text: `once ${key}${key ? '' : index}`,
	}));
	const workflow = await sends(items);
	const sent = { messageId: expect.any(String), channelId, recipient: recipients[0] };
	const before = { messageId: null, channelId, recipient: recipients[0], alreadySent: true };
	expect(await runOf(workflow)).toEqual([sent, sent, before, sent]);
	expect(await runOf(workflow)).toEqual([before, before, before, sent]);
	expect(await texts('once')).toEqual(['once a', 'once b', 'once 3', 'once 3']);
	expect(countRemembered(host.underTest.home, workflow.id)).toBeGreaterThan(0);
	const unkeyed = await sends([{ key: '', to: recipients[0], text: 'no key' }]);
	expect(await runOf(unkeyed)).toEqual([sent]);
	expect(countRemembered(host.underTest.home, unkeyed.id)).toBe(0);
});

test('accepts each text at most once and accounts for all, over kill -9 twice and a rotated secret key', async () => {
	const items = Array.from({ length: 80 }, (_, index) => ({
		key: `crash ${index}`,
		to: recipients[index % recipients.length],
		text: `crash ${index}.`,
	}));
	const workflow = await sends(items);
	await host.sandbox.post('/_sandbox/faults', {
		on: 'route',
		operation: 'sendMessage',
		kind: 'latency',
		ms: 40,
	});
	let kills = 0;
	for (const enough of [15, 45]) {
		await host.client.runManually(workflow, 'Start');
		await until(
			`${enough} texts to be accepted`,
			async () => (await texts('crash')).length >= enough,
			LIMIT_MS,
			20,
		);
		await n8n.kill();
		kills++;
		await n8n.start();
	}
	const replaced = `${secretKey}-new`;
	await host.sandbox.post('/_sandbox/secret-key', { secretKey: replaced, tenant: tenantId });
	await host.client.updateCredential(credential, {
		baseUrl: host.underTest.sandboxUrl,
		secretKey: replaced,
	});
	const outcomes = await runOf(workflow);
	expect(outcomes).toHaveLength(items.length);
	const inDoubt = outcomes.filter(
		({ details }) => (details as IDataObject | undefined)?.reason === 'unknown_outcome',
	);
	const sent = outcomes.filter(({ messageId }) => typeof messageId === 'string');
	const before = outcomes.filter(({ alreadySent }) => alreadySent);
	expect(inDoubt.length + sent.length + before.length).toBe(items.length);
	expect(inDoubt.length).toBeLessThanOrEqual(kills * CONCURRENCY);
	const accepted = await texts('crash');
	expect(new Set(accepted).size).toBe(accepted.length);
	expect(accepted.length).toBeGreaterThanOrEqual(sent.length + before.length);
}, 400_000);
