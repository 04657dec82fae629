/** What `npm start` and `npm run dev` have in common: their options, and a sandbox and an n8n that run until Ctrl-C. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { withLock } from './bootstrap/cache.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import type { Lifetime } from './lifetime.mts';
import { parseGeneration } from './n8n/host.mts';
import { closeToOthers } from './n8n/private.mts';
import { requirePort } from './n8n/processes.mts';
import { type Install, type Setting, type Stack, startStack } from './n8n/stack.mts';

/** For node:util's parseArgs. */
export const SERVE_OPTIONS = {
	port: { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '4010' },
	data: { type: 'string', default: join(checkout, '.sandbox') },
	n8n: { type: 'string', default: 'current' },
} as const;

export interface Service {
	install: Install;
	/** A sentence for whoever works with it. */
	hint?: string;
	/** What goes on once everything runs. */
	work: (stack: Stack) => Promise<void>;
}

export async function serve(
	values: Record<keyof typeof SERVE_OPTIONS, string>,
	{ install, hint = '', work }: Service,
	life: Lifetime,
): Promise<void> {
	const setting: Setting = {
		generation: parseGeneration(values.n8n),
		data: resolve(values.data),
		port: parsePort(values.port, '--port'),
		sandboxPort: parsePort(values['sandbox-port'], '--sandbox-port'),
	};
	await requirePort(setting.port, 'n8n', '-- --port <number>');
	await requirePort(setting.sandboxPort, 'the sandbox', '-- --sandbox-port <number>');
	// Not all that is in it: a user could name a folder that holds more than ours.
	mkdirSync(setting.data, { recursive: true });
	closeToOthers(setting.data);
	const lock = join(setting.data, 'in-use.lock');
	const other = `the other 'npm start' or 'npm run dev' with the data of ${setting.data} to stop`;
	await withLock(lock, other, async () => {
		const started = Date.now();
		closeToOthers(lock);
		const stack = await startStack(setting, install);
		life.isReady = true;
		const seconds = Math.round((Date.now() - started) / 1000);
		console.log(`
Ready after ${seconds} s.

${addresses(stack)}

${hint}Ctrl-C stops both. What you made stays in ${setting.data}.`);
		await work(stack);
	});
}

const addresses = ({ n8n, owner, sandbox, autoReply }: Stack): string => `\
  The customer's phone   ${sandbox.url}
      Write a message there and read what n8n replies.

  n8n                    ${n8n.url}/home/workflows
      Sign in as ${owner.email} with the password ${owner.password}
      The workflow 'Auto-Reply' is published, and stands first: ${n8n.url}/workflow/${autoReply.id}
      The other examples wait beside it, unpublished: a note in each says how to try it.`;

function parsePort(value: string, option: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new ExplainedError(`${option} takes a port number from 1 to 65535, not '${value}'.`);
}
