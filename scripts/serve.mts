/**
 * Shared by `npm start` and `npm run dev`: a sandbox and an n8n that run until Ctrl-C.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { text } from '../sandbox/core/commandLine.cjs';
import { secondsSinceCommand } from './bootstrap/began.cjs';
import { withLock } from './bootstrap/cache.cjs';
import { ExplainedError } from './bootstrap/explained.cjs';
import { checkout } from './checkout.mts';
import type { Lifetime } from './lifetime.mts';
import { parseGeneration } from './n8n/host.mts';
import { closeToOthers } from './n8n/private.mts';
import { requirePort } from './n8n/processes.mts';
import { type Install, type Setting, type Stack, startStack } from './n8n/stack.mts';

/** Of every command that runs a sandbox and an n8n until Ctrl-C. */
export const SERVE_OPTIONS = {
	port: { ...text('NUMBER', 'port of n8n'), default: '5678' },
	'sandbox-port': { ...text('NUMBER', 'port of the sandbox'), default: '4010' },
	'model-port': { ...text('NUMBER', 'port of the stand-in for a language model'), default: '4020' },
	data: { ...text('FOLDER', 'folder that keeps everything between runs'), default: '.sandbox' },
	n8n: {
		...text('GENERATION', 'current or oldest: which of the supported versions of n8n'),
		default: 'current',
	},
};
export type ServeValues = Record<keyof typeof SERVE_OPTIONS, string>;

export interface Service {
	install: Install;
	/** A sentence for the user. */
	hint?: string;
	/** Runs when everything is up. */
	work: (stack: Stack) => Promise<void>;
}

export async function serve(
	values: ServeValues,
	{ install, hint = '', work }: Service,
	life: Lifetime,
): Promise<void> {
	const setting: Setting = {
		generation: parseGeneration(values.n8n),
		data: resolve(checkout, values.data),
		port: parsePort(values.port, '--port'),
		sandboxPort: parsePort(values['sandbox-port'], '--sandbox-port'),
		modelPort: parsePort(values['model-port'], '--model-port'),
	};
	await requirePort(setting.port, 'n8n', '-- --port <number>');
	await requirePort(setting.sandboxPort, 'the sandbox', '-- --sandbox-port <number>');
	await requirePort(setting.modelPort, 'the stand-in model', '-- --model-port <number>');
	// Not its contents, because the folder could also contain the user's own files.
	mkdirSync(setting.data, { recursive: true });
	closeToOthers(setting.data);
	const lock = join(setting.data, 'in-use.lock');
	const other = `the other 'npm start' or 'npm run dev' with the data of ${setting.data} to stop`;
	await withLock(lock, other, async () => {
		closeToOthers(lock);
		const stack = await startStack(setting, install);
		life.isReady = true;
		console.log(`
Ready after ${secondsSinceCommand()} s.

${addresses(stack)}

${hint}Press Ctrl-C to stop everything. Your data stays in ${setting.data}.`);
		await work(stack);
	});
}

const addresses = ({ n8n, owner, sandbox, model, autoReply }: Stack): string => `\
  The customer's phone   ${sandbox.url}
      Write a message there and read what n8n replies.

  n8n                    ${n8n.url}/home/workflows
      Sign in as ${owner.email} with the password ${owner.password}
      The workflow 'Auto-Reply' is ${autoReply.active ? 'published' : 'unpublished, as you left it,'} and is the first in the list: ${n8n.url}/workflow/${autoReply.id}
      The other examples are there too, unpublished. A note in each says how to try it.
      Its log is ${n8n.logFile}

  A stand-in for a model ${model.url}
      Answers the examples with an AI agent, by rules and without a key.

  In another terminal
      npm run rehearse -- workflows/rehearsals/auto-reply.yaml --url ${sandbox.url}
          Plays a conversation with 'Auto-Reply' and checks its replies.
      curl ${sandbox.url}/_sandbox/messages
          Lists all messages. sandbox/docs/control-api.md has more to call.`;

function parsePort(value: string, option: string): number {
	const port = Number(value);
	if (Number.isInteger(port) && port > 0 && port < 65536) return port;
	throw new ExplainedError(`${option} needs a port number from 1 to 65535, not '${value}'.`);
}
