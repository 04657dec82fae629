/** The sandbox in its own process, and its control interface. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Message } from '../../sandbox/store/messages.mts';
import { checkout, tool } from '../checkout.mts';
import { keepPrivate } from './private.mts';
import { startReady, type OwnedProcess } from './processes.mts';

export interface RunningSandbox extends OwnedProcess {
	url: string;
}

const START_LIMIT_MS = 30_000;

/**
 * @param data folder of its database and log, created if missing
 * @param n8n address that the page may post to
 * @param port 0: a free one
 */
export async function startSandbox(
	data: string,
	{ n8n, port = 0 }: { n8n?: string; port?: number } = {},
): Promise<RunningSandbox> {
	keepPrivate(data);
	const tsx = pathToFileURL(tool('tsx/dist/loader.mjs')).href;
	const owned = await startReady(
		'The sandbox',
		[
			...['--import', tsx, join(checkout, 'sandbox', 'main.mts')],
			...['--port', String(port), '--data', join(data, 'sandbox.sqlite')],
			...(n8n === undefined ? [] : ['--n8n', n8n]),
		],
		{ logFile: join(data, 'sandbox.log'), cwd: checkout },
		(printed) => /Sandbox ready at (\S+)/.exec(printed)?.[1],
		START_LIMIT_MS,
	);
	return { ...owned, url: owned.found };
}

export type SandboxMessage = Pick<Message, 'id' | 'direction' | 'customer' | 'content' | 'status'>;

/** The sandbox's control interface: plays the customer's phone and shows the service's side. */
export class SandboxControl {
	constructor(readonly url: string) {}

	/** A customer writes on a channel. */
	async customerWrites(message: {
		channelId: string;
		from: string;
		name: string;
		text: string;
	}): Promise<void> {
		await this.post('/_sandbox/inbound', message);
	}

	/** The messages of a channel, oldest first. */
	async messages(channelId: string): Promise<SandboxMessage[]> {
		return (
			await this.get<{ messages: SandboxMessage[] }>(`/_sandbox/messages?channelId=${channelId}`)
		).messages;
	}

	async get<T>(path: string): Promise<T> {
		return await this.request<T>(path, {});
	}

	async post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
		return await this.request<T>(path, withJson('POST', body, headers));
	}

	async patch<T>(path: string, body: unknown): Promise<T> {
		return await this.request<T>(path, withJson('PATCH', body));
	}

	private async request<T>(path: string, options: RequestInit): Promise<T> {
		const response = await fetch(new URL(path, this.url), options);
		const text = await response.text();
		if (!response.ok)
			throw new Error(`the sandbox answered ${path} with ${response.status}: ${text}`);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}
}

const withJson = (method: string, body: unknown, headers: Record<string, string> = {}) => ({
	method,
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify(body),
});
