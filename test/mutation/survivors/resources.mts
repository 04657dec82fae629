import type { Rule } from '../naming.mts';

const MESSAGE = 'nodes/BusinessMessaging/resources/message';
const WEBHOOK = 'nodes/BusinessMessaging/resources/webhook';

export const RESOURCES: readonly Rule[] = [
	{
		reason:
			'equivalent: what is not among the parameters is empty, and n8n need not be asked for it, item by item',
		where: [
			{
				file: `${MESSAGE}/onceMemory.ts`,
				source: '.sendOnceKey === undefined)',
				replacement: 'false',
			},
		],
	},
	{
		reason:
			'what the compiler alone asks for: a text that is split has a last piece, a set of one a first, a run its items, and no operation gives an empty list of messages',
		where: [
			{
				file: `${MESSAGE}/sendButtons.ts`,
				mutators: ['StringLiteral'],
				source: 'const ending = new URL(url)',
				replacement: '"Stryker was here!"',
			},
			{
				file: `${MESSAGE}/sendButtons.ts`,
				mutators: ['OptionalChaining'],
				source: 'const ending = new URL(url)',
			},
			{ file: `${MESSAGE}/sendingHints.ts`, source: "const [only = ''] = recipients" },
			{ file: `${MESSAGE}/sending.ts`, source: 'if (!first) throw' },
			{
				file: `${MESSAGE}/downloadAttachments.ts`,
				mutators: ['OptionalChaining'],
				source: 'input?.',
			},
		],
	},
	{
		reason:
			'equivalent: zod names at least one problem and the field that it is in, and no words are known of a part that is none',
		where: [
			{ file: `${WEBHOOK}/request.ts`, source: "const [field = '', part = ''] = parsed.error" },
		],
	},
	{
		reason: 'equivalent: of the other fields, no part is called like one of the authentication',
		where: [
			{
				file: `${WEBHOOK}/request.ts`,
				mutators: ['ConditionalExpression'],
				source: "field === 'auth' && part in",
				replacement: 'true',
			},
		],
	},
	{
		reason:
			"equivalent: the form of the service's request drops a key that it does not know, and refuses a type that it does not know",
		where: [
			{
				file: `${WEBHOOK}/request.ts`,
				source: '(keys[type] ?? [])',
				replacement: '["Stryker was here"]',
			},
		],
	},
	{
		reason:
			'equivalent in Node.js, whose Date reads +0000 as it reads +00:00: the colon is for those of which that is not known',
		where: [{ file: `${WEBHOOK}/present.ts`, mutators: ['Regex'], source: 'value.replace(' }],
	},
	{
		reason: 'equivalent: what is no error of the service has no reason, nor has what was sent',
		where: [
			{
				file: `${MESSAGE}/sendingHints.ts`,
				mutators: ['LogicalOperator'],
				source: "'error' in outcome &&",
			},
		],
	},
	{
		reason: 'equivalent: a function that comes to its end gives undefined',
		where: [
			{
				file: `${MESSAGE}/downloadAttachments.ts`,
				mutators: ['BlockStatement'],
				source: '} catch {',
			},
		],
	},
	{
		reason:
			'equivalent: asked for an option that is not there, n8n gives the fallback, which is what is meant without it; of one that is there, its value',
		where: [
			{
				file: `${MESSAGE}/sendText.ts`,
				source: 'convertMarkdown !== undefined &&',
				replacement: 'true',
			},
			{
				file: `${MESSAGE}/sendText.ts`,
				mutators: ['BooleanLiteral'],
				source: "'options.convertMarkdown', index, false)",
				replacement: 'true',
			},
		],
	},
	{
		reason: 'equivalent: of no list of messages, the text itself is sent',
		where: [
			{
				file: `${MESSAGE}/sendText.ts`,
				source: 'maxLength === undefined) return [text]',
				replacement: '[]',
			},
		],
	},
];
