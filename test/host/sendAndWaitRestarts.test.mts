import { until } from '../../scripts/until.mts';
import type { OwnN8n } from './harness/ownN8n.mts';
import {
	ask,
	type Customers,
	noWebhooks,
	open,
	press,
	reply,
	textsTo,
} from './harness/questions.mts';
import {
	ana,
	approval,
	ben,
	endQuestions,
	inChat,
	startQuestions,
} from './harness/questionsInOwnN8n.mts';

const LIMIT_MS = 30_000;

let n8n: OwnN8n;
let customers: Customers;

beforeAll(async () => {
	({ n8n, customers } = await startQuestions());
}, 300_000);

afterAll(async () => await endQuestions(n8n));

test.each([
	['a restart', async () => await n8n.restart()],
	[
		'kill -9',
		async () => {
			await n8n.kill();
			await n8n.start();
		},
	],
])(
	'%s while executions wait: each goes on with its reply, and the count of wrong replies is kept',
	async (_name, interrupt) => {
		const approved = await ask(customers, ben, approval);
		const link = await approved.link();
		const chosen = await ask(customers, ana, inChat);
		const before = (await textsTo(customers, ana)).length;
		await reply(customers, ana, 'Sunday');
		await until(
			'to be asked again',
			async () => (await textsTo(customers, ana)).length > before,
			LIMIT_MS,
		);

		await interrupt();

		expect((await open(link)).body).toContain('May we deliver on Tuesday?');
		await press(link, true);
		expect((await approved.outcome()).items).toMatchObject([{ data: { approved: true } }]);
		// The second wrong reply. It asks again only once.
		await reply(customers, ana, 'Someday');
		expect((await chosen.outcome()).items).toMatchObject([
			{ text: 'Someday', data: { outcome: 'invalid' } },
		]);
		await noWebhooks(customers);
	},
	300_000,
);
