import type { Rule } from '../naming.mts';

const DELIVERY = 'nodes/BusinessMessaging/delivery';
const ASKED = `${DELIVERY}/askedPeople.ts`;
const DEDUPLICATE = `${DELIVERY}/deduplicate.ts`;
const MESSAGE = `${DELIVERY}/message.ts`;
const VERIFY = `${DELIVERY}/verify.ts`;

export const DELIVERIES: readonly Rule[] = [
	{
		reason:
			'equivalent: it is there for the compiler, which cannot know that a value always is: the first of what is more than it may be, the signature that is to be expected by a key whose form was looked at before',
		where: [
			{ file: ASKED, source: "[oldest = '']", replacement: '"Stryker was here!"' },
			{ file: DEDUPLICATE, source: "[oldest = '']", replacement: '"Stryker was here!"' },
			{ file: DEDUPLICATE, mutators: ['OptionalChaining'], source: 'oldest?.drop()' },
			{ file: VERIFY, source: 'if (expected !== undefined &&', replacement: 'true' },
		],
	},
	{
		reason:
			'equivalent: the timestamp and the key are missing only of the body-only scheme, which signs neither',
		where: [
			{ file: VERIFY, source: "signed.timestamp ?? ''", replacement: '"Stryker was here!"' },
			{ file: VERIFY, source: "idempotencyKey ?? ''", replacement: '"Stryker was here!"' },
		],
	},
	{
		reason:
			"equivalent: the text 'missing', which stands for a header, has no value, and no value has not the form of a key",
		where: [
			{ file: VERIFY, source: "key === 'missing' ? undefined :", replacement: 'false' },
			{ file: VERIFY, source: "key === 'missing' ? undefined :", replacement: '""' },
			{ file: VERIFY, source: "typeof key === 'object' && split", replacement: 'true' },
		],
	},
	{
		reason: 'equivalent: undefined under a name reads as the name left out',
		where: [{ file: VERIFY, source: 'timestamp === undefined ? {}', replacement: 'false' }],
	},
	{
		reason:
			'equivalent: a text in place of nothing has no fields and no second element, is no mark that anybody has, and is left out by what follows',
		where: [
			{ file: ASKED, source: '(marksOf?.(', replacement: '["Stryker was here"]' },
			{ file: MESSAGE, source: '[simplifyMessage(read)]', replacement: '["Stryker was here"]' },
			{
				file: `${DELIVERY}/simplify.ts`,
				source: 'states ?? []',
				replacement: '["Stryker was here"]',
			},
			{ file: VERIFY, source: 'exec(part) ?? []', replacement: '["Stryker was here"]' },
		],
	},
	{
		reason: 'equivalent: an edition is compared with what it was before, and goes one way',
		where: [{ file: ASKED, source: 'edition += 1', replacement: 'channel.edition -= 1' }],
	},
	{
		reason: 'equivalent, and slower: the loop that follows goes through a list by its indices',
		where: [
			{ file: `${DELIVERY}/body.ts`, source: 'if (Array.isArray(value))', replacement: 'false' },
		],
	},
	{
		reason:
			'equivalent: the hash of a key tells it from every other one as well as the key itself, in whatever encoding; that long ones take no room is tested',
		where: [
			{ file: DEDUPLICATE, source: 'const shortKey', replacement: 'true' },
			{ file: DEDUPLICATE, source: 'const shortKey', replacement: 'key.length >= KEY_MAX' },
			{ file: DEDUPLICATE, source: 'const shortKey', replacement: '""' },
		],
	},
	{
		reason: "equivalent: both sides are written in one case, whichever: a state's name is ASCII",
		where: [{ file: MESSAGE, source: 'const upperCase', replacement: 'text.trim().toLowerCase()' }],
	},
];
