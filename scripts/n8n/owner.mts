/**
 * The owner account of an n8n of ours. Each n8n home has its own password, which only the user can
 * read.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from '../bootstrap/explained.cjs';
import { N8nRequestError } from './session.mts';
import type { RunningN8n } from './server.mts';
import type { Owner } from './types.mts';

const ACCOUNT: Omit<Owner, 'password'> = {
	email: 'owner@example.com',
	firstName: 'Sam',
	lastName: 'Owner',
};

const passwordFile = (home: string): string => join(home, 'owner-password');

/** The owner of the n8n with this home. Makes a password if there is none. */
export function ownerOf(home: string): Owner {
	const file = passwordFile(home);
	const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	if (known !== '') return { ...ACCOUNT, password: known };
	// n8n also requires a digit and an upper-case letter.
	const password = `${randomBytes(18).toString('base64url')}A1`;
	writeFileSync(file, `${password}\n`, { mode: 0o600 });
	return { ...ACCOUNT, password };
}

/** Signs the owner in. Creates it first in a new n8n. @returns the owner */
export async function signInOwner({ client, home }: RunningN8n): Promise<Owner> {
	// Stored before n8n has it, so that an interrupted run can continue.
	const owner = ownerOf(home);
	try {
		await client.signIn(owner);
		return owner;
	} catch (error) {
		if (!(error instanceof N8nRequestError) || error.status !== 401) throw error;
		throw new ExplainedError(
			`The owner of this n8n is no longer ${owner.email}, or has another password. Write the password into ${passwordFile(home)}, ` +
				`or delete ${home} to start with a new n8n.`,
		);
	}
}
