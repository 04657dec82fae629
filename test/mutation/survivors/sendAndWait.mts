import type { Rule } from '../naming.mts';

const FOLDER = 'nodes/BusinessMessaging/resources/message/sendAndWait';

export const SEND_AND_WAIT: readonly Rule[] = [
	{
		reason:
			'a default that only the compiler asks for: a question has somebody whom it asks, an entry that is looked at holds a text, and a choice that was found is there',
		where: [
			{
				file: `${FOLDER}/askInChat.ts`,
				source: "const [recipient = '', ...approvers]",
				replacement: '"Stryker was here!"',
			},
			{
				file: `${FOLDER}/form.ts`,
				source: "const [text = ''] = given",
				replacement: '"Stryker was here!"',
			},
			{
				file: `${FOLDER}/replyInChat.ts`,
				source: "choices[chosen] ?? ''",
				replacement: '"Stryker was here!"',
			},
		],
	},
	{
		reason:
			'a condition that only the compiler asks for: what is told apart there was told apart before, or never is otherwise',
		where: [
			{
				file: `${FOLDER}/ask.ts`,
				source: "question === 'alreadySent' || question === undefined",
				replacement: 'false',
			},
			{
				file: `${FOLDER}/askByLinks.ts`,
				source: "asked.kind !== 'approval' || isOne",
				replacement: 'false',
			},
			{
				file: `${FOLDER}/replyInChat.ts`,
				source: 'chosen === undefined || identifier === null',
				replacement: 'false',
			},
			{
				file: `${FOLDER}/replyInChat.ts`,
				source: "typeof query.signature === 'string' ?",
				replacement: 'true',
			},
			{
				file: `${FOLDER}/replyInChat.ts`,
				source: "typeof query.signature === 'string' ?",
				replacement: '"Stryker was here!"',
			},
			{
				file: `${FOLDER}/sendQuestion.ts`,
				mutators: ['LogicalOperator'],
				source: "outcome && 'error' in outcome",
			},
			{
				file: `${FOLDER}/sendQuestion.ts`,
				source: "outcome && 'error' in outcome",
				replacement: 'true',
			},
			{
				file: `${FOLDER}/tellOthers.ts`,
				mutators: ['OptionalChaining'],
				source: 'place?.leave()',
			},
		],
	},
	{
		reason: 'equivalent: what is too long names no label, and is no number of up to three digits',
		where: [
			{
				file: `${FOLDER}/choices.ts`,
				source: 'answer === null || answer.length > ANSWER_MAX',
				replacement: 'false',
			},
		],
	},
	{
		reason: 'the label of a field that was read before, which told then that it is empty',
		where: [
			{
				file: `${FOLDER}/settings.ts`,
				mutators: ['StringLiteral'],
				source: "message: readRequired(context, 'message', 'Message', 0)",
				replacement: '""',
			},
		],
	},
	{
		reason: 'equivalent: both names stand only in an error about two labels, never about one',
		where: [
			{
				file: `${FOLDER}/settings.ts`,
				mutators: ['MethodExpression'],
				source: 'fields.slice(0, labels.length)',
			},
		],
	},
	{
		reason: 'equivalent: without the name of an encoding, Node.js takes a text as UTF-8',
		where: [
			{
				file: `${FOLDER}/question.ts`,
				mutators: ['StringLiteral'],
				source: "cipher.update(text, 'utf8')",
			},
		],
	},
	{
		reason: 'blanks between the blocks of a page, which no browser shows',
		where: [{ file: `${FOLDER}/pages.ts`, mutators: ['StringLiteral'], source: ".join('\\n')" }],
	},
];
