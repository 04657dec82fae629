/** The chat completions API. */
import { z } from 'zod';

import type { ModelMessage, ModelReply } from './conversation.mts';
import * as wire from './wire.mts';

const MESSAGE = z.object({
	role: wire.ROLE,
	content: wire.CONTENT,
	tool_calls: z
		.array(z.object({ id: z.string(), function: z.object({ name: z.string() }) }))
		.nullish(),
	tool_call_id: z.string().optional(),
});

const BODY = z.object({
	...wire.COMMON,
	messages: z.array(MESSAGE),
	tools: z.array(z.object({ function: wire.TOOL })).nullish(),
});

export const chatCompletions: wire.ModelApi = {
	read: (body) => {
		const { model, stream, messages, tools } = BODY.parse(body);
		return {
			...{ model, stream, messages: conversationOf(messages) },
			tools: (tools ?? []).map((tool) => tool.function),
		};
	},
	whole: (reply, model) => ({
		...frameOf(model, 'chat.completion'),
		choices: [{ index: 0, message: messageOf(reply), finish_reason: reasonOf(reply) }],
		usage: USAGE,
	}),
	streamed: (reply, model) => {
		const frame = frameOf(model, 'chat.completion.chunk');
		const { content, ...first } = messageOf(reply);
		const deltas = [
			{ ...first, content: content === null ? null : '' },
			...wire.piecesOf(content ?? '').map((piece) => ({ content: piece })),
		];
		return [
			...deltas.map((delta) => wire.event({ ...frame, choices: [{ index: 0, delta, ...OPEN }] })),
			wire.event({ ...frame, choices: [{ index: 0, delta: {}, finish_reason: reasonOf(reply) }] }),
			wire.event({ ...frame, choices: [], usage: USAGE }),
			'data: [DONE]\n\n',
		];
	},
};

/** Of a choice that goes on. */
const OPEN = { finish_reason: null };

/** Not 0, because n8n then estimates the tokens itself. */
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function conversationOf(messages: Array<z.output<typeof MESSAGE>>): ModelMessage[] {
	const names = new Map(
		messages.flatMap(({ tool_calls }) =>
			(tool_calls ?? []).map((call) => [call.id, call.function.name] as const),
		),
	);
	return messages.map(({ role, content, tool_call_id: id = '' }) => ({
		role,
		content,
		...(role === 'tool' && { tool: names.get(id) ?? '' }),
	}));
}

const frameOf = (model: string, object: string) => ({
	id: wire.newId('chatcmpl'),
	object,
	created: wire.now(),
	model,
});

const reasonOf = (reply: ModelReply) => ('calls' in reply ? 'tool_calls' : 'stop');

function messageOf(reply: ModelReply) {
	if ('text' in reply) return { role: 'assistant', content: wire.textOf(reply) };
	const calls = wire.callsOf(reply).map(({ id, ...call }, index) => ({
		index,
		id,
		type: 'function',
		function: call,
	}));
	return { role: 'assistant', content: null, tool_calls: calls };
}
