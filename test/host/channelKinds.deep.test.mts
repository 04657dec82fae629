/** What workflows do with customers, rehearsed on each kind of channel, with its identifiers. */
import { CHANNEL_TYPES, type ChannelType, kindOf } from '#sandbox/channelTypes.mts';
import { inWords, isGreen } from '#sandbox/rehearsal/report.mts';
import type { Workflow } from '#scripts/n8n/types.mts';
import { atOnce } from './harness/atOnce.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { ACTION, TRIGGER } from './harness/host.mts';
import { type Models, startModels } from './harness/models.mts';
import { reply } from './harness/questions.mts';
import { addChannel, rehearse } from './harness/rehearsals.mts';
import { nodesChanged } from './harness/stages.mts';

/** Of all kinds together, which begin at once. */
const LIMIT_MS = 600_000;
const APPROVER = '5500000000010';
const PHONE = '5500000000101';

let models: Models;
let rehearsed: (type: ChannelType) => Promise<string[]>;
beforeAll(async () => {
	models = await startModels();
	rehearsed = atOnce(CHANNEL_TYPES, failuresOn);
});
afterAll(async () => {
	await Promise.allSettled(CHANNEL_TYPES.map(rehearsed));
	await models?.close();
});

/** Grouped by customer, and each reply under a key of its own. */
const groupedWithKeys = nodesChanged((node) => {
	if (node.type === TRIGGER)
		return { ...node, parameters: { ...node.parameters, grouping: 'customer', quietTime: 1 } };
	if (node.type !== ACTION) return node;
	const options = { sendOnceKey: '={{ $json.messageId }}' };
	return { ...node, parameters: { ...node.parameters, options } };
});

/** The colleague who approves, by an identifier that the channel has. */
const approverOf = (type: ChannelType) => (text: string) =>
	kindOf(type).hasNumbers ? text : text.replaceAll(APPROVER, '@colleague');

type Rehearsal = [what: string, example: string, change?: (one: Workflow) => Workflow];
const REHEARSALS: Rehearsal[] = [
	['Auto-Reply, grouped by customer, with a Send Once Key', 'auto-reply', groupedWithKeys],
	['Human Takeover', 'human-takeover'],
	['an approval in the chat', 'refund-with-approval'],
];

/** @returns what failed of them on a channel of this kind */
async function failuresOn(type: ChannelType): Promise<string[]> {
	const rewrite = approverOf(type);
	const rehearseOn = async ([what, example, change = (one) => one]: Rehearsal) => {
		const outcome = await rehearse(example, models, {
			...{ type, rewrite },
			change: (workflow) => change(JSON.parse(rewrite(JSON.stringify(workflow))) as Workflow),
		});
		return isGreen(outcome) ? [] : [`${what}: ${inWords(outcome)}`];
	};
	return (await Promise.all(REHEARSALS.map(rehearseOn))).flat();
}

test.each(CHANNEL_TYPES)('%s', async (type) => expect(await rehearsed(type)).toEqual([]), LIMIT_MS);

test("a name of digits changes no opt-out of that phone, which holds on another phone's channel", async () => {
	const { host, secretKey, channels } = await ownAccount(['Shop', 'Workshop']);
	try {
		const [shop, workshop] = channels as [string, string];
		const inbox = await addChannel(host, secretKey, 'PHOTO_INBOX');
		const first = await Example.import(host, 'opt-out', shop);
		const { dataTables } = first;
		const all = new Map([[shop, first]]);
		for (const channelId of [workshop, inbox])
			all.set(channelId, await Example.import(host, 'opt-out', channelId, { dataTables }));
		for (const example of all.values()) await example.publish();
		const counts = new Map<string, number>();
		/** Writes, and waits for the execution. @returns the rows by customer */
		const afterWord = async (channelId: string, text: string) => {
			await reply({ host, secretKey, channelId }, PHONE, text);
			const count = (counts.get(channelId) ?? 0) + 1;
			counts.set(channelId, count);
			await all.get(channelId)?.executions(count);
			return Object.fromEntries(
				(await first.rows()).map(({ customer, state }) => [customer, state]),
			) as object;
		};
		expect(await afterWord(shop, 'STOP')).toEqual({ [PHONE]: 'stopped' });
		const named = `${inbox}:${PHONE}`;
		expect(await afterWord(inbox, 'START')).toEqual({ [PHONE]: 'stopped', [named]: 'started' });
		expect(await afterWord(inbox, 'STOP')).toEqual({ [PHONE]: 'stopped', [named]: 'stopped' });
		expect(await afterWord(inbox, 'START')).toEqual({ [PHONE]: 'stopped', [named]: 'started' });
		expect(await afterWord(workshop, 'START')).toEqual({ [PHONE]: 'started', [named]: 'started' });
	} finally {
		await host.cleanUp();
	}
}, 240_000);
