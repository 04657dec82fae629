import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes requests on to the sandbox, but for those that a test wants answered otherwise: failures of one text that the sandbox cannot know. */
export async function startFront(sandboxUrl: string, failureOf: (body: string) => { status: number; body: unknown } | undefined) {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			void (async () => {
				const body = Buffer.concat(chunks).toString();
				const failure = failureOf(body);
				const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
				const answer = failure
					? { status: failure.status, text: JSON.stringify(failure.body) }
					: await fetch(new URL(request.url ?? '/', sandboxUrl), { method: request.method ?? 'GET', headers, ...(body ? { body } : {}) }).then(async (passed) => ({
							status: passed.status,
							text: await passed.text(),
						}));
				response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
			})();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
