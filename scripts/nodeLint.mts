/**
 * Runs `n8n-node lint` in strict mode: n8n's linter for node authors, with its own configuration.
 * It accepts no other configuration in a package's folder, and ours covers the whole repository. So
 * this lints a copy of the package's sources beside the linter's configuration.
 */
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { capture, cleanEnvironment } from './bootstrap/npm.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import { installTool } from './pinned.mts';
import { withTemporaryFolder } from './temporary.mts';

/** The files that the linter reads: the sources, and what its rules look up beside them. */
const LINTED = ['package.json', 'tsconfig.json', 'nodes', 'credentials', 'icons'];
const DEFAULT_CONFIGURATION = 'dist/template/templates/shared/default/eslint.config.mjs';

/** Lints a package's sources. @throws ExplainedError with its findings, also warnings */
export async function lintAsN8nNode(folder = checkout): Promise<void> {
	const linters = await installNodeLinters();
	const cli = join(linters, 'node_modules', '@n8n', 'node-cli');
	await withTemporaryFolder('node-lint', async (copy) => {
		for (const name of LINTED)
			if (existsSync(join(folder, name)))
				cpSync(join(folder, name), join(copy, name), { recursive: true });
		cpSync(join(cli, DEFAULT_CONFIGURATION), join(copy, 'eslint.config.mjs'));
		symlinkSync(join(linters, 'node_modules'), join(copy, 'node_modules'), 'junction');
		// Under Jest's NODE_ENV, the rules treat every file as their own test.
		const env = cleanEnvironment(process.execPath, { NODE_ENV: undefined });
		const lint = [join(cli, 'bin', 'n8n-node.mjs'), 'lint'];
		const { code, output } = await capture(process.execPath, lint, { cwd: copy, env });
		const said = stripVTControlCharacters(output).trim();
		// With only warnings, the linter also ends with 0.
		if (code !== 0 || /\d problems?\b/.test(said))
			throw new ExplainedError(`n8n-node lint, in strict mode, complains:\n\n${said}`);
		console.log('n8n-node lint in strict mode: 0 errors, 0 warnings.');
	});
}

/** Both versions of the scanner's rules, and the command. */
export const installNodeLinters = (): Promise<string> =>
	installTool('n8n-node-lint', {
		what: "n8n's linters for nodes",
		takes: 'half a minute, 0.3 GB',
		gigabytes: 0.5,
	});
