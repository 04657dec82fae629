/**
 * What the workflows of the sentences are made of, as n8n stores it: nodes one after the other,
 * with what hangs on them.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

export const PACKAGE = 'n8n-nodes-business-messaging';

/** A node of a workflow. Its name is its place for expressions. */
export interface Part {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
	/** Nodes that serve it, by the kind of their connection: a model, a memory, tools. */
	helpers?: Array<[kind: string, part: Part]>;
	/** What runs at its second output: If → false. */
	otherwise?: Part;
}

/** What somebody wants, in their words, and the workflow that does it: parts in a row. */
export interface Sentence {
	wish: string;
	workflow: Part[];
}

export const wish = (words: string, ...workflow: Part[]): Sentence => ({ wish: words, workflow });

const node = (type: string, typeVersion: number, name: string, parameters: object): Part => ({
	name,
	type,
	typeVersion,
	parameters: parameters as INodeParameters,
});
const core = (type: string, typeVersion: number, name: string, parameters: object = {}): Part =>
	node(`n8n-nodes-base.${type}`, typeVersion, name, parameters);

/** The channel and the customers of the account in which the workflows are checked. */
export const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });
export const channelId = byId(CHANNEL);
export const COLLEAGUE = '5511999990001';

/** How every workflow calls its trigger, and a field of what it gave. */
const TRIGGER = 'When It Happens';
export const given = (path: string): string => `{{ $('${TRIGGER}').item.json.${path} }}`;
/** To the customer whose event started the workflow. */
export const toSender = {
	channelId: byId(`=${given('channelId')}`),
	recipient: `=${given('sender.identifier')}`,
};
/** To whom the item names, on the channel of the account. */
export const toNamed = (field = 'customer') => ({
	channelId,
	recipient: `={{ $json.${field} }}`,
});
export const toColleague = { channelId, recipient: COLLEAGUE };

export const onChannel = (changes: IDataObject = {}): Part =>
	node(`${PACKAGE}.businessMessagingTrigger`, 2, TRIGGER, { channelId, ...changes });
export const onTemplates = (...templateEvents: string[]): Part =>
	node(`${PACKAGE}.businessMessagingTrigger`, 2, TRIGGER, {
		source: 'template',
		templateEvents,
	});
export const onSchedule = (interval: object): Part =>
	core('scheduleTrigger', 1.2, TRIGGER, { rule: { interval: [interval] } });
export const onRequest = (path: string, changes: object = {}): Part =>
	core('webhook', 2, TRIGGER, { httpMethod: 'POST', path, options: {}, ...changes });
export const onFailure = (): Part => core('errorTrigger', 1, TRIGGER);

/** An operation of the action node. */
export const act = (
	name: string,
	resource: 'business' | 'channel' | 'message' | 'template' | 'templateWebhook' | 'webhook',
	operation: string,
	parameters: object = {},
): Part => node(`${PACKAGE}.businessMessaging`, 2, name, { resource, operation, ...parameters });
export const message = (name: string, operation: string, to: object, parameters: object): Part =>
	act(name, 'message', operation, { ...to, ...parameters });
export const sendText = (to: object, text: string, options: IDataObject = {}): Part =>
	message('Send the Text', 'sendText', to, { text, options });
/** The same operations as a tool of an agent. */
export const asTool = (part: Part): Part => ({ ...part, type: `${part.type}Tool` });

const isTrue = (expression: string): object => ({
	conditions: {
		options: { caseSensitive: false, leftValue: '', typeValidation: 'loose', version: 2 },
		conditions: [
			{
				id: 'condition-1',
				leftValue: `={{ ${expression} }}`,
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	},
	options: {},
});
export const onlyIf = (name: string, expression: string): Part =>
	core('filter', 2.2, name, isTrue(expression));
export const when = (name: string, expression: string, otherwise: Part): Part => ({
	...core('if', 2.2, name, isTrue(expression)),
	otherwise,
});

export const request = (name: string, url: string, changes: object = {}): Part =>
	core('httpRequest', 4.2, name, { url, options: {}, ...changes });
export const post = (name: string, url: string, body: string, changes: object = {}): Part =>
	request(name, url, {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: body,
		...changes,
	});
export const listOf = (name: string, field: string): Part =>
	core('splitOut', 1, name, { fieldToSplitOut: field, options: {} });
export const respond = (body: string): Part =>
	core('respondToWebhook', 1.1, 'Respond', {
		respondWith: 'json',
		responseBody: body,
		options: {},
	});
export const code = (name: string, jsCode: string): Part => core('code', 2, name, { jsCode });
export const wait = (amount: number, unit: string): Part =>
	core('wait', 1.1, 'Wait', { amount, unit });

/** An agent with a model, and what else it is given. */
export const agent = (systemMessage: string, changes: object = {}, ...tools: Part[]): Part => ({
	...node('@n8n/n8n-nodes-langchain.agent', 2.2, 'Agent', {
		options: { systemMessage },
		...changes,
	}),
	helpers: [
		[
			'ai_languageModel',
			node('@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, 'Model', {
				model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' },
				options: {},
			}),
		],
		...tools.map((tool): [string, Part] => ['ai_tool', tool]),
	],
});
export const withMemory = (part: Part): Part => ({
	...part,
	helpers: [
		...(part.helpers ?? []),
		['ai_memory', node('@n8n/n8n-nodes-langchain.memoryBufferWindow', 1.3, 'Memory', {})],
	],
});
