/** What in the code reads texts of others, and the texts that are worst for it. */
import { runInNewContext } from 'node:vm';

import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../../credentials/BusinessMessagingApi.credentials.ts';
import { normalizeBaseUrl } from '#nodes/service/baseUrl.ts';
import { connect } from '#nodes/resources/channel/connect.operation.ts';
import { createServiceClient, type ServiceClient } from '#nodes/service/client.ts';
import { readRecipient } from '#nodes/service/recipient.ts';
import { keyOf } from '#nodes/shared/texts/phoneNumbers.ts';
import { failureOfConnection } from '#nodes/service/errors/failureOfConnection.ts';
import { fileNameOfDisposition, fileNameOfUrl, mimeTypeOf } from '#nodes/service/fileName.ts';
import { listedTemplateSchema } from '#nodes/service/contract/index.ts';
import {
	accessCodeToCreate,
	checkDefinition,
	parameterFormatOf,
} from '#nodes/service/template/definition.ts';
import { PARTS_OF_LIST } from '#nodes/service/template/mistakes.ts';
import { mismatchOf, textsIn } from '#nodes/service/template/check.ts';
import { componentsOf } from '#nodes/service/template/components.ts';
import { templateText } from '#nodes/service/template/variables.ts';
import { parseRetryAfter } from '#nodes/service/exchange.ts';
import { receivedMessages, toEvents } from '#nodes/delivery/event/message.ts';
import { parseBody } from '#nodes/delivery/open.ts';
import { verifyDelivery } from '#nodes/delivery/open.ts';
import { toChatMarks } from '#nodes/resources/message/content/markdown.ts';
import { withoutReasoning } from '#nodes/resources/message/sendText.operation.ts';
import {
	matchChoice,
	matchLabel,
} from '#nodes/resources/message/sendAndWait/kinds/matchChoices.ts';
import type { FormField } from '#nodes/resources/message/sendAndWait/kinds/formElements.ts';
import { formPage } from '#nodes/resources/message/sendAndWait/kinds/pages.ts';
import { readSubmission } from '#nodes/resources/message/sendAndWait/kinds/formElements.ts';
import { splitText } from '#nodes/resources/message/content/splitText.ts';
import { printable } from '#sandbox/client/printable.mts';
import { hostOf, isAllowedHost, isLoopback } from '#sandbox/core/loopback.mts';
import { parseRetryAfter as parseRetryAfterOfReceiver } from '#sandbox/delivery/schedule.mts';
import { shapeOfPath } from '#sandbox/http/access.mts';
import { messageBody } from '../../core/harness/deliveries.mts';
import { BASE_URL, SECRET_KEY } from '../../support/constants.mts';
import { nodeContext } from '../../support/context.mts';
import type { Read } from '../../support/timing.mts';
import { templatesListed, templateWith, webhooksListed } from './listed.mts';
import { type Pumped, pumped } from './pumped.mts';

export interface Reader {
	/** Whose text, and where it is read. */
	name: string;
	read: Read;
	worst: Pumped[];
}

/** A request to which the service responds with this status and body. */
async function ask(statusCode: number, body: unknown): Promise<unknown> {
	const credential = { webhookSecret: 'ab', webhookToken: '' };
	const context = nodeContext<IExecuteFunctions>(() => ({ statusCode, body }), { credential });
	return await (
		await createServiceClient(context)
	).request({ action: 'ask', method: 'GET', path: ['v1', 'webhooks'] });
}

const verify = (headers: Record<string, string>): void => {
	const at = 1_800_000_000;
	const signature = { kind: 'signature', secrets: ['a'], tolerance: 300 } as const;
	for (const proof of [
		{ ...signature, scheme: 'fiveField' as const },
		{ ...signature, scheme: 'bodyOnly' as const },
		{ kind: 'token' as const, tokens: ['a'] },
	])
		verifyDelivery(headers, Buffer.from('{}'), proof, at);
};

const deliver = (body: unknown): void => {
	const parsed = parseBody(Buffer.from(JSON.stringify(body)));
	toEvents(parsed, {
		output: 'simplified',
		chatFields: true,
		skipOwnMessages: true,
		senders: ['5511999990000'],
		contentKinds: ['TEXT'],
		statuses: ['READ'],
	});
	receivedMessages(parsed);
};

/** A message whose customer, and whose moment, is such a text. */
function messageOf(text: string) {
	const { message, ...rest } = messageBody({ text });
	return {
		...rest,
		message: {
			...message,
			created: text,
			metadata: { ...message.metadata, moment: text },
			sender: { identifier: text, name: text },
		},
	};
}

