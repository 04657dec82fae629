import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { readManifest } from '../../scripts/n8n/package.mts';
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

test('the package holds the two nodes, the credential, icons, codex and output schemas, and nothing else', () => {
	const others = files.filter((file) => !/^dist\/(nodes|credentials)\/.+\.js$/.test(file));
	expect(others).toEqual(
		[
			'LICENSE.md',
			'README.md',
			'dist/icons/business-messaging.dark.svg',
			'dist/icons/business-messaging.svg',
			'dist/nodes/BusinessMessaging/BusinessMessaging.node.json',
			'dist/nodes/BusinessMessaging/BusinessMessagingTrigger.node.json',
			'dist/nodes/BusinessMessaging/__schema__/v1.0.0.json',
			'dist/nodes/BusinessMessaging/__schema__/v1.0.0/message/sendAndWait.json',
			'dist/nodes/BusinessMessaging/__schema__/v1.1.0.json',
			'dist/nodes/BusinessMessaging/__schema__/v1.1.0/message/sendAndWait.json',
			'package.json',
		].sort(),
	);
});

test('every script in the package is reached from a node or the credential', () => {
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
	// Types alone compile to a module without content, which nobody requires.
	expect(
		unreached.filter((file) => /exports\.\w+/.test(readFileSync(join(folder, file), 'utf8'))),
	).toEqual([]);
});

test('the package depends on nothing at run time', () => {
	expect(readManifest(folder).dependencies).toBeUndefined();
});

/** The file that a relative import without its ending means. */
function fileFor(path: string): string {
	const file = relative(folder, path);
	return files.includes(`${file}.js`) ? `${file}.js` : join(file, 'index.js');
}
