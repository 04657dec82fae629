import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import type { SentSpan } from '#nodes/shared/texts/sentSpan.ts';
import type {
	ExecutionSummary,
	FinishedExecution,
	StoredWorkflow,
	WorkflowNode,
} from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { ownAccount } from './examples.mts';
import { ACTION, byId, type Host } from './host.mts';
import type { ListedWebhook } from './listener.mts';

const LIMIT_MS = 30_000;
/** n8n checks for ended waits once a minute. */
export const TIMEOUT_LIMIT_MS = 100_000;

/** The user agent of a person's browser. */
const BROWSER =
	'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';

export interface Customers {
	host: Host;
	channelId: string;
	secretKey: string;
	/** Of the account: its templates are made with it. */
	tenantId?: string;
}

/**
 * An account of its own with one channel. These customers have written to it, so their windows are
 * open.
 */
export async function openCustomers(
	channel: string,
	writers: readonly string[],
): Promise<Customers> {
	const { host, channels, secretKey, tenantId } = await ownAccount([channel]);
	const customers = { host, channelId: channels[0] ?? '', secretKey, tenantId };
	for (const writer of writers) await reply(customers, writer, 'Hello');
	return customers;
}

/** The question of a waiting execution. */
export class Question {
	constructor(
		readonly customers: Customers,
		readonly workflow: StoredWorkflow,
		readonly executionId: string,
		readonly recipient: string,
	) {}

	get host(): Host {
		return this.customers.host;
	}

	/** The messages to the recipient, newest last. */
	async sent(): Promise<string[]> {
		return await textsTo(this.customers, this.recipient);
	}

	/** The link of the question in the newest message: in its text, or behind its button. */
	async link(): Promise<string> {
		const [link] = (await this.sent()).at(-1)?.match(/https?:\/\/\S+/g) ?? [];
		return link ?? (await this.linkButton()).url;
	}

	/** The one button of the question, which opens a link. */
	async linkButton(to = this.recipient) {
		return await newestLinkButton(this.customers, to);
	}

	async status(): Promise<ExecutionSummary['status']> {
		return (await this.host.client.getExecution(this.executionId)).status;
	}

	async finished(): Promise<FinishedExecution> {
		return await this.host.client.finishedExecution(this.executionId);
	}

	/** The input of the node after the question, once the execution is over. */
	async outcome() {
		const { status, resultData } = await this.finished();
		return {
			status,
			items: (resultData.runData.After?.[0]?.data?.main[0] ?? []).map(({ json }) => json),
		};
	}
}

/** The parameters of Send and Wait for Response. */
export const askParameters = (
	channelId: string,
	recipient: string,
	parameters: INodeParameters,
): INodeParameters => ({
	resource: 'message',
	operation: 'sendAndWait',
	channelId: byId(channelId),
	recipient,
	message: 'May we deliver on Tuesday?',
	...parameters,
});

/** Ends the wait after this many seconds. */
export const limitSeconds = (seconds: number): INodeParameters => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: seconds / 60, resumeUnit: 'minutes' },
	},
});

/** Starts a workflow that asks. Returns its execution's id at once. */
export async function startAsking(
	{ host, channelId }: Pick<Customers, 'host' | 'channelId'>,
	recipient: string,
	parameters: INodeParameters,
	settings: Partial<WorkflowNode> = {},
): Promise<{ workflow: StoredWorkflow; executionId: string }> {
	const start = { ...host.node('Start', 'n8n-nodes-base.manualTrigger', {}), credentials: {} };
	const ask = {
		...host.node('Ask', ACTION, askParameters(channelId, recipient, parameters)),
		...settings,
	};
	const after = { ...host.node('After', 'n8n-nodes-base.noOp', {}), credentials: {} };
	const workflow = await host.createWorkflow(
		'A question',
		[start, ask, after],
		[{ order: 7, approved: true }],
	);
	const executionId = await host.client.runManually(workflow, 'Start');
	if (executionId === undefined) throw new Error('n8n did not start the workflow');
	return { workflow, executionId };
}

/** Asks, and waits until the execution waits for a written reply. */
export async function ask(
	customers: Customers,
	recipient: string,
	parameters: INodeParameters,
	settings: Partial<WorkflowNode> = {},
): Promise<Question> {
	const { workflow, executionId } = await startAsking(customers, recipient, parameters, settings);
	await waiting(customers.host, executionId);
	await untilWordsCount(customers);
	return new Question(customers, workflow, executionId, recipient);
}

/** Milliseconds after a question in which it is uncertain whether a message came before it. */
export const IN_DOUBT_MS = 2500;

/** Waits until new messages are certainly newer than the channel's open questions. */
export async function untilWordsCount(customers: Customers): Promise<void> {
	const ends = (await listWebhooks(customers)).flatMap(({ customAttributes: { n8nWait } }) =>
		((n8nWait as { sent?: Array<SentSpan | null> } | undefined)?.sent ?? []).map(
			(span) => span?.until ?? 0,
		),
	);
	const milliseconds = Math.max(0, ...ends) + 1 - Date.now();
	await sleep(Math.min(Math.max(0, milliseconds), IN_DOUBT_MS));
}

