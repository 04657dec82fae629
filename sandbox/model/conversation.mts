/** What an agent and a language model say to each other, whichever API carries it. */

export interface ModelMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	/** Empty if it holds only calls. */
	content: string;
	/** The tool that gave this result. */
	tool?: string;
}

export interface ModelTool {
	name: string;
	description: string;
	/** JSON Schema of its arguments. */
	parameters: Record<string, unknown>;
}

export interface ModelRequest {
	messages: ModelMessage[];
	/** The tools that the model may call. */
	tools: ModelTool[];
}

export interface ModelCall {
	tool: string;
	arguments: unknown;
}

/** Ends the model's turn with a text, or calls tools. */
export type ModelReply = { text: string } | { calls: ModelCall[] };
