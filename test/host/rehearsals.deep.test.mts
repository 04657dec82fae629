/**
 * Plays the conversation of each example workflow, each in an account of its own, side by side.
 * Copies with faults show that a rehearsal finds them. REHEARSALS=20 plays each 20 times in a row.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { inWords, isGreen, type Outcome } from '../../sandbox/rehearsal/report.mts';
import { checkout } from '../../scripts/checkout.mts';
import { exampleNames } from '../../scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '../../scripts/n8n/types.mts';
import { hostUnderTest, TRIGGER } from './harness/host.mts';
import { type Models, startModels } from './harness/models.mts';
import { type Changed, rehearse } from './harness/rehearsals.mts';
import { nodesChanged } from './harness/stages.mts';

const ROUNDS = Number(process.env.REHEARSALS ?? 1);
/**
 * Rehearsals at once. n8n 1 says that its database is not ready if twenty workflows are imported
 * and published together.
 */
const AT_ONCE = 5;
const LIMIT_MS = 120_000 + ROUNDS * 90_000;
const SEND = 'Send the Reply';

const nodeOf = ({ nodes }: Workflow, name: string): WorkflowNode => {
	const node = nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`the example has no node '${name}'`);
	return node;
};

/** Adds nodes in a row after one of its nodes. */
function extended(workflow: Workflow, behind: string, more: WorkflowNode[]): Workflow {
	const connections = { ...workflow.connections };
	let before = behind;
	for (const { name } of more) {
		const others = connections[before]?.main?.[0] ?? [];
		connections[before] = { main: [[...others, { node: name, type: 'main', index: 0 }]] };
		before = name;
	}
	return { ...workflow, nodes: [...workflow.nodes, ...more], connections };
}

const another = (node: WorkflowNode, name: string, parameters = node.parameters): WorkflowNode => ({
	...node,
	...{ id: randomUUID(), name, parameters },
});

const plain = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): WorkflowNode => ({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters });

/** Leads from one of the nodes to another, and nowhere else. */
const leading = (workflow: Workflow, from: string, to: string): Workflow => {
	const connections = { ...workflow.connections };
	connections[from] = { main: [[{ node: to, type: 'main', index: 0 }]] };
	return { ...workflow, connections };
};

/** A copy that sends what the model said, whatever the customer wrote meanwhile. */
const withoutLookingBack = (workflow: Workflow): Workflow =>
	leading(workflow, 'The Answer', 'Send the Answer');

/** Changes to a copy of an example, by what its rehearsal must report. */
const FAULTS: Record<string, { example: string } & Changed> = {
	'an answer sent twice': {
		example: 'auto-reply',
		change: (workflow) =>
			extended(workflow, 'When a Customer Writes', [another(nodeOf(workflow, SEND), 'Again')]),
	},
	'an answer never sent': {
		example: 'auto-reply',
		change: (workflow) => ({ ...workflow, connections: {} }),
		within: '5s',
	},
	'a text after 24 hours': {
		example: 'auto-reply',
		// The sandbox lets the hours pass at once, because the customer writes only once.
		change: (workflow) => {
			const send = nodeOf(workflow, SEND);
			const sender = "$('When a Customer Writes').item.json.sender";
			const isBen = plain('Is It Ben?', 'n8n-nodes-base.filter', 2.2, {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
					conditions: [
						{
							...{ id: 'is-ben', leftValue: `={{ ${sender}.name }}`, rightValue: 'Ben' },
							operator: { type: 'string', operation: 'equals' },
						},
					],
					combinator: 'and',
				},
				options: {},
			});
			const wait = plain('A Day Passes', 'n8n-nodes-base.httpRequest', 4.2, {
				method: 'POST',
				url: `${hostUnderTest().sandboxUrl}/_sandbox/close-window`,
				...{ sendBody: true, specifyBody: 'json' },
				jsonBody: `={{ { channelId: $('When a Customer Writes').item.json.channelId, customer: ${sender}.identifier } }}`,
				options: {},
			});
			const late = another(send, 'Ask Once More', {
				...send.parameters,
				channelId: '={{ $json.channelId }}',
				recipient: '={{ $json.customer }}',
				text: 'Is anything open?',
			});
			return extended(workflow, SEND, [isBen, wait, late]);
		},
	},
	'an answer to each of three quick messages': {
		example: 'ai-agent',
		change: (workflow) => {
			const change = nodesChanged((node) => {
				const parameters = { ...node.parameters, grouping: 'none' };
				return node.type === TRIGGER ? { ...node, parameters } : node;
			});
			// The model knows this message alone.
			return leading(withoutLookingBack(change(workflow)), 'When a Customer Writes', 'AI Agent');
		},
		// Of Ana and Ben alone.
		rewrite: (script) => script.slice(0, script.indexOf('      # Cleo')),
		settle: '8s',
	},
	'a slow answer that overtakes': { example: 'ai-agent', change: withoutLookingBack },
};

