import type { FinishedExecution } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	type Customers,
	firstTextsTo,
	newestButtons,
	noWebhooks,
	tap,
	textsTo,
} from './harness/questions.mts';
import { nodesChanged } from './harness/stages.mts';

const [colleague, ana, ben, cai, stranger] = [800, 801, 802, 803, 804].map(number) as [
	string,
	string,
	string,
	string,
	string,
];
const TRIGGER = 'When a Customer Writes';
const LOOKS = 'Hello Ana! We look into your refund, and answer here today.';
const YES = 'Good news, Ana: your refund is approved. The money is on its way.';
const NO =
	'Sorry, Ana: we cannot refund this. A colleague is happy to explain why. Just reply here.';
const OPEN =
	'Hello Ana! A colleague still looks into your first request. We answer here as soon as it is decided.';
const LIMIT_MS = 60_000;

/** A few minutes, of which a test has none. Less than 65 seconds keep the execution running. */
const waitsShortly = nodesChanged((node) =>
	node.type === 'n8n-nodes-base.wait'
		? { ...node, parameters: { ...node.parameters, amount: 1, unit: 'seconds' } }
		: node,
);

let host: Host;
let secretKey: string;
let channels: string[];

beforeAll(async () => {
	({ host, secretKey, channels } = await ownAccount(['Refunds', 'Nobody There']));
});
afterAll(async () => await host?.cleanUp());

/** The example, published on a channel, with an approver. */
class Refunds {
	private constructor(
		readonly customers: Customers,
		private readonly example: Example,
	) {}

	static async open(channelId: string, approver: string): Promise<Refunds> {
		const example = await Example.import(
			host,
			'refund-with-approval',
			channelId,
			{ settings: { approver } },
			waitsShortly,
		);
		await example.publish();
		return new Refunds({ host, channelId, secretKey }, example);
	}

	async writes(from: string, text: string): Promise<void> {
		const { channelId } = this.customers;
		await host.sandbox.customerWrites({ channelId, from, name: 'Ana', text });
	}

	/** Waits until the colleague's newest question is about this text. @returns the question */
	async askedAbout(text: string): Promise<string> {
		return await until(
			`the question about '${text}'`,
			async () =>
				(await textsTo(this.customers, colleague)).length > 0 &&
				((question) => question.includes(text) && question)(
					(await newestButtons(this.customers, colleague)).text,
				),
			LIMIT_MS,
		);
	}

	async openRequests(): Promise<unknown[]> {
		return await this.example.rows();
	}

	/** The execution that a text started, once it is over. */
	async runOf(text: string): Promise<FinishedExecution> {
		return await until(
			`the run for '${text}'`,
			async () =>
				(await this.example.executions(1)).find((execution) =>
					itemsOf(execution, TRIGGER).some((item) => item.text === text),
				),
			LIMIT_MS,
		);
	}
}

describe('a colleague who is there', () => {
	let refunds: Refunds;
	beforeAll(async () => {
		refunds = await Refunds.open(channels[0] ?? '', colleague);
		await refunds.writes(colleague, 'Good morning');
	});

	test('ignores messages that are not about a refund, and everything the colleague writes', async () => {
		await refunds.writes(ana, 'Thank you!');
		await refunds.writes(colleague, 'That was the third refund today');
		for (const text of ['Thank you!', 'That was the third refund today'])
			expect(itemsOf(await refunds.runOf(text), 'Say That We Look')).toEqual([]);
		expect(await textsTo(refunds.customers, ana)).toEqual([]);
		expect(await textsTo(refunds.customers, colleague)).toEqual([]);
	});

	test('pays and tells the customer once the colleague approves with a tap', async () => {
		const text = 'It is broken. I want a Refund!';
		await refunds.writes(ana, text);
		expect(await refunds.askedAbout(text)).toBe(`A refund for Ana (${ana})?\n\n"${text}"`);
		expect(await firstTextsTo(refunds.customers, ana, 1)).toEqual([LOOKS]);
		await tap(refunds.customers, colleague, 'Approve');
		expect(await firstTextsTo(refunds.customers, ana, 2)).toEqual([LOOKS, YES]);
		const run = await refunds.runOf(text);
		expect(itemsOf(run, 'Pay It Back')).toMatchObject([
			{ data: { approved: true, responder: { identifier: colleague } } },
		]);
	});

	test('declines one of two customers, and gives each the answer to their own request', async () => {
		const [first, second] = ['A refund for the lamp', 'A refund for the chair'];
		await refunds.writes(ben, first);
		await refunds.askedAbout(first);
		await refunds.writes(cai, second);
		expect(await firstTextsTo(refunds.customers, cai, 1)).toEqual([LOOKS]);
		await tap(refunds.customers, colleague, 'Decline');
		expect(await firstTextsTo(refunds.customers, ben, 2)).toEqual([LOOKS, NO]);
		await refunds.askedAbout(second);
		await tap(refunds.customers, colleague, 'Approve');
		expect(await firstTextsTo(refunds.customers, cai, 2)).toEqual([LOOKS, YES]);
		expect(itemsOf(await refunds.runOf(first), 'Pay It Back')).toEqual([]);
	});

	test('has one open request for each customer, and says so', async () => {
		const [first, second] = ['A refund for the table', 'Where is my refund?'];
		const before = (await textsTo(refunds.customers, ana)).length;
		await refunds.writes(ana, first);
		await refunds.askedAbout(first);
		await refunds.writes(ana, second);
		const told = await firstTextsTo(refunds.customers, ana, before + 2);
		expect(told.slice(before)).toEqual([LOOKS, OPEN]);
		expect(await refunds.openRequests()).toHaveLength(1);
		await tap(refunds.customers, colleague, 'Approve');
		await firstTextsTo(refunds.customers, ana, before + 3);
		expect(await refunds.openRequests()).toEqual([]);
		expect(itemsOf(await refunds.runOf(second), 'Ask a Colleague')).toEqual([]);
	});

	test('leaves no webhook but its own', async () => {
		await host.cleanUp();
		await noWebhooks(refunds.customers);
	});
});

test('hands the customer to a person, with the reason, if it cannot ask the colleague', async () => {
	const refunds = await Refunds.open(channels[1] ?? '', stranger);
	await refunds.writes(ana, 'Refund, please');
	const run = await refunds.runOf('Refund, please');
	expect(itemsOf(run, 'Nobody Decided')).toMatchObject([{ details: { reason: 'window_closed' } }]);
	expect(await textsTo(refunds.customers, ana)).toEqual([LOOKS]);
	expect(await refunds.openRequests()).toEqual([]);
});
