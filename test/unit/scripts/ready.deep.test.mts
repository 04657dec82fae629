import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../scripts/n8n/processes.mts';
import { startN8n } from '../../../scripts/n8n/server.mts';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ready-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts as n8n does: serves everything first. After the third request it logs the editor. */
const STARTING = `
	let asked = 0;
	require('node:http').createServer(({ url }, response) => {
		if (url === '/asked') return response.end(String(asked));
		asked += 1;
		if (asked === 3) console.log('Editor is now accessible via:');
		response.end();
	}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
`;

test('n8n has started once it logs its editor: before, it resets executions and activates workflows', async () => {
	const program = join(folder, 'n8n.cjs');
	writeFileSync(program, STARTING);
	const options = {
		host: { generation: 'oldest', version: '1.0.0', program },
		home: join(folder, 'home'),
	} as const;
	// The second start must not go by the log of the first.
	for (const start of [1, 2]) {
		const n8n = await startN8n(options);
		try {
			expect({ start, asked: await (await fetch(`${n8n.url}/asked`)).text() }).toEqual({
				...{ start, asked: expect.stringMatching(/^[34]$/) },
			});
		} finally {
			await n8n.kill();
		}
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
