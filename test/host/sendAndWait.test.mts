import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { ACTION, type Host } from './harness/host.mts';
import {
	ask,
	BROWSER,
	askParameters,
	type Customers,
	open,
	press,
	PREVIEW,
	Question,
	submit,
	textsTo,
	waiting,
	openCustomers,
} from './harness/questions.mts';

const [ana, ben] = [number(1), number(2)] as const;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana, ben]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const double = {
	responseType: 'approval',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes, please', disapproveLabel: 'No' },
	},
};
/** Sends a page's form, and drops the connection this many milliseconds later. */
async function answerAndDrop(link: string, body: string, milliseconds: number): Promise<void> {
	const { hostname, host: server, port, pathname, search } = new URL(link);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => {});
	const head = [
		`POST ${pathname}${search} HTTP/1.1`,
		`Host: ${server}`,
		`User-Agent: ${BROWSER}`,
		'Content-Type: application/x-www-form-urlencoded',
		`Content-Length: ${body.length}`,
	];
	await new Promise<void>((resolve) => {
		socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve());
	});
	await sleep(milliseconds);
	socket.destroy();
}

/**
 * Programs that open links: a chat application's preview, one without a name, and a telephone with
 * a bot's name.
 */
const AGENTS = [
	PREVIEW,
	'',
	'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
];
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

describe('an approval by link', () => {
	const choose = async (link: string, approved: string) => await submit(link, { approved });

	test('one button opens a page with both decisions, and only a press there decides, once', async () => {
		const question = await ask(customers, ana, double);
		const { text, title, url } = await question.linkButton();
		expect({ text, title }).toEqual({ text: 'May we deliver on Tuesday?', title: 'Respond' });

		for (const agent of AGENTS)
			expect(await open(url, { agent })).toMatchObject({
				status: 200,
				body: expect.stringContaining('May we deliver') as string,
			});
		await open(url, { method: 'HEAD' });
		expect((await open(url)).body).toMatch(
			/May we deliver on Tuesday\?.*value="true">Yes, please<\/button>.*value="false">No<\/button>/s,
		);
		for (const link of [`${url}&approved=true`, `${url}&approved=false`]) {
			expect((await open(link)).status).toBe(401);
			expect((await choose(link, 'true')).status).toBe(401);
		}
		for (const wrong of ['', 'yes', 'TRUE'])
			expect(await choose(url, wrong)).toMatchObject({
				status: 422,
				body: expect.stringContaining('>Yes, please</button>') as string,
			});
		expect((await open(url, { method: 'POST' })).status).toBe(422);
		expect(await question.status()).toBe('waiting');

		const pages = await Promise.all([choose(url, 'false'), choose(url, 'false')]);
		// If the first press has resumed the execution, n8n itself answers the second one.
		const ofN8n = /^\{"code":409,"message":"The execution \\"\d+\\" is running already/;
		const recorded = pages.filter(({ body }) => !ofN8n.test(body));
		expect(recorded).not.toEqual([]);
		for (const { body } of recorded) expect(body).toContain('Your answer was recorded');
		expect(await question.outcome()).toEqual({
			status: 'success',
			items: [{ data: { approved: false, outcome: 'answered', respondedAt: time } }],
		});
		await choose(url, 'true');
		expect((await question.finished()).resultData.runData.After).toHaveLength(1);
	});

	test('the others are told even if the phone drops the connection right after the decision', async () => {
		const question = await ask(customers, ana, { ...double, approvers: [ben] });
		const { url } = await question.linkButton(ben);
		// n8n takes no request whose connection is gone before it was read. So the phone waits longer
		// each time.
		let isTaken = false;
		for (let holdsOn = 2; !isTaken && holdsOn < 2000; holdsOn *= 2) {
			await answerAndDrop(url, 'approved=true', holdsOn);
			for (let look = 0; look < 10 && !isTaken; look++) {
				isTaken = (await question.status()) !== 'waiting';
				await sleep(100);
			}
		}
		expect((await question.outcome()).items).toMatchObject([
			{ data: { approved: true, responder: { identifier: ben, name: null } } },
		]);
		await until(
			'the other to be told',
			async () => (await textsTo(customers, ana)).at(-1) === `${ben} answered: Yes, please`,
			30_000,
		);
	});
});

test('a link of an earlier question in a loop gives no reply to a later one', async () => {
	const start = { ...host.node('Start', 'n8n-nodes-base.manualTrigger', {}), credentials: {} };
	const first = host.node('Ask', ACTION, askParameters(customers.channelId, ana, double));
	const again = {
		...host.node('Once More', 'n8n-nodes-base.if', {
			conditions: {
				options: { version: 2, typeValidation: 'loose' },
				combinator: 'and',
				conditions: [
					{
						leftValue: '={{ $runIndex }}',
						rightValue: 1,
						operator: { type: 'number', operation: 'lt' },
					},
				],
			},
		}),
		typeVersion: 2.2,
		credentials: {},
	};
	const workflow = await host.createWorkflow('A loop', [start, first, again]);
	workflow.connections['Once More'] = { main: [[{ node: 'Ask', type: 'main', index: 0 }], []] };
	const stored = await host.client.updateWorkflow(workflow);
	const executionId = (await host.client.runManually(stored, 'Start')) ?? '';
	await waiting(host, executionId);
	const question = new Question(customers, stored, executionId, ana);
	const earlier = await question.link();
	await press(earlier, true);
	await until('the second question', async () => (await question.link()) !== earlier, 30_000);
	await waiting(host, executionId);
	expect((await press(earlier, true)).body).toContain('closed');
	expect(await question.status()).toBe('waiting');
	await press(await question.link(), false);
	const { resultData } = await question.finished();
	expect(
		resultData.runData.Ask?.map(
			({ data }) => (data?.main[0]?.[0]?.json.data as { approved: boolean }).approved,
		),
	).toEqual([true, false]);
});
