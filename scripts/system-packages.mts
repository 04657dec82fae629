/** Programs of the operating system: which are missing, and how they come onto the machine. */
import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';

import { capture } from './bootstrap/npm.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';

/** @returns the first file of that name on the PATH that can be run; an absolute path stands for itself */
export function findProgram(name: string): string | undefined {
	for (const folder of (process.env.PATH ?? '').split(delimiter)) {
		const file = resolve(folder, name);
		try {
			accessSync(file, constants.X_OK);
			return file;
		} catch {
			continue;
		}
	}
	return undefined;
}

/** @param tools program → the Debian package that brings it @returns the packages of the programs that are missing */
export function missingTools(tools: Record<string, string>): string[] {
	return Object.entries(tools)
		.filter(([program]) => findProgram(program) === undefined)
		.map(([, debianPackage]) => debianPackage);
}

/**
 * Installs packages where that needs nobody's consent: as root on Debian or Ubuntu, which is what a container is.
 *
 * @returns false where it cannot; throws where it should have worked and did not
 */
export async function installDebianPackages(packages: string[]): Promise<boolean> {
	if (findProgram('apt-get') === undefined || process.getuid?.() !== 0) return false;
	console.log(`  Installing ${packages.join(', ')} with apt-get ...`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	// A failed update is not the end: the lists at hand may do.
	await capture('apt-get', ['update', '-qq'], { env });
	const { code, output } = await capture(
		'apt-get',
		['install', '-y', '-qq', '--no-install-recommends', ...packages],
		{ env },
	);
	if (code === 0) return true;
	const excerpt = output.trim().split('\n').slice(-5).join('\n');
	throw new ExplainedError(
		`apt-get could not install ${packages.join(', ')}. It said:\n\n${excerpt}`,
	);
}

/** The sentence for a person who has to install something by hand. */
export function sayWhatToInstall(packages: string[]): string {
	const list = packages.join(' ');
	if (process.platform === 'darwin')
		return `Missing: ${list}. Install them with 'xcode-select --install' or 'brew install ${list}'.`;
	return `Missing: ${list}. Install them with 'sudo apt-get install ${list}', or with your system's own package manager.`;
}
