/** Who signs in to an n8n of ours: an account with a password of its own for each n8n home, kept there for the user alone. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ExplainedError } from '../bootstrap/explained.cjs';
import type { N8nClient } from './client.mts';
import { N8nRequestError } from './session.mts';
import type { RunningN8n } from './server.mts';
import type { Owner } from './types.mts';

const ACCOUNT: Omit<Owner, 'password'> = {
	email: 'owner@example.com',
	firstName: 'Sam',
	lastName: 'Owner',
};

/** What every owner had in the first version, for all to read. Data folders of then are given a password of their own. */
const PUBLISHED_PASSWORD = 'Sandbox-4-You';

export const passwordFile = (home: string): string => join(home, 'owner-password');

/** n8n asks for a number and an upper-case letter, too. */
const randomPassword = (): string => `${randomBytes(18).toString('base64url')}A1`;

/** The owner of the n8n with this home, whose password is made when there is none yet. */
export function ownerOf(home: string): Owner {
	const file = passwordFile(home);
	const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	if (known !== '') return { ...ACCOUNT, password: known };
	const password = randomPassword();
	writeFileSync(file, `${password}\n`, { mode: 0o600 });
	return { ...ACCOUNT, password };
}

/** Signs the owner in, after creating it when the n8n is new. @returns who that is */
export async function signInOwner({ client, home }: RunningN8n): Promise<Owner> {
	// Kept before n8n has it: whenever this is broken off, the next time goes on.
	const owner = ownerOf(home);
	if (await isSignedIn(client, owner)) return owner;
	if (!(await isSignedIn(client, { ...owner, password: PUBLISHED_PASSWORD }))) {
		throw new ExplainedError(
			`The owner of this n8n is not ${owner.email} any more, or has another password: write the password into ${passwordFile(home)}, ` +
				`or remove ${home} to begin with a new n8n.`,
		);
	}
	await client.changePassword(PUBLISHED_PASSWORD, owner.password);
	return owner;
}

async function isSignedIn(client: N8nClient, owner: Owner): Promise<boolean> {
	try {
		await client.signIn(owner);
		return true;
	} catch (error) {
		if (error instanceof N8nRequestError && error.status === 401) return false;
		throw error;
	}
}
