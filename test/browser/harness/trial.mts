import type { Browser, BrowserContext } from 'playwright-core';

import type { Content } from '../../../sandbox/store/content.mts';
import { until } from '../../../scripts/until.mts';
import { ownAccount } from '../../host/harness/examples.mts';
import { hostUnderTest } from '../../host/harness/host.mts';
import {
	type Customers,
	listWebhooks,
	newestButtons,
	reply,
	tap,
	untilWordsCount,
} from '../../host/harness/questions.mts';
import { launchBrowser, signIn } from './browser.mts';
import { Builder, NODE, TRIGGER } from './builder.mts';

const LIMIT_MS = 60_000;

/** A browser whose windows are signed in to n8n. */
export async function signedIn(): Promise<{ browser: Browser; context: BrowserContext }> {
	const browser = await launchBrowser();
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
	const page = await context.newPage();
	await signIn(page, hostUnderTest().n8nUrl);
	await page.close();
	return { browser, context };
}

/** A newcomer with an account of one channel, an empty workflow, and its customers' phones. */
export class Trial {
	private constructor(
		readonly customers: Customers,
		readonly build: Builder,
		readonly tenantId: string,
		private readonly channel: string,
	) {}

	/** @param writers who wrote to the channel before, such as colleagues */
	static async begin(
		context: BrowserContext,
		channel: string,
		writers: readonly string[] = [],
	): Promise<Trial> {
		const { host, secretKey, tenantId, channels } = await ownAccount([channel]);
		const customers = { host, secretKey, channelId: channels[0] ?? '' };
		for (const writer of writers) await reply(customers, writer, 'Hello');
		const build = new Builder(await context.newPage(), hostUnderTest().n8nUrl);
		await build.openEmptyWorkflow();
		return new Trial(customers, build, tenantId, channel);
	}

	/** Begins the workflow with the trigger, and chooses credential and channel. */
	async startWithTrigger(): Promise<void> {
		const { build } = this;
		await build.openPanel('canvas-plus-button');
		await build.search(NODE);
		await build.addNode(NODE, 'Triggers', 'On message received');
		await build.chooseCredential(this.customers.host.underTest.credential.id);
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
		await build.chooseCredential(this.customers.host.underTest.credential.id);
	}

	/** The ID of the account's channel of this name. */
	async channelCalled(name: string): Promise<string> {
		const { host, secretKey } = this.customers;
		const { content } = await host.callService<{ content: Array<{ id: string; name: string }> }>(
			'/v1/channels',
			secretKey,
		);
		const channel = content.find((one) => one.name === name);
		if (!channel) throw new Error(`there is no channel ${name}`);
		return channel.id;
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
			const { workflowData } = await this.customers.host.client.finishedExecution(id);
			return workflowData.nodes
				.map((node) => JSON.stringify(node.parameters))
				.some((set) => set.includes(expression) && set.includes(`"operation":"${operation}"`));
		});
		await build.closeNode();
	}

	/** Waits until n8n has stored the new workflow. n8n 2 does so a moment after its first node. */
	async stored(): Promise<void> {
		await this.build.saveNew(hostUnderTest().generation);
		const { client } = this.customers.host;
		await until(
			'n8n to store the workflow',
			async () => {
				const id = this.workflowId;
				return id !== '' && (await client.getWorkflow(id).catch(() => undefined)) !== undefined;
			},
			LIMIT_MS,
		);
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
		const { client } = this.customers.host;
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

	/** Closes the window, and unpublishes and deletes the workflow. */
	async end(): Promise<void> {
		const { host } = this.customers;
		const id = this.workflowId;
		await this.build.page.close();
		// It was never saved if the story ended early.
		if (id !== '') host.adopt(await host.client.getWorkflow(id));
		await host.cleanUp();
	}
}

/** How an If compares: the type and the words in its list, and the word that n8n stores. */
type Operator = readonly [type: string, operator: string, stored: string];

/** The operations, by their names in the nodes panel. n8n calls the nodes so, too. */
export const SEND_TEXT = 'Send text message';
export const SEND_PICTURE = 'Send image, video, audio or sticker';
export const SEND_BUTTONS = 'Send message with buttons';
export const SEND_TEMPLATE = 'Send approved template';
export const ASK = 'Send message and wait for response';

/** The expression of a field of the trigger, further down the workflow. */
export const ofTrigger = (path: string): string => `{{ $('${TRIGGER}').item.json.${path} }}`;
