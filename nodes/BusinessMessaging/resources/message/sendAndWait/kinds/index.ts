import { z } from 'zod';

import { approval, approvalInChat, approvalInChatSchema, approvalSchema } from './approval';
import { customForm, formSchema, freeText } from './form';
import type { ChatKind, DraftOf, LinkKind } from './kind';
import { replyInChat, replySchema } from './reply';

/**
 * A new kind adds its schema here. The compiler then asks for its line in one of the lists below.
 */
export const questionSchema = z.discriminatedUnion('kind', [
	approvalSchema,
	approvalInChatSchema,
	formSchema,
	replySchema,
]);

/**
 * What an execution asked. It is kept, because the node's fields may not resolve any more later.
 */
export type Question = z.infer<typeof questionSchema>;
/** A question that is answered in the chat. Only such a question has choices. */
export type ChatQuestion = Extract<Question, { choices: string[] }>;
/** A question that is answered on a page. */
export type LinkQuestion = Exclude<Question, ChatQuestion>;

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

export const isInChat = <Kind extends { kind: Question['kind'] }>(
	question: Kind,
): question is Extract<Kind, { kind: ChatQuestion['kind'] }> => question.kind in chatKinds;

const allKinds = [...Object.values(linkKinds), ...Object.values(chatKinds)];

/** What the editor offers, in its order. */
export const panels = [...new Set(allKinds.map(({ panel }) => panel))].map((panel) => {
	const { link = [], chat = [] } = panel.responseTypes;
	return { ...panel, types: [...new Set([...link, ...chat].map(({ value }) => String(value)))] };
});
