import type { Rule } from '../naming.mts';

const FOLDER = 'nodes/BusinessMessaging/sending';
const KEYS = `${FOLDER}/onceKeys.ts`;
const LIMITER = `${FOLDER}/rateLimiter.ts`;
const SEND_ALL = `${FOLDER}/sendAll.ts`;

export const SENDING: readonly Rule[] = [
	{
		reason:
			'equivalent: it is there for the compiler: who lets a key go holds it, and what is thrown is an error',
		where: [
			{ file: KEYS, mutators: ['OptionalChaining'], source: 'holder?.release()' },
			{
				file: SEND_ALL,
				source: 'if (!(error instanceof ServiceError)) return undefined',
				replacement: 'false',
			},
		],
	},
	{
		reason:
			'equivalent: when a response came decides, and one that is no longer kept, or is no time at all, decides nothing',
		where: [
			{ file: LIMITER, source: 'responses: number[] = []', replacement: '["Stryker was here"]' },
			{ file: LIMITER, mutators: ['CallExpression'], source: 'this.forgetOldResponses();' },
		],
	},
	{
		reason: 'equivalent: the next round finds the channel closed and fails in the same way',
		where: [
			{
				file: SEND_ALL,
				source: 'if (wait > LONGEST_WAIT || offer === MOST_OFFERS)',
				replacement: 'false',
			},
		],
	},
];
