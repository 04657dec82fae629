import type { Rule } from '../naming.mts';

const LIST_SEARCH = 'nodes/BusinessMessaging/listSearch';
const TRIGGER = 'nodes/BusinessMessaging/trigger';
const REGISTRATION = `${TRIGGER}/registration`;
const SHARED = 'nodes/BusinessMessaging/shared';

export const TRIGGER_AND_SHARED: readonly Rule[] = [
	{
		reason:
			"equivalent: n8n fills in the default of each field's description; of a hidden field, any text or list that is no known value means what the default means",
		where: [
			{ file: '**/*.ts', source: 'getNodeParameter(', replacement: '"Stryker was here!"' },
			{ file: '**/*.ts', source: 'getNodeParameter(', replacement: '["Stryker was here"]' },
			{ file: '**/*.ts', source: 'getNodeParameter(', replacement: '""' },
		],
	},
	{
		reason: 'equivalent: it is there for the compiler: what is a whole number is a number',
		where: [
			{
				file: `${SHARED}/parameters.ts`,
				source: "if (typeof limit !== 'number' ||",
				replacement: 'false',
			},
		],
	},
	{
		reason: "a log line's words, for people: that the line is written is tested where it matters",
		where: [
			{
				file: `${TRIGGER}/receive.ts`,
				mutators: ['StringLiteral'],
				source: 'A delivery could not be received',
			},
			{ file: `${TRIGGER}/receive.ts`, mutators: ['StringLiteral'], source: 'it has no raw body' },
			{
				file: `${TRIGGER}/receive.ts`,
				mutators: ['StringLiteral'],
				source: 'its body is nested too deep',
			},
		],
	},
	{
		reason: 'when the log advises about a sender: its arithmetic is tested in senderHabits',
		where: [
			{ file: `${TRIGGER}/receiveInGroup.ts`, source: 'habits.leave(' },
			{ file: `${TRIGGER}/receiveInGroup.ts`, source: 'Date.parse(events.at(-1)' },
			{ file: `${TRIGGER}/receiveInGroup.ts`, source: "settings.by === 'arrival' ? await enter()" },
		],
	},
	{
		reason:
			'a bound of the memory of what was said in the log: it takes a thousand nodes to meet it',
		where: [
			{ file: `${TRIGGER}/receive.ts`, source: 'warned.size === WARNED_MAX' },
			{ file: `${TRIGGER}/senderHabits.ts`, source: "[oldest = '']" },
		],
	},
	{
		reason: 'memory until a node has run: to wake one that has slept does nothing',
		where: [{ file: `${SHARED}/clock.ts`, source: 'sleepers.delete(resolve)' }],
	},
	{
		reason: 'equivalent: undefined under a name reads as the name left out',
		where: [
			{ file: `${TRIGGER}/receive.ts`, source: 'tokenHash === undefined ? {} : { tokenHash }' },
		],
	},
	{
		reason:
			'equivalent: what is no text or number, or neither of the kinds, is told apart by the rest of the condition or by what follows',
		where: [
			{ file: `${SHARED}/isoDate.ts`, source: "typeof number !== 'number' ||" },
			{ file: `${SHARED}/phoneNumbers.ts`, source: 'before === undefined || after === undefined' },
			{ file: `${SHARED}/phoneNumbers.ts`, source: 'form.exec(number) ?? []' },
			{ file: `${REGISTRATION}/manual.ts`, source: "owner.kind === 'template' || !isSameId" },
			{ file: `${REGISTRATION}/manual.ts`, source: 'webhookSecret.split(' },
			{
				file: `${REGISTRATION}/lifecycle.ts`,
				mutators: ['LogicalOperator'],
				source: "one.kind === 'channel' && other.kind === 'channel'",
			},
			{
				file: `${REGISTRATION}/lifecycle.ts`,
				source: "one.kind === 'channel' && other.kind === 'channel'",
				replacement: 'true',
			},
			{
				file: `${REGISTRATION}/plan.ts`,
				source: 'value !== undefined && marked',
				replacement: 'true',
			},
			{
				file: `${REGISTRATION}/apply.ts`,
				source: 'error.status !== undefined &&',
				replacement: 'true',
			},
			{ file: `${REGISTRATION}/apply.ts`, source: 'error instanceof ServiceError' },
			{
				file: `${TRIGGER}/groupedItems.ts`,
				source: 'event.message !== undefined',
				replacement: 'true',
			},
			{
				file: `${TRIGGER}/groupedItems.ts`,
				mutators: ['OptionalChaining'],
				source: 'JSON.stringify([message?.channelId',
			},
			{ file: `${TRIGGER}/groupedItems.ts`, source: 'events.filter(isMessage)' },
			{ file: `${TRIGGER}/groupedItems.ts`, source: "event.message.timestamp ?? ''" },
			{ file: `${TRIGGER}/receive.ts`, mutators: ['StringLiteral'], source: "kind: 'token'" },
			{ file: `${TRIGGER}/receiveInGroup.ts`, source: "turn.role === 'passenger' &&" },
			{
				file: `${TRIGGER}/receiveInGroup.ts`,
				mutators: ['StringLiteral'],
				source: "settings.by === 'customer' ?",
			},
		],
	},
	{
		reason: 'equivalent: what a run begins with is replaced before it is read, or is empty like it',
		where: [
			{ file: `${REGISTRATION}/apply.ts`, replacement: '["Stryker was here"]' },
			{
				file: `${REGISTRATION}/apply.ts`,
				source: 'steps.length === 0 && registered !== undefined',
			},
		],
	},
	{
		reason:
			'equivalent: the plan comes to the same without this step aside, by a request more or by none',
		where: [
			{
				file: `${REGISTRATION}/lifecycle.ts`,
				source: 'if (stored && !isSameOwner(',
				replacement: 'false',
			},
		],
	},
	{
		reason:
			'equivalent: hostnames have brackets at both ends or none, and no number can end one but an address',
		where: [
			{ file: `${SHARED}/reachability.ts`, mutators: ['Regex'], source: '.replace(/^' },
			{
				file: `${SHARED}/reachability.ts`,
				mutators: ['Regex'],
				source: 'const ipv4',
				replacement: '/(?:::ffff:)?(\\d{1,3})\\.(\\d{1,3})\\.\\d{1,3}\\.\\d{1,3}$/',
			},
		],
	},
	{
		reason:
			'equivalent: of several timers of a group, the first starts it and the others find it started',
		where: [{ file: `${TRIGGER}/grouping.ts`, source: 'group.isTimed' }],
	},
	{
		reason: 'equivalent for whoever does not know the text: no token is right there',
		where: [
			{
				file: `${TRIGGER}/receive.ts`,
				source: 'tokens: canDerive',
				replacement: '["Stryker was here"]',
			},
		],
	},
	{
		reason: "equivalent: whatever is no channel is read as the account's template webhooks",
		where: [{ file: `${LIST_SEARCH}/searchWebhooks.ts`, source: "{ kind: 'template' }" }],
	},
];
