import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { readManifest } from '#scripts/n8n/package.mts';
import { outputSchemas } from '#scripts/outputSchemas.mts';
import { ACTION, Host, TRIGGER } from './harness/host.mts';

const host = new Host();
const folder = join(
	host.underTest.home,
	'.n8n',
	'nodes',
	'node_modules',
	'n8n-nodes-business-messaging',
);
const files = globSync('**/*', { cwd: folder })
	.filter((file) => statSync(join(folder, file)).isFile())
	.sort();
const ENTRIES = [
	'dist/credentials/BusinessMessagingApi.credentials.js',
	'dist/nodes/BusinessMessaging/BusinessMessaging.node.js',
	'dist/nodes/BusinessMessaging/BusinessMessagingTrigger.node.js',
];

test('n8n has loaded both nodes from the packed package', async () => {
	expect(await host.client.nodeTypes()).toEqual(
		expect.arrayContaining([ACTION, TRIGGER, `${ACTION}Tool`]),
	);
});

test('the package holds the nodes, the credential, icons, codex and output schemas, and nothing else', () => {
	const others = files.filter((file) => !/^dist\/(nodes|credentials)\/.+\.js$/.test(file));
	expect(others).toEqual(
		[
			'LICENSE.md',
			'README.md',
			'dist/icons/business-messaging.dark.svg',
			'dist/icons/business-messaging.svg',
			'dist/nodes/BusinessMessaging/BusinessMessaging.node.json',
			'dist/nodes/BusinessMessaging/BusinessMessagingTrigger.node.json',
			...[...outputSchemas().keys()].map((path) => `dist/nodes/BusinessMessaging/${path}`),
			'package.json',
		].sort(),
	);
});

test('n8n serves the output schemas to its editor, for every operation and for the trigger', async () => {
	for (const [path, schema] of outputSchemas()) {
		const [, version = '', ofOperation = ''] =
			/^__schema__\/v([^/]+?)(\/.+)?\.json$/.exec(path) ?? [];
		const node = ofOperation === '' ? TRIGGER : ACTION;
		const response = await fetch(
			new URL(`/schemas/${node}/${version}${ofOperation}.json`, host.underTest.n8nUrl),
		);
		expect([path, response.status, await response.json()]).toEqual([path, 200, schema]);
	}
});

test('a node or the credential imports every script in the package', () => {
	const reached = new Set<string>();
	const visit = (file: string): void => {
		if (reached.has(file)) return;
		reached.add(file);
		const imports = readFileSync(join(folder, file), 'utf8').matchAll(/require\("(\.[^"]+)"\)/g);
		for (const [, specifier] of imports)
			visit(fileFor(resolve(folder, dirname(file), specifier ?? '')));
	};
	ENTRIES.forEach(visit);
	const unreached = files.filter((file) => file.endsWith('.js') && !reached.has(file));
	// A file of types compiles to an empty module, which nobody requires.
	expect(
		unreached.filter((file) => /exports\.\w+/.test(readFileSync(join(folder, file), 'utf8'))),
	).toEqual([]);
});

test('the package has no runtime dependencies', () => {
	expect(readManifest(folder).dependencies).toBeUndefined();
});

/** The file of a relative import without an extension. */
function fileFor(path: string): string {
	const file = relative(folder, path);
	return files.includes(`${file}.js`) ? `${file}.js` : join(file, 'index.js');
}
