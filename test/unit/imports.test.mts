import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { checkout } from '#scripts/checkout.mts';
import { complaintsAbout } from '../support/complaints.mts';
import type { LintedFile } from '../support/importRule.mts';

/** What each folder of the nodes may import from, as docs/architecture.md says. */
const MAY_IMPORT: Record<string, string[]> = {
	resources: ['replies', 'delivery', 'sending', 'listSearch', 'shared', 'service', 'workarounds'],
	trigger: ['replies', 'delivery', 'sending', 'listSearch', 'shared', 'service', 'workarounds'],
	replies: ['delivery', 'sending', 'listSearch', 'shared', 'service', 'workarounds'],
	delivery: ['shared', 'service', 'workarounds'],
	sending: ['shared', 'service', 'workarounds'],
	listSearch: ['shared', 'service', 'workarounds'],
	shared: ['service', 'workarounds'],
	service: ['workarounds'],
	workarounds: [],
};
const NODE_FILE = 'BusinessMessaging.node';
const OUTSIDE = ['sandbox', 'scripts', 'test'];

const folders = readdirSync(join(checkout, 'nodes/BusinessMessaging'), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map(({ name }) => name);

interface Case extends LintedFile {
	refused: boolean;
}
const planted = (filePath: string, specifier: string, refused: boolean): Case => ({
	filePath,
	code: `import { planted } from '${specifier}';`,
	refused,
});

const inNodes = folders.flatMap((folder) => {
	const file = `nodes/BusinessMessaging/${folder}/planted.ts`;
	const deep = `nodes/BusinessMessaging/${folder}/deeper/planted.ts`;
	return [
		...folders
			.filter((target) => target !== folder)
			.flatMap((target) => {
				const refused = !MAY_IMPORT[folder]?.includes(target);
				return [
					planted(file, `../${target}`, refused),
					planted(file, `../${target}/planted`, refused),
					planted(deep, `../../${target}/deeper/planted`, refused),
				];
			}),
		planted(file, `../${NODE_FILE}`, true),
		...OUTSIDE.map((target) => planted(file, `../../../${target}/planted.mts`, true)),
		planted(deep, '../planted', false),
		planted(file, 'n8n-workflow', false),
	];
});

const elsewhere = [
	...folders.flatMap((folder) => [
		planted(`nodes/BusinessMessaging/${NODE_FILE}.ts`, `./${folder}/planted`, false),
		planted(
			'credentials/BusinessMessagingApi.credentials.ts',
			`../nodes/BusinessMessaging/${folder}/planted`,
			!['service', 'workarounds'].includes(folder),
		),
		planted('sandbox/http/app.mts', `../../nodes/BusinessMessaging/${folder}/planted`, true),
		planted('scripts/start.mts', `../nodes/BusinessMessaging/${folder}/planted`, true),
		planted('test/unit/planted.test.mts', `../../nodes/BusinessMessaging/${folder}/planted`, false),
	]),
	planted('sandbox/contract.mts', '../nodes/BusinessMessaging/service/contract', false),
	planted('sandbox/http/app.mts', '../contract.mts', false),
	planted('sandbox/http/app.mts', '../../scripts/planted.mts', true),
	planted('sandbox/http/app.mts', '../../test/planted.mts', true),
	planted('scripts/n8n/host.mts', '../../test/planted.mts', true),
	planted('scripts/bootstrap.mjs', '../test/planted.mjs', true),
	planted('scripts/n8n/sandbox.mts', '../../sandbox/server.mts', false),
	planted('test/unit/planted.test.mts', '../../scripts/checkout.mts', false),
	...OUTSIDE.map((target) =>
		planted('credentials/BusinessMessagingApi.credentials.ts', `../${target}/planted.mts`, true),
	),
];

const forms = [
	"import type { planted } from '../trigger/planted';",
	"export { planted } from '../trigger/planted';",
	"export * from '../trigger/planted';",
	"import '../trigger/planted';",
].map((code) => ({ filePath: 'nodes/BusinessMessaging/service/client.ts', code, refused: true }));

/** An expression that is built from data can quote a secret. */
const built = ['new RegExp(data)', 'RegExp(data)', '/literal/'].flatMap((expression) =>
	[
		'nodes/BusinessMessaging/service/planted.ts',
		'nodes/BusinessMessaging/shared/node/hints.ts',
		'credentials/planted.ts',
		'sandbox/core/planted.mts',
	].map((filePath) => ({
		filePath,
		code: `export const planted = (data) => [data, ${expression}];`,
		refused: !expression.startsWith('/'),
	})),
);

/** Each is tried alone, because one complaint is enough. */
const slow = [
	...['(a+)+$', '\\s+$', '^(\\w+\\s?)*$', 'a*b', 'x.*y', '<[^>]*>', '\\S+\\.\\S+', '(?:\\r?\\n)+$'],
	...['^\\s+', '(?<!\\s)\\s+$', '<[^<>]*>', '\\d{1,9}x'],
].flatMap((expression, index) =>
	['nodes/BusinessMessaging/service/planted.ts', 'sandbox/core/planted.mts'].map((filePath) => ({
		...{ filePath, code: `export const planted = /${expression}/;`, refused: index < 8 },
	})),
);

/** The rules for expressions do not read what n8n runs. */
const hidden = ['={{ $json.a.replace(/x+$/, 1) }}', '={{ $json.a }}'].map((text, index) => ({
	...{ filePath: 'nodes/BusinessMessaging/trigger/planted.ts', refused: index === 0 },
	code: `export const planted = '${text}';`,
}));

/** One function writes to the log, each time one line. */
const logging = [
	{ filePath: 'nodes/BusinessMessaging/trigger/planted.ts', refused: true },
	{ filePath: 'nodes/BusinessMessaging/service/log.ts', refused: false },
].map((file) => ({ ...file, code: 'export const planted = (context) => context.logger;' }));

const cases: Case[] = [
	...inNodes,
	...elsewhere,
	...forms,
	...built,
	...slow,
	...hidden,
	...logging,
];
let messages: string[][] = [];
beforeAll(() => {
	messages = complaintsAbout(cases);
}, 60_000);

test('every folder of the nodes has its place in the order of imports, and no other does', () =>
	expect(folders.sort()).toEqual(Object.keys(MAY_IMPORT).sort()));

test('the tested imports include both kinds', () => {
	expect(cases.filter(({ refused }) => refused).length).toBeGreaterThan(50);
	expect(cases.filter(({ refused }) => !refused).length).toBeGreaterThan(50);
	expect(messages).toHaveLength(cases.length);
});

test('refuses imports against the order, built and slow expressions, and other ways to the log', () => {
	const isRefused = (index: number) =>
		messages[index]?.some((message) =>
			/import is restricted|Write expressions as|A line of the log|quadratic|backtracking|text that n8n runs/.test(
				message,
			),
		) ?? false;
	expect(cases.filter(({ refused }, index) => refused && !isRefused(index))).toEqual([]);
});

test('accepts every import along the order', () =>
	expect(
		cases
			.map((given, index) => ({ ...given, messages: messages[index] }))
			.filter((given) => !given.refused && given.messages?.length !== 0),
	).toEqual([]));

describe('no arrow runs up', () => {
	const of = ['nodes', 'credentials', 'sandbox', 'scripts'];
	const listed = execFileSync('git', ['ls-files', ...of], { cwd: checkout, encoding: 'utf8' });
	const files = listed.split('\n').filter((file) => /\.[cm]?ts$/.test(file));
	const found = (path: string) =>
		[path, `${path}.ts`, `${path}/index.ts`, `${path}.cts`].find((file) => files.includes(file));
	const arrows = files.flatMap((file) => {
		const code = readFileSync(join(checkout, file), 'utf8');
		const paths = [...code.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)];
		const targets = paths.map(([, path = '']) => found(posix.join(posix.dirname(file), path)));
		return targets.filter((to) => to !== undefined).map((to) => [file, to] as const);
	});
	const parents = (file: string): string[] =>
		file === '.' ? [] : [posix.dirname(file), ...parents(posix.dirname(file))];
	const folders = [...new Set(files.flatMap(parents))];

	test('every import is followed, types included', () =>
		expect(arrows.length).toBeGreaterThan(1000));

	/** Of a folder, each file and each folder with all in it is one place. */
	test.each(folders)('%s: its files and folders form no circle', (folder) => {
		const start = folder === '.' ? '' : `${folder}/`;
		const placeOf = (file: string) =>
			file.startsWith(start) ? file.slice(start.length).split('/')[0] : undefined;
		let left = arrows
			.map(([from, to]) => [placeOf(from), placeOf(to)] as const)
			.filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
		// What imports nothing that is left is in no circle.
		for (let before = Infinity; left.length < before;) {
			before = left.length;
			const importing = new Set(left.map(([from]) => from));
			left = left.filter(([, to]) => importing.has(to));
		}
		expect(left).toEqual([]);
	});
});

test('each name that the nodes export means one thing', () => {
	const listed = execFileSync('git', ['ls-files', 'nodes'], { cwd: checkout, encoding: 'utf8' });
	// An operation has the name of what it does, and a node its fields.
	const files = listed.split('\n').filter((file) => /(?<!\.operation)\.ts$/.test(file));
	const names = files.flatMap((file) => {
		const code = readFileSync(join(checkout, file), 'utf8');
		const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
		return [...code.matchAll(exported)].map(([, name]) => name);
	});
	expect(names.length).toBeGreaterThan(500);
	const again = names.filter((name, index) => name !== 'fields' && names.indexOf(name) < index);
	expect(again).toEqual([]);
});
