import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';

import { listening } from './helpers.mts';

export interface Request {
	method: string;
	/** With its query. */
	path: string;
	headers: IncomingHttpHeaders;
	body: unknown;
}
export interface Rewritten {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

/**
 * A proxy that changes requests and responses: in front of a sandbox, or of who gets its
 * deliveries. So it stands for another service.
 */
export async function startRewriter(
	target: string,
	{
		request = (original) => original,
		answer = (_request, original) => original,
	}: {
		request?: (original: Request) => Request;
		answer?: (request: Request, original: Rewritten) => Rewritten;
	},
) {
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			void (async () => {
				const { host: _host, connection: _connection, ...headers } = incoming.headers;
				delete headers['content-length'];
				const isZipped = (given: IncomingHttpHeaders) => given['content-encoding'] === 'gzip';
				const bytes = Buffer.concat(chunks);
				const sent = (isZipped(headers) ? gunzipSync(bytes) : bytes).toString();
				const original = {
					...{ method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers },
					body: parsed(sent),
				};
				const changed = request(original);
				const left = new AbortController();
				outgoing.once('close', () => left.abort());
				const body = textOf(changed.body);
				const response = await fetch(target + changed.path, {
					method: changed.method,
					headers: changed.headers as Record<string, string>,
					...(sent === '' ? {} : { body: isZipped(changed.headers) ? gzipSync(body) : body }),
					...{ redirect: 'manual', signal: left.signal },
				});
				const text = await response.text();
				const answered = Object.fromEntries(response.headers);
				delete answered['content-encoding'];
				delete answered['content-length'];
				const told = answer(original, {
					...{ status: response.status, headers: answered },
					body: text === '' ? undefined : parsed(text),
				});
				outgoing.writeHead(told.status, told.headers);
				outgoing.end(told.body === undefined ? undefined : textOf(told.body));
			})().catch(() => outgoing.destroy());
		});
	});
	return await listening(server);
}

/** JSON, or a text that is none. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
