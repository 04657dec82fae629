/** Outside the hours of the workflow's zone nobody is written to, and within them everybody is. */
import type { IDataObject } from 'n8n-workflow';

import { number } from './harness/conversations.mts';
import { Example, ownAccount, zoneAt } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { reply, textsTo } from './harness/questions.mts';
import { addTemplate, OUTBOX } from './harness/stages.mts';

const LIMIT_MS = 240_000;
/** At each of these hours, whether it is day. */
const HOURS = [3, 21, 10, 18].map((hour) => [hour, hour === 10 || hour === 18] as const);

let account: Awaited<ReturnType<typeof ownAccount>>;
let host: Host;
beforeAll(async () => {
	account = await ownAccount(['Texts', 'Templates', 'Follow-Ups', 'Appointments']);
	({ host } = account);
	await addTemplate(account);
});
afterAll(async () => await host?.cleanUp());

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

interface Case {
	name: string;
	what: string;
	table: string;
	/** Its column, before and after. */
	column: string;
	states: [held: string, left: string];
	row: (customer: string, channelId: string) => IDataObject;
}
const ofOutbox = { name: 'outbox', table: OUTBOX, column: 'state' };
const CASES: Case[] = [
	{
		...ofOutbox,
		what: 'a text',
		states: ['to send', 'sent'],
		row: (customer) => ({ list: 'Sale', customer, text: 'It begins.', state: 'to send' }),
	},
	{
		...ofOutbox,
		what: 'a template',
		states: ['to send', 'sent'],
		row: (customer) => ({ list: 'Sale', customer, template: 'welcome', state: 'to send' }),
	},
	{
		...{
			name: 'scheduled-follow-ups',
			table: 'Business Messaging Scheduled Follow-Ups',
			column: 'followUp',
		},
		what: 'a follow-up',
		states: ['waiting', 'sent'],
		row: (customer, channelId) => ({
			...{ channelId, customer, recipient: customer, lastText: 'Do you deliver?' },
			...{ lastMessageAt: inHours(-21), followUp: 'waiting' },
		}),
	},
	{
		...{
			name: 'confirm-appointments',
			table: 'Business Messaging Confirm Appointments',
			column: 'state',
		},
		what: 'a question',
		states: ['to ask', 'asked'],
		row: (customer) => ({
			...{ appointmentId: customer, customer, startsAt: inHours(24), state: 'to ask' },
		}),
	},
];

test.each(CASES.map((one, index) => ({ ...one, index })))(
	'$name: $what waits until the hours of the zone in the workflow’s settings',
	async ({ name, table, column, states: [held, left], row, index }) => {
		const channelId = account.channels[index] ?? '';
		for (const [at, [hour, isDay]] of HOURS.entries()) {
			const customer = number(10 * index + at);
			await reply({ ...account, channelId }, customer, 'Hello');
			const settings = { zone: zoneAt(hour) };
			const example = await Example.import(host, name, channelId, { settings });
			await example.insert(row(customer, channelId), table);
			const { status } = await host.client.execute(example.workflow, 'Every Five Minutes');
			expect(status).toBe('success');
			expect(await textsTo({ host, channelId }, customer)).toHaveLength(isDay ? 1 : 0);
			expect(await example.rows(table)).toMatchObject([{ [column]: isDay ? left : held }]);
		}
	},
	LIMIT_MS,
);
