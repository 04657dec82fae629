import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import type { AppOptions } from './app.mts';
import { guard } from './control/index.mts';

const ROOT = join(import.meta.dirname, '..', 'page');
const ICON = join(import.meta.dirname, '..', '..', 'icons', 'business-messaging.svg');

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/** The files of the page, by path. Nothing else of the disk can be asked for. */
function pageFiles(): Map<string, string> {
	const files = readdirSync(ROOT).map((name) => [name === 'index.html' ? '/' : `/page/${name}`, join(ROOT, name)] as const);
	return new Map([...files, ['/page/icon.svg', ICON]]);
}

const HEADERS = {
	'cache-control': 'no-cache',
	'content-security-policy':
		"default-src 'self'; img-src 'self' http: https: data:; media-src 'self' http: https:; frame-ancestors 'none'",
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
	for (const [path, file] of pageFiles()) {
		app.get(path, async (_request, reply) => {
			const body = await readFile(file);
			return reply
				.headers(HEADERS)
				.type(TYPES[extname(file)] ?? 'application/octet-stream')
				.send(body);
		});
	}
}
