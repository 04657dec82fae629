/** The responses API. */
import { z } from 'zod';

import type { ModelMessage, ModelReply } from './conversation.mts';
import * as wire from './wire.mts';

const CALL = z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string() });
const RESULT = z.object({
	type: z.literal('function_call_output'),
	call_id: z.string(),
	output: wire.CONTENT,
});
const MESSAGE = z.object({ role: wire.ROLE, content: wire.CONTENT });
/** What a model with more skills gave before, such as its reasoning. */
const OTHER = z.object({ type: z.string() });

const ITEM = z.union([CALL, RESULT, MESSAGE, OTHER]);
type Item = z.output<typeof ITEM>;

const BODY = z.object({
	...wire.COMMON,
	instructions: z.string().nullish(),
	input: z.union([z.string(), z.array(ITEM)]),
	tools: z.array(z.union([wire.TOOL.extend({ type: z.literal('function') }), OTHER])).nullish(),
});

export const responses: wire.ModelApi = {
	read: (body) => {
		const { model, stream, instructions, input, tools } = BODY.parse(body);
		const items: Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
		const first: ModelMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
		return {
			...{ model, stream, messages: [...first, ...conversationOf(items)] },
			tools: (tools ?? []).flatMap((tool) => ('name' in tool ? [tool] : [])),
		};
	},
	whole: (reply, model) => completed(frameOf(model), outputOf(reply)),
	streamed: (reply, model) => {
		const frame = frameOf(model);
		const output = outputOf(reply);
		const events: StreamEvent[] = [
			{ type: 'response.created', response: { ...frame, status: 'in_progress', output: [] } },
			...output.flatMap((item, index) => eventsOf(item, index)),
			{ type: 'response.completed', response: completed(frame, output) },
		];
		return events.map((data, at) => wire.event({ ...data, sequence_number: at }, data.type));
	},
};

function conversationOf(items: Item[]): ModelMessage[] {
	const names = new Map<string, string>();
	return items.flatMap((item): ModelMessage[] => {
		if ('name' in item) names.set(item.call_id, item.name);
		if ('role' in item) return [{ role: item.role, content: item.content }];
		if (!('output' in item)) return [];
		return [{ role: 'tool', content: item.output, tool: names.get(item.call_id) ?? '' }];
	});
}

const frameOf = (model: string) => ({
	id: wire.newId('resp'),
	object: 'response',
	created_at: wire.now(),
	model,
	error: null,
	incomplete_details: null,
	metadata: {},
});

const completed = (frame: ReturnType<typeof frameOf>, output: OutputItem[]) => ({
	...frame,
	status: 'completed',
	output,
	usage: {
		input_tokens: 1,
		input_tokens_details: { cached_tokens: 0 },
		output_tokens: 1,
		output_tokens_details: { reasoning_tokens: 0 },
		total_tokens: 2,
	},
});

const textPart = (text: string) => ({ type: 'output_text', text, annotations: [] });

type OutputItem = ReturnType<typeof outputOf>[number];

function outputOf(reply: ModelReply) {
	const status = 'completed';
	if ('calls' in reply)
		return wire.callsOf(reply).map(({ id, ...call }) => ({
			type: 'function_call' as const,
			id: wire.newId('fc'),
			call_id: id,
			...call,
			status,
		}));
	const content = [textPart(wire.textOf(reply))];
	return [{ type: 'message' as const, id: wire.newId('msg'), role: 'assistant', content, status }];
}

interface StreamEvent {
	type: string;
	[field: string]: unknown;
}

/** An item of the output as it grows. */
function eventsOf(item: OutputItem, index: number): StreamEvent[] {
	const place = { item_id: item.id, output_index: index };
	const added = (begun: object) => ({
		type: 'response.output_item.added',
		output_index: index,
		item: { ...item, status: 'in_progress', ...begun },
	});
	const done = { type: 'response.output_item.done', output_index: index, item };
	if (item.type === 'function_call') {
		const kind = 'response.function_call_arguments';
		return [
			added({ arguments: '' }),
			{ type: `${kind}.delta`, ...place, delta: item.arguments },
			{ type: `${kind}.done`, ...place, arguments: item.arguments },
			done,
		];
	}
	return [
		added({ content: [] }),
		...item.content.flatMap((part, at) => {
			const here = { ...place, content_index: at };
			return [
				{ type: 'response.content_part.added', ...here, part: textPart('') },
				...wire.piecesOf(part.text).map((delta) => {
					return { type: 'response.output_text.delta', ...here, delta };
				}),
				{ type: 'response.output_text.done', ...here, text: part.text },
				{ type: 'response.content_part.done', ...here, part },
			];
		}),
		done,
	];
}
