/** What loading the package costs n8n when it starts, and what it weighs. */
import { capture, cleanEnvironment } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import type { Host } from '../host/harness/host.mts';
import { LOADING_MOST, loadingRatios } from '../host/harness/loading.mts';
import { atMost, type Bound } from './report.mts';

/** Bytes of the tarball, as npm says. */
async function tarballSize(): Promise<number> {
	const { code, output } = await capture(
		'npm',
		['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent'],
		{ cwd: checkout, env: cleanEnvironment() },
	);
	if (code !== 0) throw new Error(`npm did not say how large the package is: ${output}`);
	const [sizes] = JSON.parse(output.slice(output.indexOf('['))) as Array<{ size: number }>;
	return sizes!.size;
}

export const benchLoading = async ({ underTest }: Host): Promise<Bound[]> => [
	atMost("Time / n8n's nodes of three services", await loadingRatios(underTest), LOADING_MOST),
	atMost('Tarball', (await tarballSize()) / 1000, 124, { unit: ' kB', decimals: 1 }),
];
