/** Why the guide asks for a proxy before n8n that checks whether n8n is ready. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost } from '../../scripts/n8n/host.mts';
import { freePort } from '../../scripts/n8n/processes.mts';
import { startN8n } from '../../scripts/n8n/server.mts';
import { until } from '../../scripts/until.mts';
import { hostUnderTest } from './harness/host.mts';

const LIMIT_MS = 180_000;
const LOOK_MS = 20;

async function ask(url: string, method: 'GET' | 'POST'): Promise<{ status: number; text: string }> {
	try {
		const response = await fetch(url, { method });
		return { status: response.status, text: await response.text() };
	} catch {
		return { status: 0, text: '' };
	}
}

test('n8n responds 200 to deliveries while it migrates its database, drops them, and is not ready', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'business-messaging-readiness-'));
	const port = await freePort();
	const starting = startN8n({
		host: await installHost(hostUnderTest().generation),
		home: join(folder, 'n8n'),
		port,
	});
	const seen: Array<{ readiness: number; status: number; text: string }> = [];
	try {
		await until(
			'n8n to be ready',
			async () => {
				const { status: readiness } = await ask(
					`http://127.0.0.1:${port}/healthz/readiness`,
					'GET',
				);
				seen.push({
					readiness,
					...(await ask(`http://127.0.0.1:${port}/webhook/none/webhook`, 'POST')),
				});
				return readiness === 200;
			},
			LIMIT_MS,
			LOOK_MS,
		);
	} finally {
		await (await starting).kill();
		rmSync(folder, { recursive: true, force: true });
	}
	// No status means that the check came just before n8n listened, so n8n was not ready.
	const swallowed = seen.filter(
		({ text, readiness }) => text === 'n8n is starting up. Please wait' && readiness !== 0,
	);
	expect(new Set(swallowed.map(({ readiness, status }) => `${readiness} ${status}`))).toEqual(
		new Set(['503 200']),
	);
	// A delivery with a 2xx is not repeated, so none of them may come once n8n is ready.
	expect(seen.at(-1)).toMatchObject({ readiness: 200, status: 404 });
});
