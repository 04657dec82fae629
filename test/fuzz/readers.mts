/** What in the code reads texts of others: which expressions that covers, and the texts that are worst for it. */
import { runInNewContext } from 'node:vm';

import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { BusinessMessagingApi } from '../../credentials/BusinessMessagingApi.credentials.ts';
import { normalizeBaseUrl } from '../../nodes/BusinessMessaging/service/baseUrl.ts';
import { createServiceClient } from '../../nodes/BusinessMessaging/service/client.ts';
import { failureOfConnection } from '../../nodes/BusinessMessaging/service/connectionFailure.ts';
import {
	fileNameOfDisposition,
	fileNameOfUrl,
	mimeTypeOf,
} from '../../nodes/BusinessMessaging/service/fileName.ts';
import { parseRetryAfter } from '../../nodes/BusinessMessaging/service/retryAfter.ts';
import { readBody } from '../../nodes/BusinessMessaging/delivery/body.ts';
import { receivedMessages, toEvents } from '../../nodes/BusinessMessaging/delivery/message.ts';
import { verifyDelivery } from '../../nodes/BusinessMessaging/delivery/verify.ts';
import { toChatMarks } from '../../nodes/BusinessMessaging/resources/message/markdown.ts';
import { isProgram } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/bots.ts';
import { matchChoice } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/choices.ts';
import {
	type FormField,
	readSubmission,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/form.ts';
import { formPage } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/pages.ts';
import { splitText } from '../../nodes/BusinessMessaging/resources/message/splitText.ts';
import { hostOf, isAllowedHost, isLoopback } from '../../sandbox/core/loopback.mts';
import { parseRetryAfter as parseRetryAfterOfReceiver } from '../../sandbox/delivery/schedule.mts';
import { shapeOfPath } from '../../sandbox/http/access.mts';
import { messageBody } from '../core/harness/deliveries.mts';
import { evaluatedParts } from '../support/expressions.mts';
import { contextOf, getMany } from './entryPoints/listedWebhooks.mts';
import type { Read } from './growth.mts';
import { type Pumped, pumped } from './pumped.mts';

export interface Reader {
	/** Whose text, and where it is read. */
	name: string;
	/** The expressions and normalisations that it goes through, by file and text. */
	covers: string[];
	read: Read;
	worst: Pumped[];
}

const BASE_URL = 'https://api.messaging.example';
const SECRET_KEY = 'sk-of-the-tests';
const at = (file: string, ...texts: string[]): string[] => texts.map((text) => `${file} ${text}`);
const inNodes = (file: string, ...texts: string[]): string[] =>
	at(`nodes/BusinessMessaging/${file}`, ...texts);

/** A request to which the service responds with this status and body. */
async function ask(statusCode: number, body: unknown): Promise<unknown> {
	const context = {
		getCredentials: async () => ({
			baseUrl: BASE_URL,
			secretKey: SECRET_KEY,
			webhookSecret: 'ab',
			webhookToken: '',
		}),
		helpers: { httpRequestWithAuthentication: async () => ({ statusCode, headers: {}, body }) },
	} as unknown as IExecuteFunctions;
	return await (
		await createServiceClient(context)
	).request({ action: 'ask', method: 'GET', path: ['v1', 'webhooks'] });
}

const verify = (headers: Record<string, string>): void => {
	const at = 1_800_000_000;
	verifyDelivery(
		headers,
		Buffer.from('{}'),
		{ kind: 'signature', secrets: ['a'], scheme: 'fiveField', tolerance: 300 },
		at,
	);
	verifyDelivery(
		headers,
		Buffer.from('{}'),
		{ kind: 'signature', secrets: ['a'], scheme: 'bodyOnly', tolerance: 300 },
		at,
	);
	verifyDelivery(headers, Buffer.from('{}'), { kind: 'token', tokens: ['a'] }, at);
};

const deliver = (body: unknown): void => {
	const parsed = readBody({ rawBody: Buffer.from(JSON.stringify(body)) });
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

const field = (label: string, type: FormField['type']): FormField => ({
	label,
	type,
	placeholder: '',
	options: [],
	multiple: false,
	required: true,
});
const FORM = [
	field('Name', 'text'),
	field('E-mail', 'email'),
	field('Day', 'date'),
	field('Count', 'number'),
];

/** What n8n makes of the credential's Base URL before it tests the key. */
function baseUrlOfTest(baseUrl: string): unknown {
	const [code = ''] = evaluatedParts(String(new BusinessMessagingApi().test.request.baseURL));
	return runInNewContext(code, { $credentials: { baseUrl } });
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

/** Each of the readers below meets them; what is looked for is listed once. */
const refusalExpressions = [
	...inNodes('service/failureOfResponse.ts', '/ENTERPRISE role/i'),
	...inNodes(
		'service/contract/errors.ts',
		'/^authorization (?:is )?invalid\\b|^invalid authorization\\b/i',
		'/^(?:ip(?: address)?|(?:ip )?((?=\\S*[.:])[\\da-f:.]{2,45})) not allowed\\b/i',
		'/^MEDIA_[A-Z_]{1,58}$/',
	),
	...inNodes(
		'service/contract/assumptions.ts',
		'/^(?=(.*?\\bwindow\\b))\\1.*\\b(closed|expired|not open)\\b|\\b24[ -]?h(ours?)?\\b/im',
	),
];

/** A response that refuses holds the text in one of the shapes of errors. */
const refusals = Object.entries({
	'with its number': (text: string) => ({ error: 422, message: text }),
	'by itself': (text: string) => ({ error: text }),
	'in a list': (text: string) => ({ error: { errors: [text, { message: text, code: text }] } }),
	'about media': (text: string) => ({ timestamp: 1, code: 502, message: text, subCode: text }),
}).flatMap(([shape, bodyOf]) =>
	[400, 422, 502].map((status): Reader => ({
		name: `the words of a refusal, ${status}, ${shape}`,
		covers: status === 400 && shape === 'by itself' ? refusalExpressions : [],
		read: async (text) => await ask(status, bodyOf(text)),
		worst: [
			pumped('window '),
			pumped('window\u00A0', 'close'),
			pumped('conversation '),
			pumped('24 '),
			pumped('ENTERPRISE '),
			pumped('1', '', 'ip '),
			pumped('1.'),
			pumped('MEDIA_'),
			pumped('authorization '),
			pumped('window\n'),
		],
	})),
);

export const READERS: Reader[] = [
	{
		name: 'what names a file',
		covers: inNodes(
			'service/fileName.ts',
			'/\\ufffd$/u',
			'/[/\\\\]/',
			'/[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]/gu',
			'/[<>:"|?*]/g',
			"/filename\\*=utf-8'[^';]*'([^;]+)/i",
			'/filename=(?:"([^"]*)"|([^;"]+))/i',
			'/^[\\w.+-]+\\/[\\w.+-]+$/',
		),
		read: (text) => {
			for (const type of ["*=utf-8''", '=', '="'])
				fileNameOfDisposition(`a; filename${type}${text}`);
			fileNameOfDisposition(text);
			fileNameOfUrl({ pathname: `/${text}` } as URL);
			mimeTypeOf(text);
		},
		worst: [
			pumped('\ufffd', 'a'),
			pumped('.', 'a', 'a'),
			pumped(' ', 'a', 'a'),
			pumped('/'),
			pumped("filename*=utf-8'"),
			pumped('filename="'),
			pumped('a', '!', 'a/'),
		],
	},
	{
		name: 'a reply to a question with choices',
		covers: inNodes(
			'resources/message/sendAndWait/choices.ts',
			".normalize('NFKC')",
			'/[\\u{FE0F}\\u{20E3}]/gu',
			'/\\s+/g',
			'/^[\\s"\'“”„([*_]+/u',
			'/(?<![\\s"\'“”)\\].,;:!?*_])[\\s"\'“”)\\].,;:!?*_]+$/u',
			'/^\\d{1,3}$/',
		),
		read: (text) => matchChoice(text, ['Monday', 'Tuesday']),
		worst: [
			pumped('…', 'a'),
			pumped('.', 'a', 'a'),
			pumped(' ', 'a', 'a'),
			pumped('\u0344'),
			pumped('\u0301\u0323'),
			pumped('ﷺ'),
			pumped('1'),
		],
	},
	{
		name: 'what a language model writes, sent as texts of the chat',
		covers: [
			...inNodes(
				'resources/message/markdown.ts',
				'/^([ \\t]*)(`{3,}|~{3,})/',
				'/^(?: {0,3}>)+ ?/',
				'/^([ \\t]*)([-*+]|\\d{1,9}[.)])[ \\t]+(?=\\S)/',
				'/^\\[([ xX])\\][ \\t]+/',
				'/^ {0,3}#{1,6}[ \\t]+(?=\\S)/',
				'/[ \\t]/g',
				'/\\s/',
				'/^:?-+:?$/',
				'/(?<!\\\\)\\|/',
			),
			...inNodes(
				'resources/message/markdownInline.ts',
				'/\\\\[\\n!-/:-@[-`{-~]|`+|\\*+|_+|~+|!?\\[|\\]|<br {0,2}\\/?>|<[^<>\\s]+>|&(?:amp|lt|gt|quot|apos|#39|nbsp);|https?:\\/\\/[^\\s<>"`*|\\]]+/gi',
				'/^https?:/i',
				'/^<br/i',
				'/^<(?:https?:\\/\\/|mailto:|[^/@:]+@)/i',
				'/^mailto:/i',
				'/[\\p{L}\\p{N}]/u',
				'/[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]/u',
				'/\\s/',
				'/[a-z0-9]/i',
				'/`+/g',
			),
			...inNodes(
				'resources/message/markdownLinks.ts',
				'/\\\\([!-/:-@[-`{-~])/g',
				'/^(?:mailto|tel):/i',
				'/\\s/',
			),
			...inNodes(
				'resources/message/splitText.ts',
				'/\\s+|[。！？]/g',
				'/[.!?…؟۔।։]["\'”’»)\\]*_~`]{0,4}$/',
				'/\\s/',
				'/[\\uDC00-\\uDFFF]/',
			),
		],
		read: (text) => splitText(toChatMarks(text), 100),
		worst: [
			...['*', '_', '~', '`', '[', ']', '(', ')', '<', '>', '!', '#', '|', '-', '&', '\\', '='].map(
				(sign) => pumped(sign),
			),
			...[
				'**a ',
				'*a',
				'_a',
				'***a ',
				'a** ',
				'**a\n',
				'~~a ',
				'` ',
				'`a``b',
				'](',
				'[a](',
				'[](<',
			].map((piece) => pumped(piece)),
			...[
				'](a "',
				"](a '",
				'![',
				'![a](b)',
				'[[a](b)',
				'](((',
				'<a',
				'<br',
				'http',
				'https://',
				'https://_',
			].map((piece) => pumped(piece)),
			...[
				'\n',
				' \n',
				'\n\n',
				'> ',
				'>\n',
				'- ',
				'- a\n',
				'1. ',
				'# ',
				'# a #\n',
				'|\n',
				'|-|\n',
				'a|b\n-|-\n',
			].map((piece) => pumped(piece)),
			...[
				'```',
				'```\n',
				'``` ',
				'~~~',
				'```a\n',
				'    ',
				'\t',
				'a ',
				'a. ',
				'。',
				'🎉',
				'👨‍👩‍👧‍👦',
				'\u0301',
			].map((piece) => pumped(piece)),
			pumped('a:\n'),
			pumped('*a*\n'),
			pumped('a ', '```', '```'),
			pumped('**', 'a**', ''),
			pumped('*a ', '*'.repeat(1000)),
			pumped('**a ', 'a**'.repeat(10_000)),
			pumped('**', '', 'a\n'.repeat(10_000)),
			pumped('a\n', '**', '**'),
			pumped(' ', 'a', 'a'),
			pumped(' ', '|', '|'),
			pumped('#', ' a', '# a '),
			pumped('a', '\n===', ''),
		],
	},
	{
		name: 'what a browser says of itself',
		covers: inNodes(
			'resources/message/sendAndWait/bots.ts',
			'/bot\\b|crawl|spider|slurp|preview|scan|fetch/i',
			'/^(Mozilla|Opera|UCWEB)\\//',
		),
		read: isProgram,
		worst: [pumped('bot', 'a', 'Mozilla/'), pumped('previe', '', 'Mozilla/')],
	},
	{
		name: 'what is entered into a form',
		covers: [
			...inNodes(
				'resources/message/sendAndWait/form.ts',
				'/^[^\\s@]+@[^\\s@]+$/',
				'/^\\d{4}-\\d{2}-\\d{2}$/',
			),
			...inNodes('resources/message/sendAndWait/pages.ts', '/[&<>"\']/g'),
		],
		read: (text) => {
			const entered = { 'field-0': text, 'field-1': text, 'field-2': text, 'field-3': text };
			const submission = readSubmission(FORM, entered);
			formPage({
				title: '',
				message: '',
				buttonLabel: '',
				fields: FORM,
				entered,
				...('problems' in submission ? submission : {}),
			});
		},
		worst: [pumped('a', '@'), pumped('a@'), pumped('<'), pumped('0'), pumped(' ', 'a', 'a')],
	},
	{
		name: 'a page that responds in the place of the service',
		covers: [
			...inNodes(
				'service/excerpt.ts',
				'/<(script|style)[^]*?(?:<\\/\\1>|$)/gi',
				'/<[^<>]*>/g',
				'/[\\s\\p{Cc}]+/gu',
			),
			...inNodes(
				'service/secrets.ts',
				'/%([\\da-f]{2})|\\\\x([\\da-f]{2})|\\\\u([\\da-f]{4})|&#x([\\da-f]{1,5});|&#(\\d{1,6});|&(amp|lt|gt|quot|apos);|[ \\t\\r\\n\\f\\v\\\\]/gi',
				'/\\w/',
				'/\\s/',
				'/[\\w+/-]/',
				'/^[\\w+/-]?=?=?/',
			),
		],
		read: async (text) => await ask(404, text),
		worst: [
			pumped('<'),
			pumped('<script'),
			pumped('<style>'),
			pumped('<script></'),
			pumped(' ', 'a', 'a'),
			pumped('\0'),
			pumped(SECRET_KEY),
			pumped('a b'),
			pumped('%25'),
			pumped('&#x26;'),
		],
	},
	...refusals,
	{
		name: 'how long the service, or a receiver, asks to wait',
		covers: [
			...inNodes('service/retryAfter.ts', '/^\\d+(\\.\\d+)?$/', '/^[A-Za-z]{3}/'),
			...at('sandbox/delivery/schedule.mts', '/^\\d{1,10}$/', '/\\bGMT$/'),
		],
		read: (text) => {
			parseRetryAfter(text, 0);
			parseRetryAfterOfReceiver(text, 0);
		},
		worst: [
			pumped('9', 'a'),
			pumped('9.'),
			pumped('1 ', '', 'Wed, '),
			pumped('(', '', 'Wed, '),
			pumped('GMT ', 'GMT', 'Wed, '),
		],
	},
	{
		name: 'why no connection was made',
		covers: inNodes(
			'service/connectionFailure.ts',
			'/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$|ERR_TLS_CERT_ALTNAME_INVALID$|ERR_SSL_WRONG_VERSION_NUMBER$)/',
			'/^(ERR_TLS_|ERR_SSL_|EPROTO$)/',
			'/wrong version number/i',
			'/domain not allowed|not allowed to be used with|SSRF|blocked (?:address|ip|host)|restricted ip|hostname is restricted/i',
			'/timeout of \\d+ ?ms exceeded/i',
		),
		read: (text) =>
			failureOfConnection(
				{ code: text, message: text, cause: { code: 'EPROTO', message: text } },
				1000,
			),
		worst: [
			pumped('timeout of 1'),
			pumped('1', '', 'timeout of '),
			pumped('blocked '),
			pumped('not allowed '),
		],
	},
	{
		name: 'the Base URL as it is typed',
		covers: [
			...inNodes(
				'service/baseUrl.ts',
				'/[?#]/',
				'/(^|\\/|\\\\)(\\.|%2e){1,2}(\\/|\\\\|$)/i',
				'/^https?:\\/\\//i',
			),
			...at('credentials/BusinessMessagingApi.credentials.ts', '/(?<!\\/)\\/+$/'),
		],
		read: (text) => [normalizeBaseUrl, baseUrlOfTest].forEach((read) => read(text)),
		worst: [
			pumped('/', 'a', BASE_URL),
			pumped('/.', 'a', BASE_URL),
			pumped('%2e', '', `${BASE_URL}/`),
			pumped('.', '', `${BASE_URL}/`),
		],
	},
	{
		name: 'the headers of a delivery',
		covers: [
			...inNodes(
				'delivery/verify.ts',
				'/^Bearer +(\\S+)$/i',
				'/^(?:sha256=)?([0-9a-f]{64})$/i',
				'/^\\s*([a-z0-9]+)=([0-9a-z]+)\\s*$/i',
				'/^[0-9a-f]{64}$/',
				'/^\\d{1,12}$/',
			),
			...inNodes('service/signature.ts', '/^(.+):([^:]+):([^:]+)$/s'),
		],
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
			pumped(' ', 'a', 'Bearer '),
			pumped('a', ' ', 'Bearer '),
			pumped(':', ':'),
			pumped('a:'),
			pumped(':a', '', 'a'),
			pumped('v1=0,'),
			pumped(' ', '=', ''),
			pumped('0', ' !', 't='),
			pumped('0'),
		],
	},
	{
		name: 'the body of a delivery',
		covers: [
			...inNodes('delivery/body.ts', '/^\\uFEFF/'),
			...inNodes(
				'shared/phoneNumbers.ts',
				'/\\D/g',
				'/[\\s()./\\p{Pd}\\p{Cf}]/gu',
				'/^\\+?\\d+$/',
				'/^(?:\\+|00(?=[1-9]))/',
				'/^(55[1-9]{2})9?([6-9]\\d{7})$/',
				'/^(52)1?([2-9]\\d{9})$/',
				'/^(54)9?([1-3]\\d{9})$/',
				'/^54(?=\\d{12}$)(11|[23]\\d{2,3}?)15(\\d+)$/',
			),
			...inNodes('shared/isoDate.ts', '/^\\d{1,16}$/'),
		],
		read: (text) => {
			deliver(messageOf(text));
			readBody({ rawBody: Buffer.from(text) });
		},
		worst: [
			pumped('1 ', 'a'),
			pumped(' ', 'a', '1'),
			pumped('('),
			pumped('1'),
			pumped('5', '', '5411'),
			pumped('15', '', '542'),
			pumped('\u202A', 'a'),
			pumped('\uFEFF'),
		],
	},
	{
		name: 'a request of another node, which borrows the credential',
		covers: inNodes(
			'service/authenticate.ts',
			'/^https?:\\/\\//i',
			'/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i',
			'/host|authority|forwarded/i',
			'/^\\/(?![/\\\\])/',
		),
		read: async (text) => {
			const requests = [
				{ url: text },
				{ url: text, baseURL: BASE_URL },
				{ url: `${BASE_URL}/${text}` },
				{ url: BASE_URL, headers: { [text]: text } },
				{ url: BASE_URL, method: text },
			];
			return await Promise.allSettled(requests.map(borrow));
		},
		worst: [pumped('/'), pumped('hos'), pumped('/.', '', '/'), pumped('http://')],
	},
	{
		name: 'the texts of a listed webhook',
		covers: [
			...inNodes('resources/webhook/present.ts', '/([+-]\\d{2})(\\d{2})$/'),
			...inNodes('service/signedUrl.ts', '/(signature(?:=|%3d))[^&#\\s"<>]*/gi'),
		],
		read: async (text) =>
			await getMany(
				contextOf([
					{
						id: 'A',
						url: text,
						events: [],
						status: 'ENABLED',
						createdAt: text,
						updatedAt: text,
						description: text,
					},
				]),
				'channel',
			),
		worst: [
			pumped('signature='),
			pumped('signature%3'),
			pumped('signatur', '', 'signature='),
			pumped('+00', 'a'),
			pumped('+0000', 'a'),
			pumped('-'),
			pumped('1 ', '', '1 Jan '),
		],
	},
	{
		name: 'where a request to the sandbox says it comes from and goes to',
		covers: [
			...at(
				'sandbox/core/loopback.mts',
				'/^(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::\\d{1,5})?$/',
			),
			...at(
				'sandbox/http/access.mts',
				'/^\\/v1\\/webhooks(?:[/?]|$)|^\\/v1\\/channels\\/?(?:\\?|$)|^\\/_sandbox(?:[/?]|$)/',
			),
		],
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
