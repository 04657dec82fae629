/**
 * Everyday customers write to examples that answer each of them, and to what the README builds.
 * REHEARSE=ai-agent,auto-reply plays those two alone.
 */
import type { INodeParameters } from 'n8n-workflow';

import { connect } from '#sandbox/client/index.mts';
import { viewOf } from '#sandbox/everyday/guest.mts';
import { playScenes } from '#sandbox/everyday/play.mts';
import { inWords, judge } from '#sandbox/everyday/report.mts';
import type { RuleName } from '#sandbox/everyday/rules.mts';
import { SCENES } from '#sandbox/everyday/scenes.mts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow, Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { atOnce } from './harness/atOnce.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { ACTION, byId, type Host, TRIGGER } from './harness/host.mts';
import { type Models, startModels } from './harness/models.mts';
import { failuresOf } from './harness/rehearsals.mts';
import { addHandOver, addTemplate, STAGINGS } from './harness/stages.mts';

/** What is judged, and what of it is meant. */
interface Row {
	/** The remarks that can come, with their reasons. */
	remarks: { [rule in RuleName]?: string };
	/** What its customers write first. */
	opening?: string;
	/** It answers only some messages. */
	mayBeSilent?: true;
	/** What the README builds. An example is imported. */
	builds?: (host: Host, channelId: string, models: Models) => Promise<StoredWorkflow>;
}

const LIMIT_MS = 900_000;
jest.setTimeout(LIMIT_MS);

/** Fields that are dragged from the trigger's output. */
const DRAGGED = {
	...{ resource: 'message', operation: 'sendText' },
	channelId: byId("={{ $('Business Messaging Trigger').item.json.channelId }}"),
	recipient: "={{ $('Business Messaging Trigger').item.json.sender.identifier }}",
};

/** The README's trigger, with these steps behind it, by the kinds of their connections. */
async function built(
	host: Host,
	channelId: string,
	trigger: INodeParameters,
	nodes: Array<WorkflowNode & { feeds?: [kind: string, node: string] }>,
): Promise<StoredWorkflow> {
	const first = host.node('Business Messaging Trigger', TRIGGER, {
		...{ source: 'channel', channelId: byId(channelId), channelEvents: ['MESSAGE_RECEIVED'] },
		...trigger,
	});
	const to = (node: string, type = 'main') => ({ [type]: [[{ node, type, index: 0 }]] });
	const connections = Object.fromEntries([
		[first.name, to(nodes[0]!.name)],
		...nodes.flatMap(({ name, feeds }) => (feeds ? [[name, to(feeds[1], feeds[0])]] : [])),
	]) as Workflow['connections'];
	const all = [first, ...nodes.map(({ feeds: _feeds, ...node }) => node)];
	return await host.createWorkflow('README', all, [], connections);
}

const imported =
	(name: string) =>
	async (host: Host, channelId: string, models: Models): Promise<StoredWorkflow> => {
		const choices = await STAGINGS[name]?.choices?.(host, channelId, models);
		return (await Example.import(host, name, channelId, choices)).workflow;
	};

const PERSON_LIMIT = { personLimit: { limit: { executions: 20, minutes: 10 } } };

