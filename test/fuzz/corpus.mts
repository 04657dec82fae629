/** Inputs that once broke something, each in a file of its own. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ENTRY_POINTS } from './entryPoints/index.mts';

const folder = join(import.meta.dirname, 'corpus');

interface Finding {
	entryPoint: string;
	/** What was wrong when it was found. */
	error: string;
	input: unknown;
}

/** Writes a finding down. @returns its file's name */
export function keep(finding: Finding): string {
	mkdirSync(folder, { recursive: true });
	const text = JSON.stringify(finding, null, '\t');
	const name = `${finding.entryPoint}-${createHash('sha256').update(JSON.stringify(finding.input)).digest('hex').slice(0, 8)}.json`;
	writeFileSync(join(folder, name), `${text}\n`);
	return name;
}

export const findings = (): string[] =>
	readdirSync(folder).filter((name) => name.endsWith('.json'));

/** Tries a finding again. @throws when it still breaks something */
export async function replay(name: string): Promise<void> {
	const { entryPoint, input } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Finding;
	const found = ENTRY_POINTS.find((candidate) => candidate.name === entryPoint);
	if (!found) throw new Error(`there is no entry point '${entryPoint}'`);
	await found.check(input);
}
