/**
 * Installs the n8n that a program needs: `fetch.mts <program> [options]`. The bootstrap runs it
 * before the dependencies are there, so Node.js itself strips the types, and only files without
 * packages are imported.
 */
import { parseArgs } from 'node:util';

import { chooseN8n, installHost, N8N_VARIABLE } from './host.mts';

const TESTS = 'scripts/test.mts';
/** The parts of the tests that run in n8n. */
const IN_N8N = ['host', 'oldest', 'browser'];

/** The n8n that a command line needs, as its option `--n8n` has it. */
function wantedBy([program = '', ...given]: string[]): string | undefined {
	const { values, positionals: words } = parseArgs({
		args: given.slice(0, given.includes('--') ? given.indexOf('--') : undefined),
		options: { n8n: { type: 'string' }, 'n8n-url': { type: 'string' } },
		strict: false,
	});
	const isTested =
		program === TESTS &&
		values['n8n-url'] === undefined &&
		(words.length === 0 || words.some((word) => IN_N8N.includes(word)));
	if (!isTested && !['scripts/start.mts', 'scripts/dev.mts'].includes(program)) return undefined;
	return given.includes('--help') ? undefined : String(values.n8n ?? 'current');
}

const wanted = wantedBy(process.argv.slice(2));
if (wanted !== undefined) {
	const { version, generation } = chooseN8n(wanted);
	process.env[N8N_VARIABLE] = version;
	await installHost(generation);
}
