/** Programs of the operating system: which are missing, and how to install them. */
import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';

import { capture } from './bootstrap/npm.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';

/**
 * @returns the first executable file with that name on the PATH; an absolute path is used as it is
 */
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

/** @param tools program → its Debian package @returns the packages of the missing programs */
export function missingTools(tools: Record<string, string>): string[] {
	return Object.entries(tools)
		.filter(([program]) => findProgram(program) === undefined)
		.map(([, debianPackage]) => debianPackage);
}

/**
 * Installs packages if that needs no consent: as root on Debian or Ubuntu, as in a container.
 *
 * @returns false if this is another system; throws if the installation fails
 */
export async function installDebianPackages(packages: string[]): Promise<boolean> {
	if (findProgram('apt-get') === undefined || process.getuid?.() !== 0) return false;
	console.log(`  Installing ${packages.join(', ')} with apt-get ...`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	// After a failed update, the existing lists may still work.
	await capture('apt-get', ['update', '-qq'], { env });
	const { code, output } = await capture(
		'apt-get',
		[
			// Two parts of a first run can install at once.
			...['-o', 'DPkg::Lock::Timeout=600'],
			...['install', '-y', '-qq', '--no-install-recommends', ...packages],
		],
		{ env },
	);
	if (code === 0) return true;
	const excerpt = output.trim().split('\n').slice(-5).join('\n');
	throw new ExplainedError(
		`apt-get could not install ${packages.join(', ')}. Its output:\n\n${excerpt}`,
	);
}

/** The sentence for a person who must install something. */
export function sayWhatToInstall(packages: string[]): string {
	const list = packages.join(' ');
	if (process.platform === 'darwin')
		return `Missing: ${list}. Install them with 'xcode-select --install' or 'brew install ${list}'.`;
	return `Missing: ${list}. Install them with 'sudo apt-get install ${list}', or with your system's package manager.`;
}
