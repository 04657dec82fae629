/** A broadcast by text, with a template for everybody whose window is closed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { connect, type Message } from '#sandbox/client/index.mts';
import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import type { CredentialReference, StoredWorkflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { number, sendTextParameters } from './harness/conversations.mts';
import { startFront } from './harness/frontedService.mts';
import { ACTION, Host, startNode } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

const LIMIT_MS = 60_000;
const CONCURRENCY = 5;
const TEMPLATE = 'spring';
const BODY = 'News for you: ';

let n8n: OwnN8n;
let host: Host;
let account: Awaited<ReturnType<typeof createAccount>>;

beforeAll(async () => {
	const shared = new Host();
	account = await createAccount(shared, ['Rehearsed', 'Killed', 'Between']);
	await shared.sandbox.post('/_sandbox/message-templates', {
		...{ name: TEMPLATE, body: `${BODY}{{1}}`, status: 'APPROVED', tenant: account.tenantId },
	});
	n8n = await startOwnN8n(account.secretKey);
	({ host } = n8n);
}, 300_000);
afterAll(async () => await n8n?.remove());

/** Sends each item's text to its recipient, or the template with it. */
async function broadcast(
	channelId: string,
	items: IDataObject[],
	options: INodeParameters = {},
	credential: CredentialReference = host.underTest.credential,
): Promise<StoredWorkflow> {
	const parameters = {
		...sendTextParameters(channelId),
		whenWindowClosed: 'sendTemplate',
		fallbackTemplate: { __rl: true, mode: 'list', value: `${TEMPLATE}/en_US` },
		fallbackVariables: {
			mappingMode: 'defineBelow',
			value: { 'body.1': '={{ $json.text }}' },
			schema: [{ id: 'body.1', displayName: 'Body 1', type: 'string', required: false }],
		},
		options: { maxConcurrency: CONCURRENCY, ...options },
	};
	const action = {
		...host.node('Action', ACTION, parameters, credential),
		onError: 'continueRegularOutput' as const,
	};
	return await host.createWorkflow('Broadcast', [startNode(), action], items);
}

async function outcomesOf(workflow: StoredWorkflow): Promise<IDataObject[]> {
	const { resultData } = await host.client.execute(workflow, 'Start');
	return (resultData.runData.Action?.[0]?.data?.main[0] ?? []).map(({ json }) => json);
}

/** What the service accepted on a channel, in order. */
async function accepted(channelId: string): Promise<Message[]> {
	const channel = await (await connect(host.underTest.sandboxUrl)).channel(channelId);
	return (await channel.messages()).filter(({ direction }) => direction === 'out');
}

const writes = async (channelId: string, from: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Somebody', text: 'Hello' });
const closeWindow = async (channelId: string, customer: string) =>
	await host.sandbox.post('/_sandbox/close-window', { channelId, customer });

type Pass = Parameters<Parameters<typeof startFront>[1]>[1];

/** Where n8n is killed: the request that is held there, and what the service has accepted then. */
const MOMENTS: Array<[string, 'TEXT' | 'TEMPLATE', (pass: Pass) => Promise<unknown>, number]> = [
	['before it learns of the refusal', 'TEXT', async (pass) => await pass(), 0],
	['before the template arrives', 'TEMPLATE', async () => undefined, 0],
	['before it learns that the template was accepted', 'TEMPLATE', async (pass) => await pass(), 1],
];

test.each(MOMENTS)(
	'killed %s, it never sends a second message',
	async (moment, heldType, go, count) => {
		const channelId = account.channels[2] ?? '';
		const customer = number(100 + MOMENTS.findIndex(([name]) => name === moment));
		await writes(channelId, customer);
		await closeWindow(channelId, customer);
		let isHolding = true;
		let isHeld = false;
		const front = await startFront(host.underTest.sandboxUrl, async (body, pass) => {
			if (!isHolding || !body.includes(`"type":"${heldType}"`)) return undefined;
			await go(pass);
			isHeld = true;
			return await new Promise<never>(() => {});
		});
		try {
			const credential = await host.client.createCredential('Held', CREDENTIAL_TYPE, {
				...{ baseUrl: front.url, secretKey: account.secretKey },
			});
			const items = [{ to: customer, text: 'Spring is here' }];
			const options = { sendOnceKey: moment };
			const workflow = await broadcast(channelId, items, options, credential);
			await host.client.runManually(workflow, 'Start');
			await until('the request to be held', () => isHeld, LIMIT_MS);
			await n8n.kill();
			isHolding = false;
			await n8n.start();
			const received = async () =>
				(await accepted(channelId)).filter((message) => message.customer === customer);
			expect(await received()).toHaveLength(count);
			// A text would be accepted now.
			await writes(channelId, customer);
			for (const run of ['the next run', 'the one after it'])
				expect({ run, outcomes: await outcomesOf(workflow) }).toMatchObject({
					outcomes: [{ details: { reason: 'unknown_outcome' } }],
				});
			expect(await received()).toHaveLength(count);
		} finally {
			await front.close();
		}
	},
	300_000,
);
