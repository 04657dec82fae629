import { z } from 'zod';

import { approval, approvalInChat, approvalInChatSchema, approvalSchema } from './approval';
import { customForm, formSchema, freeText } from './form';
import type { ChatKind, DraftOf, LinkKind } from './kind';
import { replyInChat, replySchema } from './reply';

/** A new kind adds its schema to one of these. The compiler then asks for its line below. */
const linkSchemas = [approvalSchema, formSchema] as const;
const chatSchemas = [approvalInChatSchema, replySchema] as const;
export const questionSchema = z.discriminatedUnion('kind', [...linkSchemas, ...chatSchemas]);

/** What an execution asked. Kept, because the node's fields may not resolve any more later. */
export type Question = z.infer<typeof questionSchema>;
/** A question that is answered in the chat. */
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

export const isInChat = <Kind extends { kind: Question['kind'] }>(
	question: Kind,
): question is Extract<Kind, { kind: ChatQuestion['kind'] }> => question.kind in chatKinds;

const allKinds = [...Object.values(linkKinds), ...Object.values(chatKinds)];

/** What the editor offers, in its order. */
export const panels = [...new Set(allKinds.map(({ panel }) => panel))].map((panel) => {
	const { link = [], chat = [] } = panel.responseTypes;
	return { ...panel, types: [...new Set([...link, ...chat].map(({ value }) => String(value)))] };
});
