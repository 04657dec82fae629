/** The skill for assistants: its workflows, and five that were written by it alone, played. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { connect } from '#sandbox/client/index.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { play } from '#sandbox/rehearsal/play.mts';
import { inWords, isGreen } from '#sandbox/rehearsal/report.mts';
import { checkout } from '#scripts/checkout.mts';
import { type DataTable, insertDataTableRows, provideDataTable } from '#scripts/n8n/dataTables.mts';
import { completeExample, readExample, tablesNeededBy } from '#scripts/n8n/provision.mts';
import type { Workflow } from '#scripts/n8n/types.mts';
import { Example, ownAccount } from './harness/examples.mts';
import { issuesOf, understood } from './harness/nodeIssues.mts';
import { outboxOf, sendRows } from './harness/stages.mts';
import { startStubChatModel } from './harness/stubChatModel.mts';

const SKILL = readFileSync(join(checkout, 'skills', 'business-messaging', 'SKILL.md'), 'utf8');
const blocksOf = (language: string): string[] =>
	SKILL.split('```' + language + '\n')
		.slice(1)
		.map((rest) => rest.slice(0, rest.indexOf('```')));
/** Written by somebody who had read the skill and the pages, and nothing else. */
const FRESH = join(checkout, 'test', 'fixtures', 'skill');
const fresh = readdirSync(FRESH).map((file) => readFileSync(join(FRESH, file), 'utf8'));
const workflows = [...blocksOf('json'), ...fresh].map((text) => JSON.parse(text) as Workflow);
const [outOfHours = ''] = blocksOf('yaml');
/** Where it is the middle of the night. Etc/GMT+3 is three hours behind. */
const behind = (new Date().getUTCHours() + 21) % 24;
const NIGHT = behind <= 12 ? `Etc/GMT+${behind}` : `Etc/GMT-${24 - behind}`;
const [ANA, BEN, COLLEAGUE] = ['5500000000011', '5500000000012', '5500000000010'] as const;
const TWO = [
	{ customer: ANA, name: 'Ana' },
	{ customer: BEN, name: 'Ben' },
];
const PEOPLE = `
answers: optional
customers:
  ana: { number: '${ANA}', name: Ana }
  ben: { number: '${BEN}' }
  colleague: { number: '${COLLEAGUE}' }
steps:`;

interface Played {
	/** What *manually* says is the trigger to execute, or the example *Outbox*. */
	script: string;
	settings?: object;
	tables?: Record<string, IDataObject[]>;
}

const PLAYED: Record<string, Played> = {
	'Out of Hours': { script: outOfHours, settings: { timezone: NIGHT } },
	'Ask a List': {
		tables: { Appointments: TWO },
		script: `
  - ben: writes Hello
  - manually: Every Morning
  - ben: { gets: 'Hello Ben, do you come tomorrow?', buttons: [I come, I do not come] }
  - ana: { isRefused: true }
  - ana: { getsTemplate: do_you_come }
  - ana: taps I come
  - ana: gets Thank you, until tomorrow.
  - ben: taps I do not come
  - ben: { getsNothing: 500ms }`,
	},
	Broadcast: {
		tables: { Customers: TWO },
		script: `
  - ben: writes STOP
  - ben: { gets: { matches: '.' } }
  - manually: Every Monday
  - manually: Outbox
  - ana: { getsTemplate: welcome }
  - manually: Every Monday
  - manually: Outbox
  - ana: { getsNothing: 500ms }
  - ben: { getsNothing: 500ms }`,
	},
	'Refund by Approval': {
		script: `
  - ana: writes I want a refund
  - colleague: { isRefused: true }
  - colleague: { getsTemplate: refund_request }
  - colleague: taps Approve
  - ana: gets Your refund is approved.
  - ana: writes A refund once more
  - colleague: { gets: { matches: '^A refund for ' }, buttons: [Approve, Decline] }
  - colleague: taps Decline
  - ana: { gets: { matches: cannot decide } }`,
	},
	'News With Opt-Out': {
		tables: { Members: TWO },
		script: `
  - ben: writes STOP
  - ben: { gets: { matches: '.' } }
  - manually: By Hand
  - manually: Outbox
  - ana: { getsTemplate: news }
  - ben: { getsNothing: 500ms }
  - ben: writes START
  - ben: { gets: { matches: '.' } }`,
	},
	'Lead Qualifier': {
		script: `
  - ana: writes Hello
  - ana: { gets: { matches: about }, buttons: [A quote, Something else] }
  - ana: taps A quote
  - ana: gets For how many people?
  - ana: writes 25 people
  - colleague: { isRefused: true }
  - colleague: { getsTemplate: hand_over }
  - ana: gets Thank you. A colleague writes to you here.
  - ben: writes Hello
  - ben: { gets: { matches: about } }
  - ben: taps Something else
  - ben: { gets: { matches: example.com } }`,
	},
	'Order Status': {
		tables: { Orders: [{ customer: ANA, orderNumber: 'A-1001', state: 'On its way' }] },
		script: `
  - ana: writes Where is my order A-1001?
  - ana: { gets: { matches: On its way } }`,
	},
	'Reminder That Waits': {
		tables: { Appointments: TWO },
		script: `
  - ben: writes Hello
  - colleague: writes Good morning
  - manually: Every Day
  - ana: { isRefused: true }
  - ana: { getsTemplate: do_you_come }
  - ana: taps Yes
  - ana: gets Thank you, until tomorrow.
  - ben: { gets: { matches: tomorrow }, buttons: [Yes, Another day] }
  - ben: taps Another day
  - colleague: { gets: { matches: '^Ben wants' } }`,
	},
};

