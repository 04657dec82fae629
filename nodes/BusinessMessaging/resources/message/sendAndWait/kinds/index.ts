import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { approval, approvalInChat, approvalInChatSchema, approvalSchema } from './approval';
import { customForm, formSchema, freeText } from './form';
import { textInExpression } from '../../../../shared/texts/words';
import type { ChatKind, DraftOf, LinkKind } from './kind';
import { replyInChat, replySchema } from './reply';

/** A new kind adds its schema to one of these. The compiler then asks for its line below. */
const linkSchemas = [approvalSchema, formSchema] as const;
const chatSchemas = [approvalInChatSchema, replySchema] as const;
const questionSchema = z.discriminatedUnion('kind', [...linkSchemas, ...chatSchemas]);

/** What an execution asked. Kept, because the node's fields may not resolve any more later. */
export type Question = z.infer<typeof questionSchema>;
export type ChatQuestion = z.infer<(typeof chatSchemas)[number]>;
/** A question that is answered on a page. */
export type LinkQuestion = z.infer<(typeof linkSchemas)[number]>;

export type ChatDraft = DraftOf<ChatQuestion>;
export type LinkDraft = DraftOf<LinkQuestion>;
export type Draft = ChatDraft | LinkDraft;

export const linkKinds: Record<LinkQuestion['kind'], LinkKind<LinkQuestion, Draft>> = {
	approval,
	customForm,
	freeText,
};

export const chatKinds: Record<ChatQuestion['kind'], ChatKind<ChatQuestion, Draft>> = {
	approvalInChat,
	replyInChat,
};

/** What it expects in place of any text. */
export const expectedBy = (question: Draft | Question) =>
	'expect' in question ? question.expect : undefined;

/** What a question in the chat takes for a reply, beside its choices. */
export const repliesTo = (question: ChatDraft) => ({
	takesAnyWords: chatKinds[question.kind].again !== undefined,
	takesBareTaps: chatKinds[question.kind].takesBareTaps,
	...(question.choices.length > 0 || expectedBy(question) ? { takesOnlyWords: true as const } : {}),
	tapsCarryIds: question.kind !== 'approvalInChat' || question.tapsCarryIds !== false,
});

export const isInChat = <Kind extends { kind: Question['kind'] }>(
	question: Kind,
): question is Extract<Kind, { kind: ChatQuestion['kind'] }> => question.kind in chatKinds;

const allKinds = [...Object.values(linkKinds), ...Object.values(chatKinds)];

/** What the editor offers, in its order. */
export const panels = [...new Set(allKinds.map(({ panel }) => panel))].map((panel) => {
	const { link, chat } = panel.responseTypes;
	return { ...panel, types: Object.keys({ ...link, ...chat }) };
});

export const peopleOf = ({ recipient, approvers = [] }: ChatQuestion): string[] => [
	recipient,
	...approvers,
];

/** The key of the node's context that holds the question as JSON. */
const KEY = 'question';

/** n8n stores it with the execution when it begins to wait. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/** The question that the execution waits with. A webhook can read it by an expression only. */
export function readQuestion(context: IWebhookFunctions): Question | undefined {
	const name = textInExpression(context.getNode().name);
	const kept = context.evaluateExpression(`{{ $node[${name}].context["${KEY}"] }}`, 0);
	if (typeof kept !== 'string' || kept === '') return undefined;
	const parsed = questionSchema.safeParse(JSON.parse(kept));
	return parsed.success ? parsed.data : undefined;
}

/** How a question ended. Every item that the node gives says it. */
export type Outcome = 'answered' | 'invalid' | 'timedOut';

export function timedOutItem(question: Question): IDataObject {
	const { timedOut } = isInChat(question) ? chatKinds[question.kind] : linkKinds[question.kind];
	const value = expectedBy(question) ? { value: null } : {};
	return {
		data: { ...timedOut, ...value, outcome: 'timedOut' satisfies Outcome, respondedAt: null },
	};
}
