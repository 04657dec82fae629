import { until } from '#scripts/until.mts';
import { number } from './harness/conversations.mts';
import { ACTION, type Host } from './harness/host.mts';
import {
	ask,
	askParameters,
	type Customers,
	open,
	press,
	Question,
	submit,
	waiting,
	openCustomers,
} from './harness/questions.mts';

const ana = number(1);

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const double = {
	responseType: 'approval',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes, please', disapproveLabel: 'No' },
	},
};
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

describe('an approval by link', () => {
	const choose = async (link: string, approved: string) => await submit(link, { approved });

	test('one button opens a page with both decisions, and only a press there decides, once', async () => {
		const question = await ask(customers, ana, double);
		const { text, title, url } = await question.linkButton();
		expect({ text, title }).toEqual({ text: 'May we deliver on Tuesday?', title: 'Respond' });

		expect((await open(url)).body).toMatch(
			/May we deliver on Tuesday\?.*value="true">Yes, please<\/button>.*value="false">No<\/button>/s,
		);
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