const TEMPLATES = [
	{ name: 'welcome', body: 'Hello! How can we help you?' },
	{ name: 'news', body: 'Hello {{1}}, there is news.' },
	{ name: 'hand_over', body: 'A customer needs you: {{1}}. It is about {{2}}.' },
	{
		name: 'refund_request',
		body: 'A refund for {{1}}?',
		buttons: ['Approve', 'Decline'],
	},
];
/** Its quick replies are the choices of the question. */
const doYouCome = (choices: string[]) => ({
	name: 'do_you_come',
	body: 'Hello {{1}}, do you come?',
	buttons: choices,
});

let model: Awaited<ReturnType<typeof startStubChatModel>>;
beforeAll(async () => void (model = await startStubChatModel()));
afterAll(async () => await model.close());

test('each workflow is played', () => {
	expect(workflows.map(({ name }) => name).sort()).toEqual(Object.keys(PLAYED).sort());
});

test.each(workflows)('$name', async (workflow) => {
	const { script, settings, tables = {} } = PLAYED[workflow.name]!;
	const { host, tenantId, channels } = await ownAccount([workflow.name]);
	const [channelId = ''] = channels;
	const { client, sandbox: control, underTest } = host;
	try {
		const choices = workflow.nodes
			.filter(({ parameters }) => parameters.fallbackTemplate && parameters.choices)
			.flatMap(({ parameters }) => parameters.choices as { values: Array<{ choice: string }> })
			.flatMap(({ values }) => values.map(({ choice }) => choice));
		for (const { buttons = [], ...template } of [...TEMPLATES, doYouCome(choices)])
			await control.post('/_sandbox/message-templates', {
				...{ ...template, status: 'APPROVED', tenant: tenantId },
				buttons: buttons.map((title) => ({ id: title, title })),
			});
		const dataTables = new Map<string, DataTable>();
		for (const [name, columns] of tablesNeededBy(readExample('outbox')))
			dataTables.set(name, await provideDataTable(client, `${name} ${randomUUID()}`, columns));
		for (const [name, rows] of Object.entries(tables)) {
			const columns = Object.keys(rows[0] ?? {});
			const table = await provideDataTable(
				client,
				`${name} ${randomUUID()}`,
				columns.map((column) => ({ name: column, type: 'string' as const })),
			);
			dataTables.set(name, table);
			await insertDataTableRows(client, table, rows);
		}
		const { credential } = underTest;
		const completed = completeExample(
			{ ...workflow, settings: { ...workflow.settings, ...settings } },
			credential,
			{ id: channelId, name: workflow.name },
			{ dataTables },
		);
		const types = await client.nodeTypeDescriptions();
		for (const node of completed.nodes) {
			expect(understood(types, node)).toMatchObject(node.parameters);
			expect({ node: node.name, issues: issuesOf(types, node) }).toEqual({
				node: node.name,
				issues: {},
			});
		}
		const openAiApi = await model.createCredential(host);
		const nodes = completed.nodes.map((node) => ({
			...node,
			// As the editor does on import.
			id: randomUUID(),
			...(node.type.includes('businessMessaging') && {
				credentials: { businessMessagingApi: credential },
			}),
			...(node.type.includes('OpenAi') && { credentials: { openAiApi } }),
		}));
		const stored = host.adopt(await client.createWorkflow({ ...completed, nodes }));
		if (!script.includes('By Hand')) await client.publish(stored.id);
		let outbox: Example | undefined;
		if (script.includes('manually: Outbox')) {
			outbox = await outboxOf(host, channelId, { dataTables });
			const optOut = await Example.import(host, 'opt-out', channelId, { dataTables });
			await optOut.publish();
		}
		const sandbox = await connect(underTest.sandboxUrl);
		const text = script === outOfHours ? script : `name: ${workflow.name}${PEOPLE}${script}`;
		const played = await play(
			parseScript(text, workflow.name),
			sandbox,
			await sandbox.channel(channelId),
			{
				folder: checkout,
				...{ within: '60s', settle: '3s' },
				manually: async (what) => {
					if (what === 'Outbox') return void (await sendRows({ host }, outbox!));
					const { status } = await client.execute(stored, what);
					expect(status).toBe('success');
				},
			},
		);
		expect(isGreen(played) ? '' : inWords({ file: workflow.name, ...played })).toBe('');
	} finally {
		await host.cleanUp();
	}
});
