import type { Rule } from '../naming.mts';

const MESSAGE = 'nodes/BusinessMessaging/resources/message';
const LINES = `${MESSAGE}/markdown.ts`;
const INLINE = `${MESSAGE}/markdownInline.ts`;
const LINKS = `${MESSAGE}/markdownLinks.ts`;
const SPLIT = `${MESSAGE}/splitText.ts`;

export const MARKDOWN: readonly Rule[] = [
	{
		reason: 'equivalent: a run is of one sign, so that its end is like its beginning',
		where: [
			{ file: LINES, source: 'fence.startsWith(mark) &&', replacement: 'fence.endsWith(mark)' },
			{ file: LINES, source: 'fence[2]!.startsWith(', replacement: "fence[2]!.endsWith('`')" },
			{ file: INLINE, source: "if (run.startsWith('_'))", replacement: "run.endsWith('_')" },
		],
	},
	{
		reason: 'equivalent: the blanks are cut off before, or by bold() after',
		where: [
			{ file: LINES, source: 'bold(title.trim())', replacement: 'title' },
			{
				file: LINES,
				source: 'text.slice(0, end).trimEnd()',
				replacement: 'text.slice(0, end).trimStart()',
			},
			{ file: LINES, source: "cells.at(-1)!.trim() === ''", replacement: 'cells.at(-1)!' },
		],
	},
	{
		reason:
			'equivalent: a default or a condition that only the compiler asks for; it never comes to that, or the line behind it says the same of it',
		where: [
			{
				file: LINES,
				source: "this.paragraph ?? { prefix: '', lines: [] }",
				replacement: '"Stryker was here!"',
			},
			{ file: LINES, source: 'LIST_ITEM.exec(line) ?? []', replacement: '["Stryker was here"]' },
			{
				file: LINES,
				mutators: ['LogicalOperator'],
				source: 'all === undefined || indent === undefined || sign === undefined',
			},
			{
				file: LINES,
				source: 'all === undefined || indent === undefined || sign === undefined',
				replacement: 'false',
			},
			{ file: INLINE, source: "url[end - 1] ?? ' '", replacement: '""' },
			{ file: INLINE, source: 'last !== undefined && candidates', replacement: 'true' },
			{ file: INLINE, mutators: ['OptionalChaining'], source: 'twin?.isTwin' },
			{ file: INLINE, source: "const [first = '', ...lines]", replacement: '"Stryker was here!"' },
			{ file: LINKS, source: 'if (end === undefined)', replacement: 'false' },
			{ file: LINKS, source: "text[at] ?? ''", replacement: '"Stryker was here!"' },
			{ file: SPLIT, mutators: ['OptionalChaining'], source: 'segments.containing(' },
			{ file: SPLIT, source: "text[end] ?? ''", replacement: '"Stryker was here!"' },
		],
	},
	{
		reason: 'equivalent, only slower: what follows finds the same, or nothing, for itself',
		where: [
			{ file: LINES, mutators: ['StringLiteral'], source: "next?.includes('-')" },
			{ file: INLINE, source: 'text.search(SPECIAL) === -1', replacement: 'false' },
			{ file: SPLIT, source: 'Math.max(0, end - 5)', replacement: 'Math.min(0, end - 5)' },
			{
				file: SPLIT,
				mutators: ['ConditionalExpression'],
				source: 'this.at > 0 &&',
				replacement: 'true',
			},
			{
				file: SPLIT,
				source: 'this.at > 0 &&',
				replacement: 'this.blocks[this.at - 1]!.to >= place',
			},
		],
	},
	{
		reason: 'equivalent: a piece of nothing, which is written as nothing',
		where: [
			{ file: INLINE, source: 'if (from > at) pieces.push', replacement: 'true' },
			{ file: INLINE, source: 'if (from > at) pieces.push', replacement: 'from >= at' },
		],
	},
	{
		reason: 'equivalent: what stands in angles has no other that opens in it',
		where: [
			{ file: INLINE, mutators: ['Regex'], source: '/^<br/i', replacement: '/<br/i' },
			{
				file: INLINE,
				mutators: ['Regex'],
				source: '/^<(?:https?:',
				replacement: '/<(?:https?:\\/\\/|mailto:|[^/@:]+@)/i',
			},
		],
	},
	{
		reason: 'equivalent: only a mark that is counted as open is looked for, and it is found above',
		where: [
			{ file: INLINE, source: 'openers: Opener[] = []', replacement: '["Stryker was here"]' },
		],
	},
	{
		reason:
			'equivalent: before the first sign nothing is open that could close, behind the last nothing closes what opens',
		where: [{ file: INLINE, source: "sign === '' ||" }],
	},
	{
		reason: 'equivalent: undefined is as false as false',
		where: [{ file: INLINE, source: "after === '\\uFE0F'", replacement: '{}' }],
	},
	{
		reason: 'equivalent: behind the end there is undefined, which is none of the signs',
		where: [
			{ file: INLINE, source: 'places.length > 0 &&', replacement: 'true' },
			{ file: INLINE, source: 'places.length > 0 &&', replacement: 'places.length >= 0' },
			{ file: LINKS, source: 'at < text.length; at++', replacement: 'at <= text.length' },
		],
	},
	{
		reason: 'equivalent: a part without an end is all that is left, and none comes after it',
		where: [
			{
				file: SPLIT,
				source: '{ end: whole.length, next: whole.length, isInCode: false',
				replacement: '{}',
			},
		],
	},
	{
		reason:
			'equivalent: the loop ends at a sign that is no blank: the text is trimmed, and code is followed by what closes it',
		where: [
			{ file: SPLIT, source: 'at < text.length && isBlank', replacement: 'at <= text.length' },
			{ file: SPLIT, source: 'at < text.length && isBlank', replacement: 'true' },
			{ file: SPLIT, source: 'codeFrom < close && isBlank', replacement: 'true' },
			{ file: SPLIT, source: 'codeFrom < close && isBlank', replacement: 'codeFrom <= close' },
		],
	},
	{
		reason:
			'equivalent: a part ends at a blank or behind a sentence, and neither stands where code begins',
		where: [
			{ file: SPLIT, source: 'end <= block.codeFrom ||', replacement: 'end < block.codeFrom' },
		],
	},
	{
		reason: 'which of the blanks in a block of nothing but blanks begins the next part',
		where: [
			{ file: SPLIT, source: 'codeTo > codeFrom && isBlank', replacement: 'codeTo >= codeFrom' },
		],
	},
];
