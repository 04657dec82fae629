/**
 * The workflows of the run. Every text names its event and execution, so that a text sent twice
 * shows.
 */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import type { CredentialReference, StoredWorkflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { ACTION, byId, type Host, TRIGGER } from '../host/harness/host.mts';

/** Texts of one execution of the bulk workflow. */
export const BULK = 40;

export const plainNode = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): WorkflowNode => ({
	id: randomUUID(),
	...{ name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
});

/** Items with `item` from 0 on. */
export const countedItems = (count: number): WorkflowNode[] => [
	plainNode('Items', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: `={{ { item: [...Array(${count}).keys()] } }}`,
		options: {},
	}),
	plainNode('Split', 'splitOut', 1, { fieldToSplitOut: 'item', options: {} }),
];

const trigger = (host: Host, channelId: string, options: INodeParameters = {}): WorkflowNode =>
	host.node('Trigger', TRIGGER, { channelId: byId(channelId), options });

const sendText = (host: Host, text: string, options: INodeParameters = {}): WorkflowNode =>
	host.node('Send', ACTION, {
		resource: 'message',
		operation: 'sendText',
		channelId: "={{ $('Trigger').first().json.channelId }}",
		recipient: "={{ $('Trigger').first().json.sender.identifier }}",
		text,
		options,
	});

/** Replies to every event with one text. */
export async function createReplying(host: Host, channelId: string): Promise<StoredWorkflow> {
	return await host.createWorkflow('Reply', [
		trigger(host, channelId),
		sendText(host, '={{ $json.text }}0-run-{{ $execution.id }}-'),
	]);
}

/**
 * Replies to every event with one text under a key: the same key and the same text, however often
 * the event is executed.
 */
export async function createKeyed(host: Host, channelId: string): Promise<StoredWorkflow> {
	const send = sendText(host, '={{ $json.text }}', { sendOnceKey: '={{ $json.messageId }}' });
	return await host.createWorkflow('Keyed', [
		trigger(host, channelId),
		{ ...send, onError: 'continueRegularOutput' },
	]);
}

/** Does nothing with events. */
export async function createListening(host: Host, channelId: string): Promise<StoredWorkflow> {
	return await host.createWorkflow('Listening', [
		trigger(host, channelId),
		plainNode('Done', 'noOp', 1, {}),
	]);
}

/** Counts events in static data, as docs/queue-mode.md says not to. */
export async function createCounting(host: Host, channelId: string): Promise<StoredWorkflow> {
	return await host.createWorkflow('Counting', [
		trigger(host, channelId),
		plainNode('Count', 'code', 2, {
			jsCode: `const data = $getWorkflowStaticData('global');
data.count = (data.count ?? 0) + 1;
return $input.all();`,
		}),
	]);
}

/** Takes the events of a customer together, and does nothing with them. */
export async function createGrouped(host: Host, channelId: string): Promise<StoredWorkflow> {
	const grouped = trigger(host, channelId, { longestWait: 2 });
	const parameters = { ...grouped.parameters, grouping: 'customer', quietTime: 0.5 };
	return await host.createWorkflow('Grouped', [
		{ ...grouped, parameters },
		plainNode('Done', 'noOp', 1, {}),
	]);
}

/** Replies to every event with many texts, so that a process is killed amid them. */
export async function createBulk(host: Host, channelId: string): Promise<StoredWorkflow> {
	return await host.createWorkflow('Bulk', [
		trigger(host, channelId),
		...countedItems(BULK),
		sendText(
			host,
			"={{ $('Trigger').first().json.text }}{{ $json.item }}-run-{{ $execution.id }}-",
		),
	]);
}

/**
 * Replies to every event once, however often it is delivered and to whichever processor: the recipe
 * of docs/queue-mode.md.
 */
export async function createOnce(
	host: Host,
	channelId: string,
	redis: CredentialReference,
): Promise<StoredWorkflow> {
	const key =
		'=delivery:{{ $workflow.id }}:{{ $json.headers["x-idempotency-key"] }}:{{ $json.messageId ?? $json.templateId }}:{{ $json.status }}';
	const count: WorkflowNode = {
		...plainNode('Count', 'redis', 1, { operation: 'incr', key, expire: true, ttl: 604_800 }),
		credentials: { redis: { id: redis.id, name: redis.name } },
	};
	const first = plainNode('First', 'filter', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: randomUUID(),
					leftValue: '={{ Object.values($json)[0] }}',
					rightValue: 1,
					operator: { type: 'number', operation: 'equals' },
				},
			],
			combinator: 'and',
		},
		options: {},
	});
	return await host.createWorkflow('Once', [
		trigger(host, channelId, { includeHeaders: true }),
		count,
		first,
		sendText(host, "={{ $('Trigger').first().json.text }}0-run-{{ $execution.id }}-"),
	]);
}

/** The execution and the item of a text that one of the workflows sent. */
export function senderOf(text: string): { execution: string; item: number } | undefined {
	const [, item, execution] = /^event-\d+-(\d+)-run-(\d+)-$/.exec(text) ?? [];
	return item === undefined || execution === undefined
		? undefined
		: { execution, item: Number(item) };
}