const FORM = (['text', 'email', 'date', 'number'] as const).map((type): FormField => ({
	...{ label: type, type, placeholder: '', options: [], multiple: false, required: true },
}));

/** What n8n makes of the credential's Base URL before it tests the key. */
function baseUrlOfTest(baseUrl: string): unknown {
	const { baseURL } = new BusinessMessagingApi().test.request;
	const [, code = ''] = /\{\{(.*?)\}\}/s.exec(String(baseURL)) ?? [];
	return runInNewContext(code, { $credentials: { baseUrl } });
}

async function connectWith(sdkObject: unknown): Promise<void> {
	const given: Record<string, unknown> = { connectionData: 'object', sdkObject };
	const context = { getNodeParameter: (name: string) => given[name] };
	const client = { request: async () => ({ success: true }) };
	await connect.executeItem(
		context as unknown as IExecuteFunctions,
		client as unknown as ServiceClient,
		0,
	);
}

/** What n8n does for a node that was given the credential. */
async function borrow(
	options: Partial<Record<keyof IHttpRequestOptions, unknown>>,
): Promise<unknown> {
	const { authenticate } = new BusinessMessagingApi();
	if (typeof authenticate !== 'function')
		throw new Error('the credential no longer keeps the key to its host');
	return await authenticate(
		{ baseUrl: BASE_URL, secretKey: SECRET_KEY },
		options as unknown as IHttpRequestOptions,
	);
}

/** Each repeated by itself. */
const alone = (...pumps: string[]): Pumped[] => pumps.map((pump) => pumped(pump));

/** A response that refuses holds the text in one of the shapes of errors. */
const refusals = Object.entries({
	'with its number': (text: string) => ({ error: 422, message: text }),
	'by itself': (text: string) => ({ error: text }),
	'in a list': (text: string) => ({ error: { errors: [text, { message: text, code: text }] } }),
	'about media': (text: string) => ({ timestamp: 1, code: 502, message: text, subCode: text }),
}).flatMap(([shape, bodyOf]) =>
	[400, 422, 502].map((status): Reader => ({
		name: `the words of a refusal, ${status}, ${shape}`,
		read: async (text) => await ask(status, bodyOf(text)),
		worst: [
			...alone('window ', 'conversation ', '24 ', 'ENTERPRISE ', '1.', 'MEDIA_', 'authorization '),
			pumped('window\n'),
			...[pumped('window\u00A0', 'close'), pumped('1', '', 'ip ')],
		],
	})),
);

