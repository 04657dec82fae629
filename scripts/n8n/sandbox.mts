/** The sandbox as a process of its own, and its control interface. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { checkout, tool } from '../checkout.mts';
import { ExplainedError } from '../bootstrap/explained.mjs';
import { until } from '../until.mts';
import { startOwned, type OwnedProcess } from './processes.mts';

export interface RunningSandbox extends OwnedProcess {
	url: string;
}

const START_LIMIT_MS = 30_000;

/** @param data folder of its database, made when missing @param port a free one when 0 */
export async function startSandbox(data: string, port = 0): Promise<RunningSandbox> {
	const tsx = pathToFileURL(tool('tsx/dist/loader.mjs')).href;
	const owned = startOwned(['--import', tsx, join(checkout, 'sandbox', 'main.mts'), '--port', String(port), '--data', data], {
		logFile: join(data, 'sandbox.log'),
		cwd: checkout,
	});
	const alreadyLogged = owned.log().length;
	const printed = (): string => owned.log().slice(alreadyLogged);
	try {
		const [, url] = await until('the sandbox to be ready', () => readyLine(owned, printed()), START_LIMIT_MS);
		return { ...owned, url: url ?? '' };
	} catch (error) {
		await owned.kill();
		throw new ExplainedError(`The sandbox did not start. It said:\n\n${printed().trim()}`, error);
	}
}

function readyLine(owned: OwnedProcess, printed: string): RegExpExecArray | null {
	const line = /Sandbox ready at (\S+)/.exec(printed);
	if (!line && !owned.isRunning()) throw new Error('the sandbox ended by itself');
	return line;
}
