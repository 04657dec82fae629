import type { Content } from '#sandbox/store/content.mts';
import { type DataTable, provideDataTable } from '#scripts/n8n/dataTables.mts';
import { until } from '#scripts/until.mts';
import { type Host, hostUnderTest } from '../../host/harness/host.mts';
import {
	type Customers,
	listWebhooks,
	newestButtons,
	openCustomers,
	reply,
	tap,
	untilWordsCount,
} from '../../host/harness/questions.mts';
import { type Builder, NODE, TRIGGER } from './builder.mts';
import { story } from './story.mts';
import { N8nWindow } from './window.mts';

const LIMIT_MS = 60_000;

/** What is set in a node: an expression is dragged from the input, all else typed. */
type Settings = Record<string, string>;

/**
 * For a story of a newcomer: an account of one channel, an empty workflow, and the customers'
 * phones. All is there in the steps, and gone at the end.
 */
export class Trial {
	readonly step = story();
	readonly window = new N8nWindow();
	#customers: Customers | undefined;

	constructor(private readonly channel: string) {
		beforeAll(async () => {
			this.#customers = await openCustomers(channel, []);
			await this.build.openEmptyWorkflow();
		}, 2 * LIMIT_MS);
		afterAll(async () => await this.end(), 2 * LIMIT_MS);
	}

	get build(): Builder {
		return this.window.build;
	}