/** What an example leaves to others, so that it stays small. */
const SMALL = {
	overColleague: 'Human Takeover does that',
	silent: 'a node that stopped is seen under Executions; Shop Assistant has a template',
};
const BOTS: Record<string, Row> = {
	'auto-reply': { remarks: { threeAnswers: 'each message has its answer, as it says', ...SMALL } },
	'ai-agent': { remarks: SMALL },
	'shop-assistant': { remarks: SMALL },
	'human-takeover': { remarks: SMALL },
	'voice-notes': { remarks: SMALL, mayBeSilent: true },
	'book-a-table': { remarks: SMALL, opening: 'TABLE', mayBeSilent: true },
	"the README's first workflow": {
		remarks: { threeAnswers: 'Grouping comes with the agent', ...SMALL },
		builds: async (host, channelId) =>
			await built(host, channelId, { options: PERSON_LIMIT }, [
				host.node('Send Text', ACTION, { ...DRAGGED, text: 'Thanks for writing!' }),
			]),
	},
	"the README's agent": {
		remarks: SMALL,
		builds: async (host, channelId, { standIn }) => {
			const { id, name } = await standIn(host);
			const plain = (
				node: string,
				kind: string,
				typeVersion: number,
				more: INodeParameters = {},
			) => ({
				...host.node(node, `@n8n/n8n-nodes-langchain.${kind}`, more),
				...{ typeVersion, credentials: {} },
			});
			const options = { ...PERSON_LIMIT, chatFields: true };
			return await built(host, channelId, { grouping: 'customer', options }, [
				{ ...plain('AI Agent', 'agent', 3), feeds: ['main', 'Send Text'] },
				host.node('Send Text', ACTION, {
					...{ ...DRAGGED, text: '={{ $json.output }}', options: { convertMarkdown: true } },
				}),
				{
					...plain('OpenAI Chat Model', 'lmChatOpenAi', 1.2),
					...{ credentials: { openAiApi: { id, name } }, feeds: ['ai_languageModel', 'AI Agent'] },
				},
				{ ...plain('Simple Memory', 'memoryBufferWindow', 1.3), feeds: ['ai_memory', 'AI Agent'] },
			]);
		},
	},
};
/** Examples with customers' messages that are not played, and why. Rehearsals play them. */
const NOT_PLAYED = {
	'ask-with-choices':
		'its question waits for one of three choices in each scene, a quarter of an hour',
	'refund-with-approval': 'a colleague decides',
	'confirm-appointments': 'it writes first, and answers only about its rows',
	'scheduled-follow-ups': 'it only writes first',
	'opt-out': 'it answers no word but STOP and START',
	'forward-a-picture': 'a colleague gets the picture, and the customer no answer',
	'n8n-agent': 'its agent takes a quarter of an hour over the machine',
};
const only = process.env.REHEARSE?.split(',');
const NAMES = Object.keys(BOTS).filter((name) => only?.includes(name) ?? true);

/** In a real n8n, more on a busy machine. */
const PATIENCE = { within: 120_000, settle: 3_000 };

let models: Models;
let played: (name: string) => ReturnType<typeof tries>;

/** Everyday customers write to a bot in an account of its own. */
async function tries(name: string, { builds = imported(name), opening = 'Hello', ...row }: Row) {
	const { host, secretKey, tenantId, channels } = await ownAccount([name]);
	const [channelId = ''] = channels;
	try {
		for (const add of [addTemplate, addHandOver]) await add({ host, tenantId });
		const workflow = await builds(host, channelId, models);
		await host.client.publish(workflow.id);
		const { webhooks } = await host.sandbox.get<{
			webhooks: Array<{ id: string; channelId: string }>;
		}>('/_sandbox/state');
		const sandbox = await connect(host.underTest.sandboxUrl);
		const view = await viewOf({
			...{ sandbox, channel: await sandbox.channel(channelId), openings: [opening] },
			...{ ...PATIENCE, mayBeSilent: row.mayBeSilent ?? false },
			webhooks: webhooks.filter((one) => one.channelId === channelId).map(({ id }) => id),
		});
		const began = performance.now();
		const played = await playScenes(SCENES, view);
		const seconds = (performance.now() - began) / 1000;
		const findings = judge(played, [secretKey, new URL(host.underTest.n8nUrl).host]).filter(
			// The trigger responds before an example begins: it is n8n on a busy machine that was slow.
			({ name: rule }) => rule !== 'untaken',
		);
		const words = inWords({ played, findings, seconds });
		const failures = (await failuresOf(host, { workflow })).map(({ what }) => what);
		return { findings, words: [words, ...failures].join('\n') };
	} finally {
		await host.cleanUp();
	}
}

beforeAll(async () => {
	models = await startModels();
	played = atOnce(NAMES, async (name) => await tries(name, BOTS[name]!));
});
afterAll(async () => {
	await Promise.allSettled(NAMES.map(played));
	await models?.close();
});

test("each example with a customer's message is played, or says why not", () => {
	const listening = exampleNames('current').filter((name) =>
		readExample(name).nodes.some(({ parameters: { channelEvents } }) =>
			[channelEvents].flat().includes('MESSAGE_RECEIVED'),
		),
	);
	const played = Object.entries(BOTS).flatMap(([name, { builds }]) => (builds ? [] : [name]));
	expect([...played, ...Object.keys(NOT_PLAYED)].sort()).toEqual(listening);
});

test.each(NAMES)('everyday customers find no fault with %s', async (name) => {
	const { findings, words } = await played(name);
	expect(findings.some(({ rule }) => rule.level === 'fault') ? words : '').toBe('');
	expect(Object.keys(BOTS[name]!.remarks)).toEqual(
		expect.arrayContaining(findings.map((one) => one.name)),
	);
});
