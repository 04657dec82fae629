import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { AppOptions } from './app.mts';
import { guard } from './control/index.mts';

const ROOT = join(import.meta.dirname, '..', 'page');

/** The files of the page, by path. Nothing else of the disk can be asked for. */
const FILES: Record<string, { file: string; type: string }> = {
	'/': { file: 'index.html', type: 'text/html; charset=utf-8' },
	'/page/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
	'/page/app.js': { file: 'app.js', type: 'text/javascript; charset=utf-8' },
};

const HEADERS = {
	'cache-control': 'no-cache',
	'content-security-policy': "default-src 'self'; img-src 'self' http: https: data:; media-src 'self' http: https:; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
};

export async function pageRoutes(app: FastifyInstance, options: AppOptions): Promise<void> {
	app.addHook('onRequest', guard(options));
	app.get('/openapi.json', async () => {
		// Made when first asked for: a start does not wait for it.
		const { openApiDocument } = await import('../openapi/document.mts');
		return openApiDocument();
	});
	for (const [path, { file, type }] of Object.entries(FILES)) {
		app.get(path, async (_request, reply) => {
			const body = await readFile(join(ROOT, file));
			return reply.headers(HEADERS).type(type).send(body);
		});
	}
}