	get customers(): Customers {
		if (!this.#customers) throw new Error('the story did not begin');
		return this.#customers;
	}

	get host(): Host {
		return this.customers.host;
	}

	/** Begins the workflow with the trigger, and chooses credential and channel. */
	async startWithTrigger(): Promise<void> {
		const { build } = this;
		await build.openPanel('canvas-plus-button');
		await build.search(NODE);
		await build.addNode(NODE, 'Triggers', 'On message received');
		await build.chooseCredential(this.host.underTest.credential.id);
		await build.chooseFromList('channelId', this.channel);
	}

	/** Adds an operation behind a node, and chooses credential and channel. */
	async addBehind(node: string, operation: string, output = 0): Promise<void> {
		await this.addWithCredential(node, operation, output);
		await this.build.chooseFromList('channelId', this.channel);
	}

	/** Adds an operation behind a node, and chooses the credential. */
	async addWithCredential(node: string, operation: string, output = 0): Promise<void> {
		const { build } = this;
		await build.openPanelBehind(node, output);
		await build.search(NODE);
		await build.addNode(NODE, 'Actions', operation);
		await build.chooseCredential(this.host.underTest.credential.id);
	}

	/**
	 * Sets fields of the opened node. From below, where the editor of an expression covers the field
	 * below it.
	 */
	async set(settings: Settings): Promise<void> {
		for (const [parameter, value] of Object.entries(settings))
			await (value.startsWith('{{')
				? this.build.map(value, parameter)
				: this.build.type(parameter, value));
	}

	/** Runs the opened node, of which a customer gets this as the newest of so many messages. */
	async sends(customer: string, content: object, count = 1): Promise<void> {
		await this.build.execute();
		expect((await this.received(customer, count)).at(-1)).toMatchObject(content);
	}

	/** Checks values in the opened node's output, by their paths. */
	async shows(values: Record<string, unknown>): Promise<void> {
		await this.build.showOutputAsSchema();
		expect(await this.build.outputValues()).toMatchObject(values);
	}

	/** Adds an If behind a node, that decides by an expression of its input. */
	async addIf(node: string, ...condition: Parameters<Trial['decide']>): Promise<void> {
		await this.build.openPanelBehind(node);
		await this.build.addPlainNode('If');
		await this.decide(...condition);
	}

	async createTable(name: string, columns: string[]): Promise<DataTable> {
		return await provideDataTable(
			this.host.client,
			name,
			columns.map((column) => ({ name: column, type: 'string' as const })),
		);
	}

	/** Has the opened trigger listen while a customer does something. */
	async listen(write: () => Promise<void>): Promise<void> {
		await this.build.listen(async () => {
			await this.listed('webhook-test');
			await write();
		});
	}

	/** Has the opened If ask one thing, and the item that it gets go to a branch. */
	async decide(
		expression: string,
		[type, operator, operation]: Operator,
		branch: 'True' | 'False',
	): Promise<void> {
		const { build } = this;
		await build.map(expression, 'left');
		await build.chooseOperator(type, operator);
		await build.executeIf(branch, async (id) => {
			const { workflowData } = await this.host.client.finishedExecution(id);
			return workflowData.nodes
				.map((node) => JSON.stringify(node.parameters))
				.some((set) => set.includes(expression) && set.includes(`"operation":"${operation}"`));
		});
		await build.closeNode();
	}

	/** Publishes the workflow, and waits until the service knows its webhook. */
	async publish(): Promise<void> {
		await this.build.publishFirst(hostUnderTest().generation);
		await this.listed('webhook');
	}

	/** The ID that n8n gave the workflow when it first saved it. Until then ''. */
	private get workflowId(): string {
		const [, id = ''] = /\/workflow\/(?!new)(\w+)/.exec(this.build.page.url()) ?? [];
		return id;
	}

	private async listed(path: string): Promise<void> {
		await until(
			`the service to list a webhook at /${path}/`,
			async () => (await listWebhooks(this.customers)).some(({ url }) => url.includes(`/${path}/`)),
			LIMIT_MS,
		);
	}

	/** A person writes, later than the questions that wait for an answer. */
	async writes(from: string, text: string): Promise<void> {
		await untilWordsCount(this.customers);
		await reply(this.customers, from, text);
	}

	/** A customer of the published workflow writes the reply to its question, once that waits. */
	async answers(from: string, text: string): Promise<void> {
		const { client } = this.host;
		await until(
			'an execution to wait',
			async () =>
				(await client.listExecutions(this.workflowId)).some(({ status }) => status === 'waiting'),
			LIMIT_MS,
		);
		await this.writes(from, text);
	}

	/** A person taps this button of the newest message with buttons, once it is there. */
	async taps(customer: string, title: string): Promise<void> {
		await until(
			`${customer} to have a button "${title}"`,
			async () =>
				await newestButtons(this.customers, customer).then(
					({ buttons }) => buttons.some((button) => button.title === title),
					() => false,
				),
			LIMIT_MS,
		);
		await tap(this.customers, customer, title);
	}

	/** Waits until a person has received this many messages. */
	async received(customer: string, count: number): Promise<Content[]> {
		const { host, channelId } = this.customers;
		return await until(
			`${customer} to receive ${count} messages`,
			async () => {
				const sent = (await host.sandbox.messages(channelId)).filter(
					(message) => message.direction === 'out' && message.customer === customer,
				);
				return sent.length >= count && sent.map(({ content }) => content);
			},
			LIMIT_MS,
		);
	}

	/** Unpublishes and deletes the workflow. */
	private async end(): Promise<void> {
		const id = this.workflowId;
		// It was never saved if the story ended early.
		if (id !== '') this.host.adopt(await this.host.client.getWorkflow(id));
		await this.host.cleanUp();
	}
}

/** How an If compares: the type and the words in its list, and the word that n8n stores. */
type Operator = readonly [type: string, operator: string, stored: string];

/** What a click in the editor starts. */
export const START = 'When clicking ‘Execute workflow’';

/** How an If asks whether something is true. */
export const IS_TRUE: Operator = ['Boolean', 'is true', 'true'];

/** The operations, by their names in the nodes panel. n8n calls the nodes so, too. */
export const SEND_TEXT = 'Send text message';
export const SEND_PICTURE = 'Send media';
export const SEND_BUTTONS = 'Send message with buttons';
export const ASK = 'Send message and wait for response';

/** The expression of a field of the trigger, further down the workflow. */
export const ofTrigger = (path: string): string => `{{ $('${TRIGGER}').item.json.${path} }}`;
