import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { capture, npm } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';

export interface Installed {
	tarball: string;
	/** The folder with only the installed package. */
	app: string;
	/** The program, as npm links it. */
	program: string;
}

/** Builds and packs the sandbox's package, and installs the tarball into an empty subfolder. */
export async function installSandbox(folder: string): Promise<Installed> {
	const source = join(folder, 'package');
	const built = await capture(
		process.execPath,
		['--import', 'tsx', 'scripts/buildSandbox.mts', '--out', source],
		{ cwd: checkout },
	);
	if (built.code !== 0) throw new Error(built.output);
	await npm(['pack', '--ignore-scripts', '--pack-destination', folder], {
		cwd: source,
		what: 'pack the sandbox',
	});
	const tarball = join(
		folder,
		readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
	);
	const app = join(folder, 'app');
	mkdirSync(app);
	writeFileSync(join(app, 'package.json'), '{"private":true}');
	await npm(['install', tarball], { cwd: app, what: 'install the sandbox' });
	const program = join(app, 'node_modules', '.bin', 'business-messaging-sandbox');
	return { tarball, app, program };
}
