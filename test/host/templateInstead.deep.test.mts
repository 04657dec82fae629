/** A broadcast by text, with a template for everybody whose window is closed. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { connect, type Message } from '../../sandbox/client/index.mts';
import { parseScript } from '../../sandbox/rehearsal/parse.mts';
import { play } from '../../sandbox/rehearsal/play.mts';
import { checkout } from '../../scripts/checkout.mts';
import { CREDENTIAL_TYPE } from '../../scripts/n8n/provision.mts';
import type { CredentialReference, StoredWorkflow } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { accountForTexts } from '../load/texts.mts';
import { number, sendTextParameters } from './harness/conversations.mts';
import { startFront } from './harness/frontedService.mts';
import { ACTION, Host, startNode } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

const LIMIT_MS = 60_000;
const CONCURRENCY = 5;
const PEOPLE = 50;
/** The first ones. They wrote today. */
const WITH_OPEN_WINDOW = 20;
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
const textOf = ({ content }: Message): string => ('text' in content ? String(content.text) : '');

const writes = async (channelId: string, from: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Somebody', text: 'Hello' });
const closeWindow = async (channelId: string, customer: string) =>
	await host.sandbox.post('/_sandbox/close-window', { channelId, customer });

test('reaches 50 people, of whom 20 wrote today, with 20 texts and 30 templates', async () => {
	const [channelId = ''] = account.channels;
	const people = Array.from({ length: PEOPLE }, (_, index) => `person${index}`);
	const isOpen = (person: string) => people.indexOf(person) < WITH_OPEN_WINDOW;
	const script = {
		name: 'Broadcast',
		answers: 'optional',
		customers: Object.fromEntries(people.map((person) => [person, { name: person }])),
		steps: [
			{ together: people.map((person) => ({ [person]: 'writes Hello' })) },
			{
				together: people
					.filter((person) => !isOpen(person))
					.map((person) => ({ [person]: { closesWindow: true } })),
			},
			{ manually: 'Execute the workflow' },
			{
				together: people.flatMap((person): object[] =>
					isOpen(person)
						? [{ [person]: `gets Spring is here, ${person}` }]
						: [
								{ [person]: { isRefused: true } },
								{
									[person]: {
										getsTemplate: TEMPLATE,
										parameters: [`Spring is here, ${person}`],
										text: `${BODY}Spring is here, ${person}`,
									},
								},
							],
				),
			},
		],
	};
	const sandbox = await connect(host.underTest.sandboxUrl);
	let outcomes: IDataObject[] = [];
	const rehearsed = await play(
		// JSON is YAML.
		parseScript(JSON.stringify(script), 'broadcast'),
		sandbox,
		await sandbox.channel(channelId),
		{
			...{ folder: checkout, within: '60s' },
			manually: async (_, customers) => {
				const items = [...customers].map(([person, customer]) => ({
					...{ to: customer.number, text: `Spring is here, ${person}` },
				}));
				outcomes = await outcomesOf(await broadcast(channelId, items));
			},
		},
	);
	expect(rehearsed.broken).toBeUndefined();
	expect(rehearsed.problems).toEqual([]);
	const kinds = (await accepted(channelId)).map(({ content: { type } }) => type);
	expect(kinds.filter((type) => type === 'TEXT')).toHaveLength(WITH_OPEN_WINDOW);
	expect(kinds.filter((type) => type === 'TEMPLATE')).toHaveLength(PEOPLE - WITH_OPEN_WINDOW);
	expect(kinds).toHaveLength(PEOPLE);
	expect(outcomes.map(({ sentAs }) => sentAs)).toEqual(
		people.map((person) => (isOpen(person) ? undefined : 'template')),
	);
});

/** Messages to each person. */
const MESSAGES = 3;
/** Accepted messages, of 150, at which n8n is killed. */
const KILLED_AT = [10, 30, 50, 70, 90];

test('over 5 kills, each message is accepted at most once as text or template, in its order, and all are accounted for', async () => {
	const [, channelId = ''] = account.channels;
	const people = Array.from({ length: PEOPLE }, (_, index) => number(index));
	const open = new Set(people.slice(0, WITH_OPEN_WINDOW));
	for (const person of people) {
		await writes(channelId, person);
		if (!open.has(person)) await closeWindow(channelId, person);
	}
	// One round after the other, so that each person has several under way in the same run.
	const items = Array.from({ length: PEOPLE * MESSAGES }, (_, index) => ({
		to: people[index % PEOPLE] ?? '',
		text: `message ${String(index).padStart(3, '0')}`,
	}));
	const workflow = await broadcast(channelId, items, { sendOnceKey: '={{ $json.text }}' });
	await host.sandbox.post('/_sandbox/faults', {
		...{ on: 'route', operation: 'sendMessage', kind: 'latency', ms: 60 },
		tenant: account.tenantId,
	});
	for (const enough of KILLED_AT) {
		await host.client.runManually(workflow, 'Start');
		await until(
			`${enough} messages to be accepted`,
			async () => (await accepted(channelId)).length >= enough,
			LIMIT_MS,
			20,
		);
		await n8n.kill();
		// It was killed in the middle.
		expect((await accepted(channelId)).length).toBeLessThan(items.length);
		await n8n.start();
	}
	const outcomes = await outcomesOf(workflow);
	const messages = await accepted(channelId);
	for (const { customer, content } of messages)
		expect({ customer, type: content.type }).toEqual({
			customer,
			type: open.has(customer) ? 'TEXT' : 'TEMPLATE',
		});
	const texts = messages.map((message) => textOf(message).replace(BODY, ''));
	const { failed, acceptedTwice, neverAccepted, sent, alreadySent, inDoubt } = accountForTexts(
		items.map(({ text }) => text),
		outcomes,
		texts,
	);
	expect({ failed, acceptedTwice, neverAccepted }).toEqual({
		failed: [],
		acceptedTwice: [],
		neverAccepted: [],
	});
	expect(sent + alreadySent + inDoubt).toBe(items.length);
	expect(inDoubt).toBeLessThanOrEqual(KILLED_AT.length * CONCURRENCY);
	for (const person of people) {
		const own = texts.filter((_, index) => messages[index]?.customer === person);
		expect(own).toEqual([...own].sort());
	}
	console.log(
		`of ${items.length}: ${sent} sent by the last run, ${alreadySent} before, ${inDoubt} in doubt`,
	);
}, 600_000);

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
