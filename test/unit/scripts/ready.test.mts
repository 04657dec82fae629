import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../scripts/n8n/processes.mts';
import { startN8n } from '../../../scripts/n8n/server.mts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ready-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts as n8n 1 does: says that it is ready and serves its REST interface first, and its editor
 * at the third request.
 */
const STARTING = `
	let asked = 0;
	require('node:http').createServer(({ url }, response) => {
		if (url === '/asked') return response.end(String(asked));
		if (url === '/') asked += 1;
		response.statusCode = url === '/' && asked < 3 ? 404 : 200;
		response.end();
	}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
`;

test('n8n has started once it serves its editor, because n8n 1 resets work begun before', async () => {
	const program = join(folder, 'n8n.cjs');
	writeFileSync(program, STARTING);
	const n8n = await startN8n({
		host: { generation: 'oldest', version: '1.0.0', program },
		home: join(folder, 'home'),
	});
	try {
		expect(await (await fetch(`${n8n.url}/asked`)).text()).toBe('3');
	} finally {
		await n8n.kill();
	}
}, 30_000);

test('a free port is one that no outgoing connection can take before a program listens on it', async () => {
	const ports = await Promise.all(Array.from({ length: 20 }, freePort));
	for (const port of ports) {
		expect(port).toBeGreaterThanOrEqual(20_000);
		expect(port).toBeLessThan(32_768);
	}
	expect(new Set(ports).size).toBeGreaterThan(1);
});
