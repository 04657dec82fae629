/** What the two APIs have in common. */
import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import type { ModelMessage, ModelReply, ModelRequest } from './conversation.mts';

/** An API for language models, as far as agents use it. */
export interface ModelApi {
	/** Throws a ZodError for a body that this API does not have. */
	read(body: unknown): Asked;
	/** The body of a response. */
	whole(reply: ModelReply, model: string): object;
	/** The same as server-sent events. */
	streamed(reply: ModelReply, model: string): string[];
}

export interface Asked extends ModelRequest {
	/** The name of the model, given back as it came. */
	model: string;
	stream: boolean;
}

/** A text, or the texts of its parts. Pictures and other parts are left out. */
export const CONTENT = z
	.union([z.string(), z.array(z.object({ text: z.string().default('') }))])
	.nullish()
	.transform((value) =>
		typeof value === 'string' ? value : (value ?? []).map(({ text }) => text).join('\n'),
	);

/** The roles of the APIs, as the conversation has them. */
export const ROLE = z
	.enum(['system', 'developer', 'user', 'assistant', 'tool'])
	.transform((role): ModelMessage['role'] => (role === 'developer' ? 'system' : role));

export const TOOL = z.object({
	name: z.string(),
	description: z
		.string()
		.nullish()
		.transform((text) => text ?? ''),
	parameters: z
		.record(z.unknown())
		.nullish()
		.transform((schema) => schema ?? {}),
});

/** The fields of every request. */
export const COMMON = {
	model: z.string(),
	stream: z
		.boolean()
		.nullish()
		.transform((stream) => stream === true),
};

export const newId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

export const now = (): number => Math.floor(Date.now() / 1000);

export const textOf = (reply: ModelReply): string => ('text' in reply ? reply.text : '');

/** The calls of a reply with their ids. */
export const callsOf = (reply: ModelReply) =>
	('calls' in reply ? reply.calls : []).map((call) => ({
		id: newId('call'),
		name: call.tool,
		arguments: JSON.stringify(call.arguments),
	}));

/** The pieces in which a text is streamed: its lines. */
export const piecesOf = (text: string): string[] => text.split(/(?<=\n)/);

export const event = (data: object, name?: string): string =>
	`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
