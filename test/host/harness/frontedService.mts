import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Passes requests on to the sandbox, except those that a test makes fail, because the sandbox
 * cannot fail a single text.
 */
export async function startFront(
	sandboxUrl: string,
	failureOf: (body: string) => { status: number; body: unknown } | undefined,
) {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			void (async () => {
				const body = Buffer.concat(chunks).toString();
				const failure = failureOf(body);
				const headers = {
					authorization: request.headers.authorization ?? '',
					'content-type': 'application/json',
				};
				const given = failure
					? { status: failure.status, text: JSON.stringify(failure.body) }
					: await fetch(new URL(request.url ?? '/', sandboxUrl), {
							method: request.method ?? 'GET',
							headers,
							...(body ? { body } : {}),
						}).then(async (passed) => ({
							status: passed.status,
							text: await passed.text(),
						}));
				response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.text);
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
