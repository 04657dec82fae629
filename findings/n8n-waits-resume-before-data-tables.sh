#!/bin/sh
# One would guess that an execution whose wait ended while n8n was stopped goes on once n8n is up
# again. n8n resumes it while it starts, before it has its data tables: a Data Table behind the Wait
# fails as if they were switched off, and Retry On Fail does not help. n8n is stopped in an orderly
# way. Needs Node.js 24 and about five minutes, without the installation if N8N_FOLDER has one.
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
const SECONDS = 70;
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
	let started = await start();
	const owner = { email: 'owner@example.com', firstName: 'Sam', lastName: 'Owner', password: 'Made-up-1' };
	await call('POST', '/rest/owner/setup', owner);
	const { id: project } = await call('GET', '/rest/projects/personal');
	const columns = [{ name: 'who', type: 'string' }];
	await call('POST', `/rest/projects/${project}/data-tables`, { name: 'Calls', columns });
	const { id, versionId } = await call('POST', '/rest/workflows', {
		name: 'Call back',
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Asked', 'webhook', 2, { path: 'asked', httpMethod: 'POST' }, { webhookId: 'asked' }),
			node('Later', 'wait', 1.1, { amount: SECONDS, unit: 'seconds' }, { webhookId: 'later' }),
			node(
				'Whom?',
				'dataTable',
				1,
				{ operation: 'get', dataTableId: { __rl: true, mode: 'name', value: 'Calls' } },
				{ alwaysOutputData: true, retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
			),
		],
		connections: {
			Asked: { main: [[{ node: 'Later', type: 'main', index: 0 }]] },
			Later: { main: [[{ node: 'Whom?', type: 'main', index: 0 }]] },
		},
	});
	await call('POST', `/rest/workflows/${id}/activate`, { versionId });
	/** Calls it, and tells how it ended. @param meanwhile while it waits */
	async function ending(meanwhile) {
		const before = (await call('GET', '/rest/executions')).results.length;
		let asked;
		while (!asked?.ok) {
			await sleep(500);
			asked = await fetch(`${url}/webhook/asked`, { method: 'POST' });
		}
		const last = async () => {
			const { results } = await call('GET', '/rest/executions');
			return results.length > before ? results[0] : { status: 'new' };
		};
		while ((await last()).status !== 'waiting') await sleep(500);
		await meanwhile();
		let found = await last();
		while (!['success', 'error', 'crashed'].includes(found.status)) {
			await sleep(1000);
			found = await last();
		}
		const { data } = await call('GET', `/rest/executions/${found.id}`);
		const said = /Attempted to use Data table node[^"]*/.exec(data)?.[0];
		return said ? `${found.status}, ${said}` : found.status;
	}
	console.log('n8n runs:', await ending(async () => {}));
	const stopped = async () => {
		await stop(started);
		await sleep((SECONDS + 5) * 1000);
		started = await start();
	};
	console.log('n8n was stopped:', await ending(stopped));
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
n8n runs: success
n8n was stopped: error, Attempted to use Data table node but the module is disabled
EXPECTED
