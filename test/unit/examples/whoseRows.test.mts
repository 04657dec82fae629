/** Whom the rows of the examples are of, and which examples have to hear everything. */
import type { INodeParameters } from 'n8n-workflow';

import { DATA_TABLE_NODE, tableNameOf } from '#scripts/n8n/dataTables.mts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { conditionOf, evaluate, itemOf, nodeOf } from './evaluate.mts';

const examples = exampleNames().map((name) => [name, readExample(name)] as const);
const isRowNode = ({ type }: WorkflowNode): boolean => type.startsWith(DATA_TABLE_NODE);
const isTrigger = ({ type, parameters: { channelEvents } }: WorkflowNode): boolean =>
	type.endsWith('Trigger') && [channelEvents].flat().includes('MESSAGE_RECEIVED');

interface Compared {
	filters?: { conditions?: Array<{ keyName: string; condition?: string; keyValue?: unknown }> };
}
const comparedBy = (parameters: INodeParameters): string[] =>
	((parameters as Compared).filters?.conditions ?? []).map(({ keyValue }) => String(keyValue));

/** The nodes that a node leads to, at any distance. */
function after({ nodes, connections }: Workflow, first: WorkflowNode): WorkflowNode[] {
	const reached = new Set([first.name]);
	for (const name of reached)
		for (const outputs of Object.values(connections[name] ?? {}))
			for (const { node } of outputs.flat()) reached.add(node);
	return nodes.filter(({ name }) => reached.has(name));
}

// Whose opt-out it is has a rule of its own, because STOP of a phone counts on all its channels.
test.each(examples)('%s: a row is looked up by the channel and the customer', (_, { nodes }) => {
	const rows = nodes.filter(
		(node) => isRowNode(node) && tableNameOf(node.parameters) !== 'Business Messaging Opt-Out',
	);
	for (const { name, parameters } of rows) {
		const compared = comparedBy(parameters);
		const byCustomer = compared.filter((value) => /\bsender\.|\brecipient\.key/.test(value));
		const hasChannel = compared.some((value) => /\bchannelId\b/.test(value));
		expect({ name, byCustomer: hasChannel ? [] : byCustomer }).toEqual({ name, byCustomer: [] });
	}
});

// n8n takes any other condition of these two operations as "equals", without a word.
test.each(examples)('%s: If Row (Does Not) Exist compares by equals alone', (_, { nodes }) => {
	const looking = nodes.filter(({ parameters: { operation } }) =>
		['rowExists', 'rowNotExists'].includes(String(operation)),
	);
	for (const { name, parameters } of looking) {
		const { conditions = [] } = (parameters as Compared).filters ?? {};
		expect({
			name,
			others: conditions.filter(({ condition = 'eq' }) => condition !== 'eq'),
		}).toEqual({ name, others: [] });
	}
});

test.each(examples)(
	"%s: no expression builds the trigger's sessionId by itself",
	(_, { nodes }) => {
		const BUILT = /channelId[\w.()]*\s*(?:\}\}|\+\s*['"`]|\})\s*:/;
		const built = "={{ $('Ask').params.channelId.value }}:{{ $json.key }}";
		expect(
			[built, "channelId + ':' + key", '`${channelId}:`'].map((one) => BUILT.test(one)),
		).toEqual(Array(3).fill(true));
		const building = nodes.filter(({ parameters }) => BUILT.test(JSON.stringify(parameters)));
		expect(building.map(({ name }) => name)).toEqual([]);
	},
);

test('in Shop Assistant, a name of digits on another channel has its own orders and STOP', () => {
	const PHONE = '5500000000101';
	/** What a node looks a row up by, for a message on a channel. */
	const comparedFor = (node: string, channelId: string): unknown[] => {
		const { parameters } = nodeOf('shop-assistant', node);
		const params = { channelId: { value: channelId } };
		const sessionId = `${channelId}:${PHONE}`;
		return comparedBy(parameters)
			.filter((value) => !value.includes('$fromAI'))
			.map((value) =>
				evaluate(
					value,
					itemOf(PHONE, channelId),
					{ Settings: { sessionId } },
					{ 'When Somebody Writes': { params } },
				),
			);
	};
	const [kept] = comparedFor('A Sample Order', 'C1');
	expect(comparedFor('Find an Order', 'C1')).toEqual([kept]);
	expect(comparedFor('Find an Order', 'I1')).not.toContain(kept);
	// And that of the phone with these digits.
	expect(comparedFor('Has Opted Out?', 'I1')).toEqual([PHONE, `I1:${PHONE}`]);
});

test('in Connect From a Web Page, only who made the free row of a channel a taken one subscribes it', () => {
	const { connections } = readExample('connect-from-web-page');
	const leadingTo = (name: string) =>
		Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((all, at) =>
				(all ?? []).some(({ node }) => node === name) ? [[from, at]] : [],
			),
		);
	expect(leadingTo('Subscribe the Channel')).toEqual([['Is It Taken?', 0]]);
	expect(leadingTo('Is It Taken?')).toEqual([['Take the Channel', 0]]);
	const taking = nodeOf('connect-from-web-page', 'Take the Channel');
	const { parameters } = taking;
	const [channelId = '', ...others] = comparedBy(parameters);
	const Settings = { body: { channelId: 'C1' } };
	expect([evaluate(channelId, {}, { Settings }), ...others]).toEqual(['C1', 'free']);
	expect(parameters).toMatchObject({
		...{ operation: 'update', matchType: 'allConditions' },
		columns: { value: { state: 'taken' } },
	});
	// Without a row it gives an empty item, because the page must get an answer.
	expect(taking).toMatchObject({ alwaysOutputData: true });
	const isTaken = conditionOf('connect-from-web-page', 'Is It Taken?');
	expect([{}, { channelId: 'C1', state: 'taken' }].map((row) => evaluate(isTaken, row))).toEqual([
		false,
		true,
	]);
});

/**
 * It adds a row for what customers write. A bot has rows, too, but answers each message that it
 * gets, and a reply to a question is not to be answered: it has a model, or waits for the end of a
 * customer's turn.
 */
const hasToHearAll = (workflow: Workflow, trigger: WorkflowNode): boolean =>
	after(workflow, trigger).some(
		(node) => isRowNode(node) && ['insert', 'upsert'].includes(String(node.parameters.operation)),
	) &&
	trigger.parameters.grouping !== 'customer' &&
	!workflow.nodes.some(({ type }) => type.endsWith('.agent'));

test('what keeps or obeys customers’ words hears them while a question waits, and a note says so', () => {
	const all = examples.flatMap(([name, workflow]) =>
		workflow.nodes
			.filter((node) => isTrigger(node) && hasToHearAll(workflow, node))
			.map((trigger) => {
				const notes = workflow.nodes.filter(({ type }) => type.endsWith('.stickyNote'));
				const isNoted = notes.some(({ parameters }) =>
					String(parameters.content).includes('*Ignore Replies* is off'),
				);
				// Only a trigger that ignores replies knows which taps are late.
				const asksForLate = JSON.stringify(after(workflow, trigger)).includes('isLate');
				return { name, ...(trigger.parameters.options as object), isNoted, asksForLate };
			}),
	);
	expect(all.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['opt-out', 'scheduled-follow-ups']),
	);
	const right = { ignoreReplies: false, isNoted: true, asksForLate: false };
	expect(all).toEqual(all.map(({ name }) => expect.objectContaining({ name, ...right }) as object));
});
