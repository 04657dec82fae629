import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { formFieldSchema } from './form';

const common = {
	/** Made up for each question: the links of an earlier one, in a loop, reply nothing. */
	id: z.string(),
	/** Hashes of the links that were sent with it. Version 0.1.0 kept none. */
	links: z.array(z.string()).optional(),
	/** What is asked. */
	message: z.string(),
	/** What the page says once the reply is recorded. */
	answeredText: z.string(),
};

/** What the approvers are told whom another one was faster than. Empty: nothing. */
const tellOthers = z.string();

/** Of a question in the chat. */
const inChat = {
	...common,
	channelId: z.string(),
	recipient: z.string(),
	/** Further people who were asked. The first reply decides. */
	approvers: z.array(z.string()).optional(),
	/** Empty: any reply will do. */
	choices: z.array(z.string()),
	/** Whether the choices are buttons. Version 0.1.0 had none. */
	buttons: z.boolean().optional(),
	webhookId: z.string(),
	/** The webhook's signing secret, sealed with the resume URL. */
	sealedSecret: z.string(),
	/** ISO 8601. */
	deadline: z.string(),
};

/** What an execution asked, kept with it while it waits. The node's fields may not resolve any more when the reply comes. */
export const questionSchema = z.discriminatedUnion('kind', [
	z.object({
		...common,
		kind: z.literal('approval'),
		approveLabel: z.string(),
		disapproveLabel: z.string().optional(),
		/** When several were asked. */
		several: z
			.object({
				channelId: z.string(),
				/** By what their links say of them. */
				people: z.record(z.string()),
				tellOthers,
			})
			.optional(),
	}),
	z.object({
		...common,
		kind: z.enum(['freeText', 'customForm']),
		title: z.string(),
		buttonLabel: z.string(),
		fields: z.array(formFieldSchema),
	}),
	z.object({
		...inChat,
		kind: z.literal('approvalInChat'),
		tellOthers,
	}),
	z.object({
		...inChat,
		kind: z.literal('replyInChat'),
		/** Times that a reply outside the choices is asked again. */
		askAgain: z.number(),
		askAgainText: z.string(),
	}),
]);
export type Question = z.infer<typeof questionSchema>;
export type ApprovalQuestion = Extract<Question, { kind: 'approval' }>;
export type ReplyQuestion = Extract<Question, { kind: 'replyInChat' }>;
export type ApprovalInChat = Extract<Question, { kind: 'approvalInChat' }>;
/** One that is replied to in the chat. */
export type ChatQuestion = ApprovalInChat | ReplyQuestion;
/** Whether a question is replied to in the chat. */
export const isInChat = <Kind extends { kind: Question['kind'] }>(
	question: Kind,
): question is Extract<Kind, { kind: ChatQuestion['kind'] }> =>
	question.kind === 'replyInChat' || question.kind === 'approvalInChat';
export type FormQuestion = Exclude<Question, ApprovalQuestion | ChatQuestion>;

/** All who were asked in the chat. */
export const peopleOf = ({ recipient, approvers = [] }: ChatQuestion): string[] => [
	recipient,
	...approvers,
];

/** Under this key of the node's context the question is kept. As text: an expression gives a text unchanged. */
const KEY = 'question';

export const newQuestionId = (): string => randomUUID();

/** Stored by n8n with the execution when it begins to wait. */
export function keepQuestion(context: IExecuteFunctions, question: Question): void {
	context.getContext('node')[KEY] = JSON.stringify(question);
}

/** The question that the execution waits with. A webhook has no `getContext`: only an expression reads the node's context there (n8n). */
export function readQuestion(context: IWebhookFunctions): Question | undefined {
	const kept = context.evaluateExpression(
		`{{ $node[${JSON.stringify(context.getNode().name)}].context[${JSON.stringify(KEY)}] }}`,
		0,
	);
	if (typeof kept !== 'string' || kept === '') return undefined;
	const parsed = questionSchema.safeParse(JSON.parse(kept));
	return parsed.success ? parsed.data : undefined;
}

/** How a question ended, in every item that the node gives. */
export type Outcome = 'answered' | 'invalid' | 'timedOut';

/** The item of a question that nobody answered in time. It is never an approval, also to an agent. */
export function timedOutItem(kind: Question['kind']): IDataObject {
	const none: Record<Question['kind'], IDataObject> = {
		approval: { approved: false },
		approvalInChat: { approved: false },
		freeText: { text: null },
		customForm: {},
		replyInChat: { text: null, choice: null, choiceNumber: null },
	};
	return { data: { ...none[kind], outcome: 'timedOut' satisfies Outcome, respondedAt: null } };
}

/** @throws Error when n8n did not sign */
export function requireSignature(signature: string): string {
	if (signature === '')
		throw new Error(
			'n8n gave a resume URL without a signature. Check that this n8n is one of the supported versions.',
		);
	return signature;
}

/** What only the resume URL yields: n8n signs it with a key of its own, and keeps it nowhere. */
function sealingKey(signature: string): Buffer {
	return createHash('sha256')
		.update(`n8n business messaging sealed secret v1\n${requireSignature(signature)}`)
		.digest();
}

/**
 * Seals a text (AES-256-GCM) so that the execution's record, in which it is kept, does not show it.
 * @param signature the `signature` in the query of the resume URL
 */
export function seal(text: string, signature: string): string {
	const iv = randomBytes(12);
	const cipher = createCipheriv('aes-256-gcm', sealingKey(signature), iv);
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws Error when the text was sealed with another signature, or changed */
export function unseal(sealedText: string, signature: string): string {
	const sealed = Buffer.from(sealedText, 'base64url');
	const decipher = createDecipheriv('aes-256-gcm', sealingKey(signature), sealed.subarray(0, 12));
	decipher.setAuthTag(sealed.subarray(12, 28));
	return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