export async function waiting(host: Host, executionId: string): Promise<void> {
	await until(
		`execution ${executionId} to wait`,
		async () => {
			const { status, resultData } = await host.client.getExecution(executionId);
			if (['success', 'error', 'crashed'].includes(status))
				throw new Error(`it ended with ${status}: ${JSON.stringify(resultData?.error?.message)}`);
			return status === 'waiting';
		},
		LIMIT_MS,
	);
}

/** The messages to a customer, oldest first. */
export async function textsTo(
	{ host, channelId }: Pick<Customers, 'host' | 'channelId'>,
	recipient: string,
): Promise<string[]> {
	const messages = await host.sandbox.messages(channelId);
	return messages
		.filter(({ customer, direction }) => customer === recipient && direction === 'out')
		.map(({ content }) => (content as { text: string }).text);
}

/** Waits until a customer has received at least this many. */
export async function firstTextsTo(
	customers: Pick<Customers, 'host' | 'channelId'>,
	recipient: string,
	count: number,
): Promise<string[]> {
	return await until(
		`${count} texts to ${recipient}`,
		async () => ((texts) => texts.length >= count && texts)(await textsTo(customers, recipient)),
		60_000,
	);
}

/** The customer writes on the channel. */
export async function reply(
	{ host, channelId }: Customers,
	from: string,
	text: string,
): Promise<void> {
	await host.sandbox.customerWrites({ channelId, from, name: 'Customer', text });
}

/** The newest message with buttons to a customer. */
export async function newestButtons(
	{ host, channelId }: Pick<Customers, 'host' | 'channelId'>,
	customer: string,
): Promise<{ id: string; text: string; buttons: Array<{ id: string; title: string }> }> {
	for (const message of (await host.sandbox.messages(channelId)).reverse()) {
		const { id, content, direction } = message;
		if (message.customer !== customer || direction !== 'out') continue;
		if (content.type === 'INTERACTIVE_BUTTON')
			return { id, text: content.text, buttons: content.buttons };
	}
	throw new Error(`${customer} was sent no buttons`);
}

/** The one button of the newest message, which opens a link. */
export async function newestLinkButton(
	{ host, channelId }: Pick<Customers, 'host' | 'channelId'>,
	customer: string,
): Promise<{ text: string; title: string; url: string }> {
	const messages = await host.sandbox.messages(channelId);
	const newest = messages
		.filter((one) => one.customer === customer && one.direction === 'out')
		.at(-1);
	const content = newest?.content;
	if (content?.type !== 'INTERACTIVE_ACTION' || content.buttons.length !== 1)
		throw new Error(
			`the newest message to ${customer} is none with one button that does something`,
		);
	const [button] = content.buttons;
	if (button?.name !== 'URL') throw new Error(`the button for ${customer} opens no link`);
	return { text: content.text, title: button.title, url: button.url };
}

/** The customer taps the button with this title, in the newest message that has buttons. */
export async function tap(
	customers: Pick<Customers, 'host' | 'channelId'>,
	customer: string,
	title: string,
): Promise<void> {
	const { id, buttons } = await newestButtons(customers, customer);
	const button = buttons.find((one) => one.title === title);
	if (!button) throw new Error(`no button is called "${title}"`);
	await customers.host.sandbox.post(`/_sandbox/messages/${id}/tap`, { buttonId: button.id });
}

/** The webhooks that the service lists. */
export async function listWebhooks({
	host,
	channelId,
	secretKey,
}: Customers): Promise<ListedWebhook[]> {
	return await host.callService(`/v1/channels/${channelId}/webhooks`, secretKey);
}

export async function noWebhooks(customers: Customers): Promise<void> {
	await until(
		'the service to list no webhook',
		async () => (await listWebhooks(customers)).length === 0,
		LIMIT_MS,
	);
}

/** Opens a link as a browser or another program would. */
export async function open(
	link: string,
	init: RequestInit & { agent?: string } = {},
): Promise<{ status: number; body: string; headers: Headers }> {
	const { agent = BROWSER, ...options } = init;
	const response = await fetch(link, {
		...options,
		headers: { 'user-agent': agent, ...options.headers },
	});
	return { status: response.status, body: await response.text(), headers: response.headers };
}

/** Presses a button on an approval's page. */
export const press = async (link: string, approved: boolean) =>
	await submit(link, { approved: String(approved) });

/** Sends the form of a page. */
export async function submit(link: string, fields: Record<string, string | string[]>) {
	const body = new FormData();
	for (const [name, values] of Object.entries(fields))
		for (const value of [values].flat()) body.append(name, value);
	return await open(link, { method: 'POST', body });
}
