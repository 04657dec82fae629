import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { TOKEN_VARIABLE } from '../commands.cjs';
import { StartError } from '../core/errors.mts';
import { readJson } from '../core/jsonFile.mts';
import { newTenantsSchema } from '../seedTenants.mts';
import type { SandboxOptions } from '../server.mts';

const DEFAULT_FOLDER = join(homedir(), '.business-messaging-sandbox');
const DATA_FILE = 'sandbox.sqlite';
/** The file contains other people's messages. */
const PRIVATE = 0o700;

/** The folder of the state. Creates it. */
export function dataFile(folder: string | undefined, memory: boolean | undefined): string {
	if (memory === true) {
		if (folder === undefined) return ':memory:';
		throw new StartError(
			'--memory keeps no state and --data keeps it in a folder. Use one of them.',
		);
	}
	const path = resolve(folder ?? DEFAULT_FOLDER);
	const remedy = 'Name another folder with --data, or keep the state in memory with --memory.';
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
		throw new StartError(`--data needs a folder, and ${path} is not one. ${remedy}`);
	try {
		mkdirSync(path, { recursive: true, mode: PRIVATE });
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartError(`--data: cannot create the folder ${path}: ${reason}. ${remedy}`);
	}
	return join(path, DATA_FILE);
}

/** Characters that need no escaping in headers and addresses. */
const TOKEN = /^[\w.~-]{16,256}$/;

/** The token that was set, by the option or the variable. */
export function readToken(given: string | undefined): { token?: string } {
	const [source, token] =
		given === undefined
			? ([TOKEN_VARIABLE, process.env[TOKEN_VARIABLE] || undefined] as const)
			: (['--token', given] as const);
	if (token === undefined) return {};
	if (!TOKEN.test(token))
		throw new StartError(
			`${source} must be 16 to 256 letters, digits, or any of . _ ~ -. Leave it out to have one made.`,
		);
	return { token };
}

const seedFileSchema = z.strictObject({
	seed: z.string().min(1).max(256).optional(),
	demo: z.boolean().optional(),
	tenants: newTenantsSchema.optional(),
});

type Seed = Pick<SandboxOptions, 'seed' | 'demo' | 'tenants'>;

/** The contents of a new sandbox by the file of --seed. */
export function readSeed(file: string | undefined): Seed {
	if (file === undefined) return {};
	return readJson<Seed>('--seed', file, () => seedFileSchema, {
		form: 'must contain {seed?, demo?, tenants?} as in the README',
	});
}
