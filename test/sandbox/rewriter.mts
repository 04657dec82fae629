import { createServer } from 'node:http';

import { listening } from './helpers.mts';

export interface Request {
	method: string;
	/** With its query. */
	path: string;
	body: unknown;
}
export interface Rewritten {
	status: number;
	body: unknown;
}

/** A proxy in front of a sandbox that changes requests and responses, as another service would. */
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
				const sent = Buffer.concat(chunks).toString();
				const original = {
					...{ method: incoming.method ?? 'GET', path: incoming.url ?? '/', body: parsed(sent) },
				};
				const changed = request(original);
				const { authorization = '' } = incoming.headers;
				const response = await fetch(target + changed.path, {
					method: changed.method,
					headers: {
						authorization,
						...(sent === '' ? {} : { 'content-type': 'application/json' }),
					},
					...(sent === '' ? {} : { body: textOf(changed.body) }),
				});
				const text = await response.text();
				const { status, body } = answer(original, {
					...{ status: response.status, body: text === '' ? undefined : parsed(text) },
				});
				outgoing.writeHead(status, { 'content-type': 'application/json' });
				outgoing.end(body === undefined ? undefined : textOf(body));
			})();
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
