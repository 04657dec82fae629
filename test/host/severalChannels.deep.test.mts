/** One workflow with a trigger for each of several channels, of every kind, joined at one reply. */
import { randomUUID } from 'node:crypto';

import { CHANNEL_TYPES, kindOf } from '../../sandbox/channelTypes.mts';
import { until } from '../../scripts/until.mts';
import { ACTION, byId, Host, TRIGGER } from './harness/host.mts';
import type { ListedWebhook } from './harness/listener.mts';
import { type OwnN8n, startOwnN8n } from './harness/ownN8n.mts';

const LIMIT_MS = 60_000;
const SECRET_KEY = `sandbox_sk_${randomUUID()}`;

interface OneChannel {
	id: string;
	customer: string;
}

let n8n: OwnN8n;
let channels: OneChannel[];

beforeAll(async () => {
	const kinds = Array.from({ length: 10 }, (_, at) => CHANNEL_TYPES[at % CHANNEL_TYPES.length]!);
	const { tenants } = await new Host().sandbox.post<{ tenants: Array<{ channels: string[] }> }>(
		'/_sandbox/seed',
		{
			tenants: [
				{
					...{ name: 'Several channels', secretKey: SECRET_KEY },
					publicKey: SECRET_KEY.replace('_sk_', '_pk_'),
					channels: kinds.map((type, at) => ({ name: `Channel ${at}`, type })),
				},
			],
		},
	);
	channels = tenants[0]!.channels.map((id, at) => ({
		id,
		customer: kindOf(kinds[at]!).hasNumbers ? `55000000009${10 + at}` : `@customer_${at}`,
	}));
	n8n = await startOwnN8n(SECRET_KEY);
}, 300_000);
afterAll(async () => await n8n?.remove());

const webhooksOf = async ({ id }: OneChannel): Promise<ListedWebhook[]> =>
	await n8n.host.callService(`/v1/channels/${id}/webhooks`, SECRET_KEY);

async function allHave(used: OneChannel[], count: number): Promise<ListedWebhook[]> {
	return await until(
		`each channel to have ${count} webhooks`,
		async () => {
			const listed = await Promise.all(used.map(webhooksOf));
			return listed.every(({ length }) => length === count) && listed.flat();
		},
		LIMIT_MS,
	);
}

/** A customer writes on each channel at the same time, and gets the reply there, once. */
async function replyOnEach(used: OneChannel[], text: string): Promise<void> {
	const { sandbox } = n8n.host;
	await Promise.all(
		used.map(async ({ id, customer }) =>
			sandbox.customerWrites({ channelId: id, from: customer, name: 'Ana', text }),
		),
	);
	const repliesOn = async ({ id }: OneChannel) => {
		const { messages } = await sandbox.get<{
			messages: Array<{ direction: string; customer: string; content: { text?: string } }>;
		}>(`/_sandbox/messages?channelId=${id}`);
		return messages
			.filter(({ direction, content }) => direction === 'out' && content.text === `Re: ${text}`)
			.map(({ customer }) => customer);
	};
	const wanted = used.map(({ customer }) => [customer]);
	await until(
		`a reply to "${text}" on each channel`,
		async () => JSON.stringify(await Promise.all(used.map(repliesOn))) === JSON.stringify(wanted),
		LIMIT_MS,
	);
}

test.each([2, 10])(
	'%d channels: each registers, replies with its identifiers, survives a restart, and unregisters',
	async (count) => {
		const used = channels.slice(-count);
		const triggers = used.map(({ id }, at) =>
			n8n.host.node(`Channel ${at}`, TRIGGER, {
				...{ source: 'channel', channelId: byId(id), channelEvents: ['MESSAGE_RECEIVED'] },
			}),
		);
		const reply = n8n.host.node('Reply', ACTION, {
			...{ resource: 'message', operation: 'sendText' },
			channelId: byId('={{ $json.channelId }}'),
			recipient: '={{ $json.sender.identifier }}',
			text: '=Re: {{ $json.text }}',
		});
		const toReply = { main: [[{ node: reply.name, type: 'main' as const, index: 0 }]] };
		const workflow = await n8n.host.createWorkflow(
			`${count} channels`,
			[...triggers, reply],
			[{}],
			Object.fromEntries(triggers.map(({ name }) => [name, toReply])),
		);
		await n8n.host.client.publish(workflow.id);
		const before = await allHave(used, 1);
		expect(new Set(before.map(({ url }) => url)).size).toBe(count);
		await replyOnEach(used, `Before, of ${count}`);

		await n8n.restart();
		expect(await allHave(used, 1)).toHaveLength(count);
		await replyOnEach(used, `After, of ${count}`);
		// Each knows its own secret.
		expect(n8n.log()).not.toContain('accepted by its token alone');

		await n8n.host.client.unpublish(workflow.id);
		expect(await allHave(used, 0)).toEqual([]);
	},
	300_000,
);
