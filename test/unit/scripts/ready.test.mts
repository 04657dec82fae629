import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../scripts/n8n/processes.mts';
import { startN8n } from '../../../scripts/n8n/server.mts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ready-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts in the order of n8n 1: it calls itself ready, serves its REST interface, looks after its executions, serves its editor. */
const STARTING = `
	const stages = ['/healthz/readiness', '/rest/settings', '/'];
	let served = 0;
	require('node:http').createServer(({ url }, response) => {
		if (url === '/stage') return response.end(String(served));
		response.statusCode = stages.indexOf(url) < served ? 200 : 404;
		response.end();
	}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
	setInterval(() => served++, 500);
`;

test('n8n has started when it serves its editor: before, n8n 1 sets back what goes on', async () => {
	const program = join(folder, 'n8n.cjs');
	writeFileSync(program, STARTING);
	const n8n = await startN8n({
		host: { generation: 'oldest', version: '1.0.0', program },
		home: join(folder, 'home'),
	});
	try {
		const response = await fetch(`${n8n.url}/stage`);
		expect(Number(await response.text())).toBeGreaterThanOrEqual(3);
	} finally {
		await n8n.kill();
	}
}, 30_000);

test('a free port is none that an outgoing connection could take before a program listens on it', async () => {
	const ports = await Promise.all(Array.from({ length: 20 }, freePort));
	for (const port of ports) {
		expect(port).toBeGreaterThanOrEqual(20_000);
		expect(port).toBeLessThan(32_768);
	}
	expect(new Set(ports).size).toBeGreaterThan(1);
});