let models: Models;
/** What is running, by the name of the example or the fault. */
const playing = new Map<string, Promise<Outcome[]>>();

/** In order of arrival. */
const waiting: Array<() => void> = [];
let places = AT_ONCE;

/** Rehearses when there is a free place. */
async function rehearseInTurn(...parameters: Parameters<typeof rehearse>): Promise<Outcome> {
	if (places > 0) places -= 1;
	else await new Promise<void>((resolve) => waiting.push(resolve));
	try {
		return await rehearse(...parameters);
	} finally {
		const next = waiting.shift();
		if (next) next();
		else places += 1;
	}
}

async function rounds(name: string): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	while (outcomes.length < ROUNDS) outcomes.push(await rehearseInTurn(name, models));
	return outcomes;
}

beforeAll(async () => {
	models = await startModels();
	for (const name of exampleNames()) playing.set(name, rounds(name));
	for (const [fault, { example, ...changed }] of Object.entries(FAULTS))
		playing.set(
			fault,
			rehearseInTurn(example, models, changed).then((outcome) => [outcome]),
		);
	// The test that waits for a rehearsal reports its failure.
	for (const end of playing.values()) end.catch(() => {});
});
afterAll(async () => {
	await Promise.allSettled(playing.values());
	await models?.close();
}, LIMIT_MS);

async function outcomesOf(name: string): Promise<Outcome[]> {
	const outcomes = await playing.get(name);
	if (!outcomes) throw new Error(`${name} is not played`);
	return outcomes;
}

test('each example has a conversation, and each conversation has an example', () => {
	const files = readdirSync(join(checkout, 'workflows', 'rehearsals')).filter((file) =>
		file.endsWith('.yaml'),
	);
	expect(files.sort()).toEqual(exampleNames().map((name) => `${name}.yaml`));
});

test.each(exampleNames())(
	'%s follows its conversation',
	async (name) => {
		const outcomes = await outcomesOf(name);
		expect(outcomes.filter((outcome) => !isGreen(outcome)).map(inWords)).toEqual([]);
		expect(outcomes).toHaveLength(ROUNDS);
	},
	LIMIT_MS,
);

describe('a rehearsal finds the fault in a copy of an example:', () => {
	/** What the copy's rehearsal reports, each sentence with its kind. */
	const told = async (fault: string): Promise<string[]> => {
		const [outcome] = await outcomesOf(fault);
		expect(outcome?.broken).toBeUndefined();
		return (outcome?.problems ?? []).map(({ kind, what }) => `${kind}: ${what}`);
	};

	test.each<[string, string[]]>([
		[
			'an answer sent twice',
			[
				'twice: the same answer twice to Ana: \'Hello Ana! Thank you for your message: "Hello".',
				'twice: the same answer twice to Ana: \'Hello Ana! Thank you for your message: "Are you open?".',
				"twice: the same answer twice to Ben: 'Hello Ben!",
			],
		],
		[
			'an answer never sent',
			[
				"notMet: Ana expected a message 'Hello Ana! Thank you for your message",
				"unanswered: no answer to 'Hello' of Ana",
			],
		],
		[
			'a text after 24 hours',
			['closedWindow: a message to Ben after the window had closed. The service refused it'],
		],
		[
			'an answer to each of three quick messages',
			[
				"unexpected: a message to Ana that no step expected: 'About",
				"unexpected: a message to Ana that no step expected: 'About",
			],
		],
		[
			'a slow answer that overtakes',
			[
				'notMet: Cleo expected nothing for 12 s; a message came',
				'unexpected: a message to Cleo that no step expected: \'About "The blue shirt',
			],
		],
	])(
		'%s',
		async (fault, problems) => {
			expect(await told(fault)).toEqual(
				problems.map((problem) => expect.stringContaining(problem) as string),
			);
		},
		LIMIT_MS,
	);

	test('each fault has a test', () => {
		expect(Object.keys(FAULTS)).toHaveLength(5);
	});
});