export const READERS: Reader[] = [
	{
		name: 'a recipient, an identifier, and the object of the connection SDK',
		read: async (text) => {
			readRecipient(text);
			keyOf(text);
			const object = { success: true, channelId: text, code: text, wabaId: text, phoneId: text };
			for (const sdkObject of [text, object, JSON.stringify(object)])
				await connectWith(sdkObject).catch(() => undefined);
		},
		worst: [
			...alone(' ', '1', '{', '[', '"', '('),
			pumped(' ', 'a', 'a'),
			pumped('0', 'a', '+'),
			...[pumped('&phone=', '', 'a.bc/?'), pumped('a', '!'), pumped('.', '@', '12345678@')],
		],
	},
	{
		name: 'what names a file',
		read: (text) => {
			for (const type of ["*=utf-8''", '=', '="'])
				fileNameOfDisposition(`a; filename${type}${text}`);
			fileNameOfDisposition(text);
			fileNameOfUrl({ pathname: `/${text}` } as URL);
			mimeTypeOf(text);
		},
		worst: [
			...alone('/', "filename*=utf-8'", 'filename="', ';', '; ', '\\', '\\"', '%e9', '=', "'"),
			...[pumped('\ufffd', 'a'), pumped('.', 'a', 'a'), pumped(' ', 'a', 'a')],
			pumped('a', '!', 'a/'),
		],
	},
	{
		name: 'a reply to a question with choices, an approval, and who wrote them',
		read: (text) =>
			[text, `Ana:\n${text}`, `Ana${text}:\n`].flatMap((written) => {
				const said = { text: written, author: `Ana${text}` };
				return [
					matchChoice(said, ['Monday', 'Tuesday'], 'reply'),
					matchLabel(said, ['Monday', 'Tuesday'], 'approval'),
				];
			}),
		worst: [
			...alone('\u0344', '\u0301\u0323', 'ﷺ', '1', '1!', '👍', 'a\u0301', 'a✕'),
			...[pumped('…', 'a'), pumped('.', 'a', 'a'), pumped(' ', 'a', 'a'), pumped('1. ', 'a')],
			...[pumped('*a', '\n'), pumped('a', ':*\n2', '*')],
		],
	},
	{
		name: 'what a language model writes, sent as texts of the chat',
		read: (text) => splitText(toChatMarks(withoutReasoning(text)), 100),
		worst: [
			...alone('<think>', '</think>', '`</think>', '<think></think>', '<think>a</think> '),
			...alone('*', '_', '~', '`', '[', ']', '(', ')', '<', '>', '!', '#', '|', '-', '&', '\\'),
			...alone('=', '**a ', '*a', '_a', '***a ', 'a** ', '**a\n', '~~a ', '` ', '`a``b', ']('),
			...alone('[a](', '](a', '](a(b)', '](a(', '![', '![a](b)', '[[a](b)', '](((', '<a', '<br'),
			...alone('http', 'https://', 'https://_', '\n', ' \n', '\n\n', '> ', '>\n', '- ', '- a\n'),
			...alone('1. ', '# ', '# a #\n', '|\n', '|-|\n', 'a|b\n-|-\n', '```', '```\n', '``` ', '~~~'),
			...alone('```a\n', '    ', '\t', 'a ', 'a. ', '。', '🎉', '👨‍👩‍👧‍👦', '\u0301'),
			...alone(
				'\u200B',
				'1 ',
				'1 (',
				'１．',
				'។',
				'‼\uFE0F\u200D',
				'。」',
				'ก',
				'สวัสดีครับ',
				'ကျွန်တော်',
			),
			...alone('a:\n', '*a*\n'),
			...[
				pumped('a ', '```', '```'),
				pumped('```', ' ', '`'),
				pumped('**', 'a**'),
				pumped('*a ', '*'.repeat(1000)),
			],
			...[pumped('**a ', 'a**'.repeat(10_000)), pumped('**', '', 'a\n'.repeat(10_000))],
			...[pumped('a\n', '**', '**'), pumped(' ', 'a', 'a'), pumped(' ', '|', '|')],
			...[pumped('#', ' a', '# a '), pumped('a', '\n===')],
		],
	},
	{
		name: 'what is entered into a form',
		read: (text) => {
			const entered = { 'field-0': text, 'field-1': text, 'field-2': text, 'field-3': text };
			const submission = readSubmission(FORM, entered);
			formPage({
				...{ title: '', message: text, buttonLabel: '', fields: FORM },
				...('problems' in submission ? submission : {}),
			});
		},
		worst: [pumped('a', '@'), pumped('a@'), pumped('<'), pumped('0'), pumped(' ', 'a', 'a')],
	},
	{
		name: 'a page that responds in the place of the service',
		read: async (text) => await ask(404, text),
		worst: [
			...alone('<', '<script', '<style>', '<script></', '\0', SECRET_KEY, 'a b', '%25', '&#x26;'),
			pumped(' ', 'a', 'a'),
		],
	},
	...refusals,
	{
		name: 'how long the service, or a receiver, asks to wait',
		read: (text) => {
			parseRetryAfter(text, 0);
			parseRetryAfterOfReceiver(text, 0);
		},
		worst: [
			pumped('9.'),
			...[pumped('9', 'a'), pumped('1 ', '', 'Wed, '), pumped('(', '', 'Wed, ')],
			pumped('GMT ', 'GMT', 'Wed, '),
		],
	},
	{
		name: 'why no connection was made',
		read: (text) =>
			failureOfConnection(
				{ code: text, message: text, cause: { code: 'EPROTO', message: text } },
				1000,
			),
		worst: [...alone('timeout of 1', 'blocked ', 'not allowed '), pumped('1', '', 'timeout of ')],
	},
	{
		name: 'the Base URL as it is typed',
		read: (text) => [normalizeBaseUrl, baseUrlOfTest].forEach((read) => read(text)),
		worst: [
			...[pumped('/', 'a', BASE_URL), pumped('/.', 'a', BASE_URL)],
			...[pumped('%2e', '', `${BASE_URL}/`), pumped('.', '', `${BASE_URL}/`)],
		],
	},
	{
		name: 'the headers of a delivery',
		read: (text) => {
			verify({ 'x-webhook-signature': text, 'x-idempotency-key': text, authorization: text });
			// Past the signature's form, the key is split; with the right token, too.
			verify({
				'x-webhook-signature': `t=1800000000,v1=${'0'.repeat(64)}`,
				'x-idempotency-key': text,
				authorization: 'Bearer a',
			});
		},
		worst: [
			...alone('a:', 'v1=0,', '0'),
			...[pumped(' ', 'a', 'Bearer '), pumped('a', ' ', 'Bearer '), pumped(':', ':')],
			...[pumped(':a', '', 'a'), pumped(' ', '=', ''), pumped('0', ' !', 't=')],
		],
	},
	{
		name: 'the body of a delivery',
		read: (text) => {
			deliver(messageOf(text));
			parseBody(Buffer.from(text));
			for (const more of [text, `,${JSON.stringify(text)}`])
				parseBody(Buffer.from(`[12345678901234567890${more}]`));
		},
		worst: [
			...alone('(', '1', '\uFEFF', '"', '\\', ',""', ',1', ',"\\""', ',12345678901234567890'),
			...[pumped('1 ', 'a'), pumped(' ', 'a', '1'), pumped('5', '', '5411')],
			...[pumped('15', '', '542'), pumped('\u202A', 'a')],
		],
	},
	{
		name: 'a request of another node, which borrows the credential',
		read: async (text) => {
			const requests = [
				{ url: text },
				{ url: text, baseURL: BASE_URL },
				{ url: `${BASE_URL}/${text}` },
				{ url: BASE_URL, headers: { [text]: text } },
				{ url: BASE_URL, headers: { [`x-${text}`]: text } },
				{ url: BASE_URL, method: text },
			];
			return await Promise.allSettled(requests.map(borrow));
		},
		worst: [pumped('/'), pumped('hos'), pumped('/.', '', '/'), pumped('http://')],
	},
	{
		name: 'the texts of a listed webhook',
		read: async (text) =>
			await webhooksListed([
				{
					...{ id: 'A', url: text, events: [], status: 'ENABLED', description: text },
					...{ createdAt: text, updatedAt: text },
				},
			]),
		worst: [
			...alone('signature=', 'signature%3', '-'),
			...[pumped('signatur', '', 'signature='), pumped('+00', 'a'), pumped('+0000', 'a')],
			pumped('1 ', '', '1 Jan '),
		],
	},
	{
		name: 'the texts of a listed template',
		read: async (text) => await templatesListed([templateWith(text)]),
		worst: [
			// Each # is another number.
			pumped('{{#}}'),
			pumped('{{a#}}'),
			pumped('{{#}} a '),
			pumped('{{1}}'),
			pumped('{{'),
			pumped('{{a'),
			pumped('a', '}}', '{{'),
			pumped(' ', '{{1}}', 'a'),
		],
	},
	{
		name: 'a listed template with what is sent of it',
		read: (text) => {
			const template = templateWith(text);
			const components = componentsOf([['body.1', 'x']]);
			mismatchOf(template, components);
			const texts = textsIn(template, components);
			templateText(template, (id) => texts.get(id));
		},
		worst: [pumped('{{#}}'), pumped('{{a#}}')],
	},
	{
		name: 'the definition of a template, such as a copied one',
		read: (text) => {
			for (const type of ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'] as const) {
				const { components } = listedTemplateSchema.parse(templateWith(text, type));
				parameterFormatOf(components ?? []);
				accessCodeToCreate(components ?? []);
				try {
					checkDefinition(components ?? [], 'UTILITY', PARTS_OF_LIST);
				} catch {
					// That it is refused is no matter here.
				}
			}
		},
		worst: [
			pumped('{{#}}'),
			pumped('{{a#}}'),
			pumped('{{'),
			pumped('{{1}}', '}}'),
			pumped('a', '{{1}}'),
			pumped(' ', '{{1}}', 'a'),
			pumped('0'),
		],
	},
	{
		name: 'words of others in what a command prints',
		read: printable,
		worst: [
			...alone(' ::', '\n', ' \n', '#', '##a', '\u001b[', '\u2028'),
			...[pumped(' ', '::'), pumped('a', '[', '##')],
		],
	},
	{
		name: 'where a request to the sandbox says it comes from and goes to',
		read: (text) => {
			isLoopback(text);
			isAllowedHost(hostOf(text) ?? text, ['n8n.example']);
			shapeOfPath(text);
		},
		worst: [
			pumped('['),
			pumped(']', 'a', '['),
			pumped('::ffff:'),
			pumped('/v1/channels/'),
			pumped('a.', '/', 'http://'),
			pumped('a'),
			pumped(':1', '', 'a'),
		],
	},
];
