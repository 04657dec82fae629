/** The workflows of the skill for assistants, imported as they are and played. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { connect } from '#sandbox/client/index.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { play } from '#sandbox/rehearsal/play.mts';
import { inWords, isGreen } from '#sandbox/rehearsal/report.mts';
import { checkout } from '#scripts/checkout.mts';
import { insertDataTableRows, provideDataTable } from '#scripts/n8n/dataTables.mts';
import { completeExample } from '#scripts/n8n/provision.mts';
import type { Workflow } from '#scripts/n8n/types.mts';
import { ownAccount } from './harness/examples.mts';
import { addTemplate } from './harness/stages.mts';

const SKILL = join(checkout, 'skills', 'business-messaging', 'SKILL.md');
const blocksOf = (language: string): string[] =>
	readFileSync(SKILL, 'utf8')
		.split('```' + language + '\n')
		.slice(1)
		.map((rest) => rest.slice(0, rest.indexOf('```')));
const workflows = blocksOf('json').map((text) => JSON.parse(text) as Workflow);
const [outOfHours = ''] = blocksOf('yaml');
/** Where it is the middle of the night. Etc/GMT+3 is three hours behind. */
const behind = (new Date().getUTCHours() + 21) % 24;
const NIGHT = behind <= 12 ? `Etc/GMT+${behind}` : `Etc/GMT-${24 - behind}`;
const [ANA, BEN] = ['5500000000011', '5500000000012'] as const;

const PLAYED: Record<string, { script: string; settings?: object; byHand?: string }> = {
	'Out of Hours': { script: outOfHours, settings: { timezone: NIGHT } },
	Approval: {
		script: `
name: Approval
answers: optional
customers: { colleague: { number: '5500000000010' }, ana: { name: Ana } }
steps:
  - colleague: writes Good morning
  - ana: writes I want a refund
  - colleague: { gets: { matches: '^A refund for' }, buttons: [Approve, Decline] }
  - colleague: taps Approve
  - ana: gets Your refund is approved.
`,
	},
	Mailing: {
		script: `
name: Mailing
answers: optional
customers: { ana: { number: '${ANA}' }, ben: { number: '${BEN}' } }
steps:
  - manually: Execute it
  - ana: { getsTemplate: welcome }
  - manually: Execute it once more
  - ana: { getsNothing: 500ms }
  - ben: { getsNothing: 500ms }
`,
		byHand: 'Every Monday',
	},
};

test('each workflow is played', () => {
	expect(workflows.map(({ name }) => name)).toEqual(Object.keys(PLAYED));
});

test.each(workflows)('$name', async (workflow) => {
	const { script, settings, byHand } = PLAYED[workflow.name]!;
	const { host, tenantId, channels } = await ownAccount([workflow.name]);
	const [channelId = ''] = channels;
	try {
		await addTemplate({ host, tenantId });
		const table = async (name: string, columns: string[]) =>
			await provideDataTable(
				host.client,
				`${name} ${randomUUID()}`,
				columns.map((column) => ({ name: column, type: 'string' as const })),
			);
		const customers = await table('Customers', ['customer']);
		const optOut = await table('Business Messaging Opt-Out', ['customer', 'state']);
		const rows = [ANA, BEN].map((customer) => ({ customer }));
		await insertDataTableRows(host.client, customers, rows);
		await insertDataTableRows(host.client, optOut, [
			{ customer: `${channelId}:${BEN}`, state: 'stopped' },
			{ customer: ANA, state: 'active' },
		]);
		const { credential } = host.underTest;
		const completed = completeExample(
			{ ...workflow, settings: { ...workflow.settings, ...settings } },
			credential,
			{ id: channelId, name: workflow.name },
			{
				dataTables: new Map(
					Object.entries({ Customers: customers, 'Business Messaging Opt-Out': optOut }),
				),
			},
		);
		const isOurs = (type: string) => type.includes('businessMessaging');
		const nodes = completed.nodes.map((node) => ({
			...node,
			// As the editor does on import.
			id: randomUUID(),
			...(isOurs(node.type) && { credentials: { businessMessagingApi: credential } }),
		}));
		const stored = host.adopt(await host.client.createWorkflow({ ...completed, nodes }));
		await host.client.publish(stored.id);
		const sandbox = await connect(host.underTest.sandboxUrl);
		const played = await play(
			parseScript(script, workflow.name),
			sandbox,
			await sandbox.channel(channelId),
			{
				folder: checkout,
				...{ within: '60s', settle: '3s' },
				manually: async () => {
					const { status } = await host.client.execute(stored, byHand ?? '');
					expect(status).toBe('success');
				},
			},
		);
		expect(isGreen(played) ? '' : inWords({ file: workflow.name, ...played })).toBe('');
	} finally {
		await host.cleanUp();
	}
});
