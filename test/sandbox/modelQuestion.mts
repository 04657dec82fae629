/** Asks the stand-in for a language model as an agent does, by each of its APIs. */
import type { ModelReply, ModelTool } from '#sandbox/model/conversation.mts';

/** A step of a conversation. */
export type Said =
	| { role: 'system' | 'user' | 'assistant'; text: string }
	| { call: string; id: string }
	| { result: string; of: string };

export interface Question {
	/** The model's Base URL. */
	url: string;
	said: Said[];
	tools: ModelTool[];
	stream: boolean;
}

export const post = async (url: string, body: object): Promise<Response> =>
	await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: 'Bearer anything' },
		body: JSON.stringify(body),
	});

/** The data of server-sent events, without the mark of the end. */
async function eventsOf(response: Response): Promise<Array<Record<string, unknown>>> {
	expect(response.headers.get('content-type')).toBe('text/event-stream');
	return [...(await response.text()).matchAll(/^data: (.+)$/gm)]
		.map(([, data = '']) => data)
		.filter((data) => data !== '[DONE]')
		.map((data) => JSON.parse(data) as Record<string, unknown>);
}

interface FunctionCall {
	name: string;
	arguments: string;
}
const callsOf = (calls: FunctionCall[]): ModelReply => ({
	calls: calls.map((call) => ({
		tool: call.name,
		arguments: JSON.parse(call.arguments) as unknown,
	})),
});

interface Message {
	content?: string | null;
	tool_calls?: Array<{ id: string; type: string; function: FunctionCall }>;
}

/** Asks by the chat completions API. */
export async function askCompletions({ url, said, tools, stream }: Question): Promise<ModelReply> {
	const messages = said.map((one) => {
		if ('call' in one)
			return {
				role: 'assistant',
				content: null,
				tool_calls: [
					{ id: one.id, type: 'function', function: { name: one.call, arguments: '{}' } },
				],
			};
		if ('result' in one) return { role: 'tool', tool_call_id: one.of, content: one.result };
		return { role: one.role, content: [{ type: 'text', text: one.text }] };
	});
	const response = await post(`${url}/chat/completions`, {
		model: 'gpt-4.1-mini',
		messages,
		stream,
		...(tools.length > 0 && {
			tools: tools.map((given) => ({ type: 'function', function: given })),
		}),
	});
	expect(response.status).toBe(200);
	let message: Message;
	if (stream) {
		const choices = (await eventsOf(response)).flatMap(
			({ choices }) => choices as Array<{ delta: Message; finish_reason: string | null }>,
		);
		const content = choices.map(({ delta }) => delta.content ?? '').join('');
		const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
		expect(choices.at(-1)?.finish_reason).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
		message = { content, ...(calls.length > 0 && { tool_calls: calls }) };
	} else {
		const body = (await response.json()) as { model: string; choices: Array<{ message: Message }> };
		expect(body.model).toBe('gpt-4.1-mini');
		message = body.choices[0]?.message ?? {};
	}
	return message.tool_calls
		? callsOf(message.tool_calls.map((call) => call.function))
		: { text: message.content ?? '' };
}

interface Item extends Partial<FunctionCall> {
	type: string;
	content?: Array<{ text: string }>;
}

/** Asks by the responses API. */
export async function askResponses({ url, said, tools, stream }: Question): Promise<ModelReply> {
	const input = said.map((one) => {
		if ('call' in one)
			return { type: 'function_call', call_id: one.id, name: one.call, arguments: '{}' };
		if ('result' in one)
			return { type: 'function_call_output', call_id: one.of, output: one.result };
		const type = one.role === 'assistant' ? 'output_text' : 'input_text';
		return { type: 'message', role: one.role, content: [{ type, text: one.text }] };
	});
	const response = await post(`${url}/responses`, {
		model: 'gpt-5-mini',
		input: [{ type: 'reasoning', id: 'rs_1', summary: [] }, ...input],
		stream,
		tools: [{ type: 'web_search' }, ...tools.map((given) => ({ type: 'function', ...given }))],
	});
	expect(response.status).toBe(200);
	let output: Item[];
	if (stream) {
		const events = await eventsOf(response);
		const last = events.at(-1) as unknown as { type: string; response: { output: Item[] } };
		expect(last.type).toBe('response.completed');
		output = last.response.output;
		const deltas = events.filter(({ type }) => String(type).endsWith('.delta'));
		expect(deltas.map(({ delta }) => delta).join('')).toBe(
			output[0]?.content?.[0]?.text ?? output[0]?.arguments,
		);
	} else ({ output } = (await response.json()) as { output: Item[] });
	const calls = output.filter(({ type }) => type === 'function_call');
	return calls.length > 0
		? callsOf(calls as unknown as FunctionCall[])
		: { text: output[0]?.content?.[0]?.text ?? '' };
}
