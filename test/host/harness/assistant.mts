import type { Host } from './host.mts';

interface ToolResult {
	structuredContent?: unknown;
	isError?: boolean;
	content?: Array<{ text?: string }>;
}

/**
 * What an assistant uses to build workflows in n8n 2: n8n's own tools, over the Model Context
 * Protocol.
 */
export class Assistant {
	private constructor(
		private readonly host: Host,
		private readonly key: string,
	) {}

	/** Lets assistants use n8n. `leave` ends that. */
	static async enter(host: Host): Promise<Assistant> {
		await host.client.request('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
		const { apiKey } = await host.client.request<{ apiKey: string }>('POST', '/mcp/api-key/rotate');
		return new Assistant(host, apiKey);
	}

	async leave(): Promise<void> {
		await this.host.client.request('PATCH', '/mcp/settings', { mcpAccessEnabled: false });
	}

	/** @throws Error with the tool's own message */
	async call<T>(tool: string, args: object): Promise<T> {
		const response = await fetch(new URL('/mcp-server/http', this.host.underTest.n8nUrl), {
			method: 'POST',
			headers: {
				authorization: `Bearer ${this.key}`,
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				connection: 'close',
			},
			body: JSON.stringify({
				jsonrpc: '2.0',
				id: 1,
				method: 'tools/call',
				params: { name: tool, arguments: args },
			}),
		});
		const text = await response.text();
		const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
		if (!response.ok) throw new Error(`n8n answered ${tool} with ${response.status}: ${text}`);
		const { result, error } = JSON.parse(event) as {
			result?: ToolResult;
			error?: { message: string };
		};
		if (!result || result.isError)
			throw new Error(`${tool}: ${error?.message ?? JSON.stringify(result?.content)}`);
		return result.structuredContent as T;
	}
}
