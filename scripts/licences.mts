/** The licence notices of bundled packages. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import { readManifest } from './n8n/package.mts';

/** The package folder of a bundled file; undefined for a file of this repository. */
const packageOf = (file: string): string | undefined =>
	/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** An author as in a manifest: a text, or an object with a name. */
const nameOf = (author: unknown): string =>
	typeof author === 'string' ? author : String((author as { name?: unknown } | undefined)?.name);

/**
 * Lists each package with its version, its licence and the licence's text.
 *
 * @param files bundled files, by their paths in this repository
 * @throws ExplainedError if a package names no licence
 */
export function noticesOf(files: string[]): string {
	const folders = new Set(files.flatMap((file) => packageOf(file) ?? []));
	const notices = [...folders].sort().map((folder) => {
		const { name, version, license, author } = readManifest(join(checkout, folder));
		if (typeof license !== 'string')
			throw new ExplainedError(`${name} ${version} does not name its licence.`);
		const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: join(checkout, folder) });
		const text =
			file === undefined
				? `The package contains no licence text. Author: ${nameOf(author)}.`
				: readFileSync(join(checkout, folder, file), 'utf8').trim();
		return `## ${name} ${version} (${license})\n\n${text}\n`;
	});
	return `# Licences of the packages that this one includes\n\n${notices.join('\n')}`;
}
