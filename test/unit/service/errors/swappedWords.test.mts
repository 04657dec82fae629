/** n8n swaps messages that have a word of an operating system in them. Ours stay as they are. */
import type { IHookFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { NODE, nodeContext } from '../../../support/context.mts';
import { run } from '../../resources/actionNode.mts';
import { askingContext } from '../../sendAndWait/fakes.mts';
import { BASE_URL, byId, CHANNEL } from '../../../support/constants.mts';

const WORDS = [
	...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'ERRADDRINUSE', 'EADDRNOTAVAIL'],
	...['ECONNABORTED', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES'],
	...['EEXIST', 'EPERM', 'GETADDRINFO'],
];
/** As `pepermunt` has EPERM. */
const within = (word: string) => `p${word.toLowerCase()}s`;

const refusal = (text: string) => ({ statusCode: 400, body: { error: 400, message: `A ${text}` } });

const inNode = async (parameters: object, text: string) =>
	await run({ channelId: CHANNEL, ...parameters }, { answer: () => refusal(text) });
const sendText = { resource: 'message', operation: 'sendText' };

const FIELDS: Record<string, unknown> = {
	businessId: byId('1'),
	// A mapping that is saved, so that its fields may not come out empty.
	'templateVariables.schema': [{ id: '1' }],
	'fallbackVariables.schema': [{ id: '1' }],
};
let accounts = 0;

/** The context of a list. Its credential cannot be read, or the service refuses. */
const inList = (text: string, isReadable: boolean) =>
	nodeContext<ILoadOptionsFunctions>(() => refusal(text), {
		getCredentials: async () => {
			if (!isReadable) throw new Error(text);
			return { baseUrl: BASE_URL, secretKey: `key ${++accounts}` };
		},
		getCurrentNodeParameter: (name: string) => FIELDS[name] ?? CHANNEL,
	});

const { listSearch, resourceMapping } = new BusinessMessaging().methods;
type List = (this: ILoadOptionsFunctions) => Promise<unknown>;
const lists = Object.entries<List>({ ...listSearch, ...resourceMapping });

/** A trigger whose webhook somebody has to register by hand, and did not. */
const inTrigger = (text: string) =>
	nodeContext<IHookFunctions>(() => ({ body: [] }), {
		getNodeParameter: (name: string, fallback: unknown) =>
			({ channelId: CHANNEL, channelEvents: ['BLOCK'], registration: 'manual' })[name] ?? fallback,
		getNodeWebhookUrl: () => `https://n8n.${text}.example/webhook/1`,
		getActivationMode: () => 'activate',
		getWorkflowStaticData: () => ({}),
		credential: { webhookToken: 'token' },
	});

/** Stops at the error, as a node without "Continue" does. */
const asking = (parameters: object) =>
	askingContext({ take: async () => refusal('') } as never, {
		parameters: { resource: 'message', operation: 'sendAndWait', ...parameters },
		more: { continueOnFail: () => false },
	});

type Way = [way: string, fails: (text: string) => Promise<unknown>];

test.each<Way>([
	[
		'the service of a change',
		(text) => inNode({ resource: 'channel', operation: 'create', name: 'A', type: 'B' }, text),
	],
	['the service of a message', (text) => inNode({ ...sendText, recipient: '1', text: 'Hi' }, text)],
	['a recipient', (text) => inNode({ ...sendText, recipient: text }, '')],
	['an operation that is not known', (text) => inNode({ ...sendText, operation: text }, '')],
	...lists.map(([name, list]): Way => [
		`the service of ${name}`,
		(text) => list.call(inList(text, true)),
	]),
	...lists.map(([name, list]): Way => [
		`the credential of ${name}`,
		(text) => list.call(inList(text, false)),
	]),
	[
		'the address of a trigger',
		(text) =>
			new BusinessMessagingTrigger().webhookMethods.default.checkExists.call(inTrigger(text)),
	],
	[
		'the person who is asked',
		(text) =>
			new BusinessMessaging().execute.call(
				asking({ channelId: CHANNEL, recipient: text, message: 'Well?' }),
			),
	],
	[
		'the kind of a question',
		(text) =>
			new BusinessMessaging().execute.call(
				asking({ channelId: CHANNEL, recipient: '1', message: 'Well?', responseType: text }),
			),
	],
])('keep the words of %s', async (_way, fails) => {
	for (const word of WORDS) {
		const text = within(word);
		const error: unknown = await fails(text).then(
			() => undefined,
			(reason: unknown) => reason,
		);
		expect([NodeApiError, NodeOperationError]).toContain((error as Error).constructor);
		expect((error as Error).message).toContain(text);
	}
});

test('the words are those that n8n swaps', () => {
	const swapped = WORDS.filter(
		(word) => !new NodeOperationError(NODE, within(word)).message.includes(within(word)),
	);
	expect(swapped).toEqual(WORDS);
});

test('with "Continue", the item keeps them', async () => {
	for (const word of WORDS) {
		const { items } = await run(
			{ channelId: CHANNEL, ...sendText, recipient: within(word) },
			{ continues: true },
		);
		expect(items[0]?.json.error).toContain(within(word));
	}
});
