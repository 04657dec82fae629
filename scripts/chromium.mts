import { ExplainedError } from './bootstrap/explained.cjs';
import { findProgram, installDebianPackages, sayWhatToInstall } from './system-packages.mts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const find = (): string | undefined =>
	[...NAMES, MAC].map((name) => findProgram(name)).find((program) => program !== undefined);

/**
 * Returns the path of a Chromium or Chrome for the browser tests. Installs Chromium if that needs
 * no consent.
 */
export async function provideChromium(): Promise<string> {
	const program = find() ?? ((await installDebianPackages(['chromium'])) ? find() : undefined);
	if (program !== undefined) return program;
	throw new ExplainedError(
		`The browser tests need Chromium or Chrome. ${sayWhatToInstall(['chromium'])}`,
	);
}
