import { randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import type { ChatQuestion, Question } from './kinds';
import { chatKinds, isInChat, linkKinds, questionSchema } from './kinds';

export type { ChatQuestion, LinkQuestion, Question } from './kinds';
export type { ApprovalInChat, ApprovalQuestion } from './kinds/approval';
export type { FormQuestion } from './kinds/form';
export type { ReplyQuestion } from './kinds/reply';

/** Everyone who was asked in the chat. */
export const peopleOf = ({ recipient, approvers = [] }: ChatQuestion): string[] => [
	recipient,
	...approvers,
];

/** The key of the node's context that holds the question as JSON. */
const KEY = 'question';

export const newQuestionId = (): string => randomUUID();

/** n8n stores it with the execution when it begins to wait. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/** The question that the execution waits with. A webhook can read it by an expression only. */
export function readQuestion(context: IWebhookFunctions): Question | undefined {
	const kept = context.evaluateExpression(
		`{{ $node[${JSON.stringify(context.getNode().name)}].context[${JSON.stringify(KEY)}] }}`,
		0,
	);
	if (typeof kept !== 'string' || kept === '') return undefined;
	const parsed = questionSchema.safeParse(JSON.parse(kept));
	return parsed.success ? parsed.data : undefined;
}

/** How a question ended. Every item that the node gives says it. */
export type Outcome = 'answered' | 'invalid' | 'timedOut';

/** The item of a question that nobody answered in time. */
export function timedOutItem(question: Question): IDataObject {
	const { timedOut } = isInChat(question) ? chatKinds[question.kind] : linkKinds[question.kind];
	return { data: { ...timedOut, outcome: 'timedOut' satisfies Outcome, respondedAt: null } };
}
