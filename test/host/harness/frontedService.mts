import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
	status: number;
	body: unknown;
}

/**
 * Passes requests on to the sandbox, except those that a test answers or holds, because the sandbox
 * cannot fail a single text.
 *
 * @param answerOf may pass the request on itself, and answer when it likes. Undefined: it is passed
 * on
 */
export async function startFront(
	sandboxUrl: string,
	answerOf: (
		body: string,
		pass: () => Promise<Answer>,
	) => Answer | Promise<Answer | undefined> | undefined,
) {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			void (async () => {
				const body = Buffer.concat(chunks).toString();
				const headers = {
					authorization: request.headers.authorization ?? '',
					'content-type': 'application/json',
				};
				const pass = async (): Promise<Answer> => {
					const passed = await fetch(new URL(request.url ?? '/', sandboxUrl), {
						method: request.method ?? 'GET',
						headers,
						...(body ? { body } : {}),
					});
					return { status: passed.status, body: await passed.json() };
				};
				const given = (await answerOf(body, pass)) ?? (await pass());
				response
					.writeHead(given.status, { 'content-type': 'application/json' })
					.end(JSON.stringify(given.body));
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
