/** Inputs that once broke something, each in a file of its own. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DOORS } from './doors/index.mts';

const folder = join(import.meta.dirname, 'corpus');

interface Finding {
	door: string;
	/** What was wrong when it was found. */
	error: string;
	input: unknown;
}

/** Writes a finding down. @returns its file's name */
export function keep(finding: Finding): string {
	mkdirSync(folder, { recursive: true });
	const text = JSON.stringify(finding, null, '\t');
	const name = `${finding.door}-${createHash('sha256').update(JSON.stringify(finding.input)).digest('hex').slice(0, 8)}.json`;
	writeFileSync(join(folder, name), `${text}\n`);
	return name;
}

export const findings = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.json'));

/** Lets a finding in again. @throws when it still breaks something */
export async function replay(name: string): Promise<void> {
	const { door, input } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Finding;
	const found = DOORS.find((candidate) => candidate.name === door);
	if (!found) throw new Error(`there is no door '${door}'`);
	await found.check(input);
}
