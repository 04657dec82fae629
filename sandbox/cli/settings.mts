import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { DEFAULT_PORT } from '../command.mts';
import { StartError } from '../core/errors.mts';
import { newTenantsSchema } from '../seedTenants.mts';
import type { SandboxOptions } from '../server.mts';
import { stateFileSchema } from '../stateFile.mts';

export const TOKEN_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_TOKEN';
const DEFAULT_FOLDER = join(homedir(), '.business-messaging-sandbox');
const DATA_FILE = 'sandbox.sqlite';
/** Others' messages are in it. */
const PRIVATE = 0o700;

export const USAGE = `The messaging service as a sandbox, on this machine.

  business-messaging-sandbox [options]
  business-messaging-sandbox rehearse <script.yaml ...>   (more: rehearse --help)

  --port NUMBER              port to listen at (default ${DEFAULT_PORT}; 0 takes a free one)
  --data FOLDER              keeps the state there (default ~/.business-messaging-sandbox)
  --memory                   keeps the state in memory: it is gone at the end
  --seed FILE                JSON with what a new sandbox holds: {seed?, demo?, tenants?},
                             or the state that another one exported
  --host ADDRESS             address to listen at (default 127.0.0.1: this machine alone)
  --token TOKEN              what page and control API ask other machines for; better in the
                             variable ${TOKEN_VARIABLE}. Made when needed and not given
  --allow-host NAME          lets the sandbox be called under this name too; can be repeated
  --allow-delivery-to HOST   lets deliveries go to this host too; can be repeated
  --version                  prints the version
  --help                     prints this text`;

/** Where the state is kept. Makes the folder. */
export function dataFile(folder: string | undefined, memory: boolean | undefined): string {
	if (memory === true) {
		if (folder === undefined) return ':memory:';
		throw new StartError(
			'--memory keeps the state nowhere, and --data in a folder: give one of them.',
		);
	}
	const path = resolve(folder ?? DEFAULT_FOLDER);
	const remedy = 'Name another folder with --data, or keep the state in memory with --memory.';
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
		throw new StartError(`--data takes a folder, and ${path} is none. ${remedy}`);
	try {
		mkdirSync(path, { recursive: true, mode: PRIVATE });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartError(`--data: the folder ${path} cannot be made: ${reason}. ${remedy}`);
	}
	return join(path, DATA_FILE);
}

/** What goes into headers and addresses as it is. */
const TOKEN = /^[\w.~-]{16,256}$/;

/** The token that was given, or one that is made where one is needed. */
export function readToken(
	given: string | undefined,
	isNeeded: boolean,
): { token?: string; isMade: boolean } {
	const [source, token] =
		given === undefined
			? ([TOKEN_VARIABLE, process.env[TOKEN_VARIABLE] || undefined] as const)
			: (['--token', given] as const);
	if (token === undefined)
		return isNeeded
			? { token: randomBytes(24).toString('base64url'), isMade: true }
			: { isMade: false };
	if (!TOKEN.test(token))
		throw new StartError(
			`${source} must be 16 to 256 letters, digits, or any of . _ ~ -: leave it out, and one is made.`,
		);
	return { token, isMade: false };
}

const seedFileSchema = z
	.object({
		seed: z.string().min(1).max(256).optional(),
		demo: z.boolean().optional(),
		tenants: newTenantsSchema.optional(),
	})
	.strict();

/** What the file of --seed says that a new sandbox holds: its own words, or the state that another one exported. */
export function readSeed(
	file: string | undefined,
): Pick<SandboxOptions, 'seed' | 'demo' | 'tenants' | 'state'> {
	if (file === undefined) return {};
	let content: unknown;
	try {
		content = JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartError(`--seed takes a JSON file, and ${file} cannot be read: ${reason}.`);
	}
	const isState = typeof content === 'object' && content !== null && 'format' in content;
	const parsed = isState
		? stateFileSchema.transform((state) => ({ state })).safeParse(content)
		: seedFileSchema.safeParse(content);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const place = issue?.path.length ? `, at ${issue.path.join('.')}` : '';
	throw new StartError(
		`--seed: ${file} must hold {seed?, demo?, tenants?}, as the README shows, or an exported state. It does not${place}: ${issue?.message}.`,
	);
}
