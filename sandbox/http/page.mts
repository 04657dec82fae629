import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { FastifyInstance } from 'fastify';

import { withoutTypes } from './withoutTypes.mts';

const ROOT = join(import.meta.dirname, '..', 'page');
const ICON = join(import.meta.dirname, '..', '..', 'icons', 'business-messaging.svg');

const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': SCRIPT,
	'.ts': SCRIPT,
	'.svg': 'image/svg+xml',
	'.webp': 'image/webp',
	'.mp3': 'audio/mpeg',
};

/** The files of the page, by path. No other file of the disk can be requested. */
function pageFiles(): Map<string, string> {
	const files = readdirSync(ROOT).map(
		(name) =>
			[
				name === 'index.html' ? '/' : `/page/${name.replace(/\.ts$/, '.js')}`,
				join(ROOT, name),
			] as const,
	);
	return new Map([...files, ['/page/icon.svg', ICON]]);
}

const HEADERS = {
	'cache-control': 'no-cache',
	// Messages can contain images and videos of any host. Everything else is the sandbox's own.
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https:; media-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
};

export async function pageRoutes(app: FastifyInstance): Promise<void> {
	app.get('/openapi.json', async () => {
		// Read on the first request, so that a start does not wait for it.
		const { openApiDocument } = await import('../openapi/document.mts');
		return openApiDocument();
	});
	for (const [path, file] of pageFiles()) {
		app.get(path, async (_request, reply) => {
			const stored = await readFile(file);
			const body = file.endsWith('.ts') ? await withoutTypes(stored) : stored;
			return reply
				.headers(HEADERS)
				.type(TYPES[extname(file)] ?? 'application/octet-stream')
				.send(body);
		});
	}
}
