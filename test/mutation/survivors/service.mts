import type { Rule } from '../naming.mts';

const SERVICE_FOLDER = 'nodes/BusinessMessaging/service';
const CLIENT = `${SERVICE_FOLDER}/client.ts`;
const DOWNLOAD = `${SERVICE_FOLDER}/download.ts`;
const ERRORS = `${SERVICE_FOLDER}/errors.ts`;
const EXCERPT = `${SERVICE_FOLDER}/excerpt.ts`;
const FILE_NAME = `${SERVICE_FOLDER}/fileName.ts`;
const MESSAGES = `${SERVICE_FOLDER}/messages.ts`;
const RESPONSE = `${SERVICE_FOLDER}/failureOfResponse.ts`;
const RETRY_AFTER = `${SERVICE_FOLDER}/retryAfter.ts`;
const SECRETS = `${SERVICE_FOLDER}/secrets.ts`;
const SIGNATURE = `${SERVICE_FOLDER}/signature.ts`;

export const SERVICE: readonly Rule[] = [
	{
		reason:
			'equivalent: it is there for the compiler, which cannot know that a value always is: the first issue of a parse that failed, the first part of a text that was split, a character before the end, the mark in the JSON that it was written into, the one of the groups that matched, the match of an expression that may be empty, a code that the schema let through',
		where: [
			{ file: CLIENT, mutators: ['OptionalChaining'], source: 'issue?.path.length' },
			{ file: FILE_NAME, source: ".at(-1) ?? ''", replacement: '"Stryker was here!"' },
			{ file: FILE_NAME, source: "[type = '']", replacement: '"Stryker was here!"' },
			{ file: FILE_NAME, mutators: ['OptionalChaining'], source: 'character?.trim()' },
			{
				file: MESSAGES,
				source: "[before = '', after = '']",
				replacement: '"Stryker was here!"',
			},
			{ file: SECRETS, mutators: ['OptionalChaining'], source: 'end += /^' },
			{ file: SECRETS, source: "percent ?? byte ?? ''", replacement: '"Stryker was here!"' },
			{
				file: `${SERVICE_FOLDER}/serviceMessage.ts`,
				source: "typeof subCode === 'string' && MEDIA_SUB_CODE_PATTERN",
				replacement: 'true',
			},
		],
	},
	{
		reason:
			'a bound on how much of a text of others is looked at, for the time that it takes: what is kept, or means anything, is far shorter',
		where: [
			{ file: FILE_NAME, source: 'given.slice(-LOOKED_AT)', replacement: 'given' },
			{ file: FILE_NAME, source: 'header.slice(0, LOOKED_AT)', replacement: 'header' },
			{
				file: FILE_NAME,
				source: '.slice(-LOOKED_AT)));',
				replacement: "pathname.slice(pathname.lastIndexOf('/') + 1)",
			},
			{ file: FILE_NAME, source: 'given.slice(0, LOOKED_AT)', replacement: 'given' },
			{ file: EXCERPT, source: 'text.slice(0, LOOKED_AT)', replacement: 'text' },
			{ file: RETRY_AFTER, source: 'text.length > LONGEST', replacement: 'false' },
			{
				file: RETRY_AFTER,
				source: 'text.length > LONGEST',
				replacement: 'text.length >= LONGEST',
			},
		],
	},
	{
		reason:
			'equivalent: an empty piece at the end writes nothing, and of base64 each letter is the same byte in UTF-8',
		where: [
			{ file: MESSAGES, source: 'from < data.length', replacement: 'from <= data.length' },
			{ file: MESSAGES, mutators: ['StringLiteral'], source: "at, 'latin1')" },
		],
	},
	{
		reason:
			'equivalent: one layer more hides more, what has no more layers is read alike again, nothing has no form to look for, and the bytes are put in at the end',
		where: [
			{
				file: SECRETS,
				source: 'layer < DECODINGS',
				replacement: 'layer <= DECODINGS',
			},
			{ file: SECRETS, source: 'next.bytes.length === last.bytes.length', replacement: 'false' },
			{ file: SECRETS, source: "secret !== '' ? formsOf", replacement: 'true' },
			{ file: SECRETS, mutators: ['StringLiteral'], source: "secret !== '' ? formsOf" },
			{ file: SECRETS, mutators: ['StringLiteral'], source: "bytes: '', begins: []" },
		],
	},
	{
		reason: 'equivalent: a time-out that is left out and one that is undefined are the usual one',
		where: [`${SERVICE_FOLDER}/webhooks.ts`, MESSAGES].map((file) => ({
			file,
			source: '...(timeout === undefined',
			replacement: 'false',
		})),
	},
	{
		reason:
			'equivalent: base64 has padding only after a character that holds bits of a neighbour; any other "=" is no part of the secret',
		where: [
			{ file: SECRETS, mutators: ['Regex'], source: 'end += /^', replacement: '/^[\\w+/-]=?=?/' },
		],
	},
	{
		reason: 'equivalent: undefined under a name reads as the name left out',
		where: [
			{
				file: ERRORS,
				source: 'if (itemIndex !== undefined) error.context.itemIndex ??=',
				replacement: 'true',
			},
			{
				file: ERRORS,
				source: 'itemIndex === undefined ? {} : { itemIndex }',
				replacement: 'false',
			},
		],
	},
	{
		reason: "equivalent: without the option n8n reads the status from the error's fields",
		where: [
			{ file: ERRORS, source: '{ httpCode: String(status) }', replacement: 'true' },
			{ file: ERRORS, mutators: ['ObjectLiteral'], source: '{ httpCode: String(status) }' },
		],
	},
	{
		reason: 'equivalent: a signal is aborted once at most',
		where: [
			{ file: DOWNLOAD, source: '{ once: true }', replacement: '{}' },
			{ file: DOWNLOAD, source: '{ once: true }', replacement: 'false' },
		],
	},
	{
		reason:
			'equivalent: any text does as well that ends otherwise, or that no pattern and no list knows',
		where: [
			{ file: DOWNLOAD, source: "comma === -1 ? ''", replacement: '"Stryker was here!"' },
			{
				file: `${SERVICE_FOLDER}/connectionFailure.ts`,
				source: "typeof value === 'string' ? value : ''",
				replacement: '"Stryker was here!"',
			},
			{
				file: SECRETS,
				source: "ENTITIES[entity?.toLowerCase() ?? '']",
				replacement: '"Stryker was here!"',
			},
		],
	},
	{
		reason:
			'equivalent: dots and blanks at the ends of a name are gone before, or go afterwards; and what lies past its ends is neither',
		where: [
			{ file: FILE_NAME, source: 'dot > 0 ?', replacement: 'dot >= 0' },
			{ file: FILE_NAME, source: 'while (start < end &&', replacement: 'true' },
			{ file: FILE_NAME, source: 'while (start < end &&', replacement: 'start <= end' },
			{ file: FILE_NAME, source: 'while (end > start &&', replacement: 'true' },
			{ file: FILE_NAME, source: 'while (end > start &&', replacement: 'end >= start' },
			{ file: FILE_NAME, source: 'decoded(extended.trim())', replacement: 'extended' },
		],
	},
	{
		reason:
			'equivalent: the words are quoted only where there are any; a status below 400 is told by the same function on either way, and 400 never comes there',
		where: [
			{
				file: RESPONSE,
				source: "response.serviceMessage ?? ''",
				replacement: '"Stryker was here!"',
			},
			{ file: RESPONSE, source: ': status >= 400', replacement: 'true' },
			{
				file: RESPONSE,
				source: 'status >= 300 && status < 400',
				replacement: 'status <= 400',
			},
		],
	},
	{
		reason:
			'equivalent: the expression takes the first place that fits, which is the beginning anyway: all of it may be left out there, or its first part takes everything',
		where: [
			{
				file: SECRETS,
				mutators: ['Regex'],
				source: 'end += /^',
				replacement: '/[\\w+/-]?=?=?/',
			},
			{
				file: SIGNATURE,
				mutators: ['Regex'],
				source: 'exec(key)',
				replacement: '/(.+):([^:]+):([^:]+)$/s',
			},
		],
	},
	{
		reason:
			'equivalent: the slash before the host counts as the beginning of a segment, as the beginning of the text does; and the first address in an address is where it begins',
		where: [
			{
				file: `${SERVICE_FOLDER}/baseUrl.ts`,
				mutators: ['Regex'],
				source: "text.replace(/^https?:\\/\\//i, '')",
				replacement: '/https?:\\/\\//i',
			},
			{
				file: `${SERVICE_FOLDER}/baseUrl.ts`,
				mutators: ['Regex'],
				source: "text.replace(/^https?:\\/\\//i, '')",
				replacement: '/^https:\\/\\//i',
			},
		],
	},
	{
		reason: 'equivalent: two texts are hashed with one key, whichever',
		where: [{ file: SIGNATURE, source: "createHmac('sha256', 'compare')", replacement: '""' }],
	},
];
