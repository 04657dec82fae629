#!/bin/sh
# One would guess that a condition "greater than" of n8n's Data Table node means the same in Get Row(s)
# and in If Row Does Not Exist, which share their parameters. In If Row Exists and If Row Does Not
# Exist, n8n takes every condition as "equals", without a word. Needs Node.js 24 and about two
# minutes, without the installation if N8N_FOLDER has one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [ -z "${N8N_FOLDER:-}" ]; then
	npm init -y >/dev/null
	npm install --silent --no-audit --no-fund --legacy-peer-deps n8n@2.41.1
	N8N_FOLDER=$folder
fi
cat >run.cjs <<'JS'
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createServer } = require('node:net');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const [folder, home] = process.argv.slice(2);
const n8n = join(folder, 'node_modules', 'n8n');
let url = '';

async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address();
	server.close();
	await once(server, 'close');
	return String(port);
}
async function start() {
	const port = await freePort();
	url = `http://127.0.0.1:${port}`;
	const env = {
		...{ PATH: process.env.PATH, HOME: home, N8N_USER_FOLDER: home, N8N_PORT: port },
		...{ N8N_LISTEN_ADDRESS: '127.0.0.1', N8N_RUNNERS_BROKER_PORT: await freePort() },
		...{ N8N_SECURE_COOKIE: 'false', N8N_DIAGNOSTICS_ENABLED: 'false' },
	};
	const started = spawn(process.execPath, [join(n8n, 'bin', 'n8n'), 'start'], { env });
	let printed = '';
	for (const stream of [started.stdout, started.stderr]) stream.on('data', (text) => (printed += text));
	while (!printed.includes('Editor is now accessible')) {
		if (started.exitCode !== null) throw new Error(printed);
		await sleep(200);
	}
	return started;
}
async function stop(started) {
	started.kill('SIGTERM');
	await once(started, 'exit');
}
let cookie = '';
async function call(method, path, body) {
	const headers = { 'content-type': 'application/json', 'browser-id': 'finding', cookie };
	const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
	const [set] = response.headers.getSetCookie().filter((one) => one.startsWith('n8n-auth='));
	if (set) cookie = set.split(';')[0];
	const text = await response.text();
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return JSON.parse(text || '{}').data;
}
const node = (name, type, typeVersion, parameters, more) => ({
	...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters },
	...more,
});

(async () => {
	console.log('n8n', require(join(n8n, 'package.json')).version);
	const started = await start();
	const owner = { email: 'owner@example.com', firstName: 'Sam', lastName: 'Owner', password: 'Made-up-1' };
	await call('POST', '/rest/owner/setup', owner);
	const { id: project } = await call('GET', '/rest/projects/personal');
	const path = `/rest/projects/${project}/data-tables`;
	const { id: table } = await call('POST', path, { name: 'Numbers', columns: [{ name: 'n', type: 'number' }] });
	await call('POST', `${path}/${table}/insert`, { data: [{ n: 5 }], returnType: 'count' });
	for (const operation of ['get', 'rowNotExists']) {
		const { id, versionId } = await call('POST', '/rest/workflows', {
			name: operation,
			active: false,
			settings: { executionOrder: 'v1' },
			nodes: [
				node('Asked', 'webhook', 2, { path: operation, httpMethod: 'POST', responseMode: 'lastNode' }, { webhookId: operation }),
				node('More than five?', 'dataTable', 1, {
					...{ operation, matchType: 'allConditions' },
					dataTableId: { __rl: true, mode: 'id', value: table },
					filters: { conditions: [{ keyName: 'n', condition: 'gt', keyValue: '5' }] },
				}, { alwaysOutputData: true }),
				node('Told', 'set', 3.4, {
					assignments: {
						assignments: [{ id: '1', name: 'items', type: 'number', value: "={{ $input.all().filter(({ json }) => Object.keys(json).length > 0).length }}" }],
					},
				}),
			],
			connections: {
				Asked: { main: [[{ node: 'More than five?', type: 'main', index: 0 }]] },
				'More than five?': { main: [[{ node: 'Told', type: 'main', index: 0 }]] },
			},
		});
		await call('POST', `/rest/workflows/${id}/activate`, { versionId });
		let asked;
		while (!asked?.ok) {
			asked = await fetch(`${url}/webhook/${operation}`, { method: 'POST' });
			if (asked.status !== 404 && !asked.ok) throw new Error(await asked.text());
			await sleep(500);
		}
		console.log(`a row of 5, greater than 5, ${operation}: ${(await asked.json()).items} items`);
	}
	await stop(started);
	process.exit(0);
})().catch((error) => {
	console.error(error);
	process.exit(1);
});
JS
node run.cjs "$N8N_FOLDER" "$folder" | tee output
diff output - <<'EXPECTED'
n8n 2.41.1
a row of 5, greater than 5, get: 0 items
a row of 5, greater than 5, rowNotExists: 0 items
EXPECTED
