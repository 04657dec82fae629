#!/bin/sh
# One would guess that n8n's Data Table node, By Name, takes the table of that name. It takes, of all
# tables whose name contains the given one in any case, the one that was written to last: a table
# "Opt-Out 2025" takes the place of "Opt-Out". Needs Node.js 24 and about two minutes, without the
# installation if N8N_FOLDER has one.
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
	const columns = [{ name: 'who', type: 'string' }];
	const tables = {};
	for (const name of ['Opt-Out', 'My opt-out 2025']) {
		const path = `/rest/projects/${project}/data-tables`;
		const { id } = await call('POST', path, { name, columns });
		tables[name] = `${path}/${id}/insert`;
	}
	const { id, versionId } = await call('POST', '/rest/workflows', {
		name: 'Who wants no messages?',
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			node(
				'Asked',
				'webhook',
				2,
				{ path: 'asked', httpMethod: 'POST', responseMode: 'lastNode' },
				{ webhookId: 'asked' },
			),
			node('Who?', 'dataTable', 1, {
				...{ operation: 'get', returnAll: true },
				dataTableId: { __rl: true, mode: 'name', value: 'Opt-Out' },
			}),
		],
		connections: { Asked: { main: [[{ node: 'Who?', type: 'main', index: 0 }]] } },
	});
	await call('POST', `/rest/workflows/${id}/activate`, { versionId });
	for (const name of ['Opt-Out', 'My opt-out 2025', 'Opt-Out']) {
		await sleep(2000);
		await call('POST', tables[name], { data: [{ who: `a row of ${name}` }], returnType: 'count' });
		let asked;
		while (!asked?.ok) {
			asked = await fetch(`${url}/webhook/asked`, { method: 'POST' });
			if (asked.status !== 404 && !asked.ok) throw new Error(await asked.text());
			await sleep(500);
		}
		console.log(`"${name}" written last: Opt-Out gives`, (await asked.json()).who);
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
"Opt-Out" written last: Opt-Out gives a row of Opt-Out
"My opt-out 2025" written last: Opt-Out gives a row of My opt-out 2025
"Opt-Out" written last: Opt-Out gives a row of Opt-Out
EXPECTED
