/** What `node scripts/bootstrap.mjs containers` does without Docker, and when Docker fails. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { capture } from '../../../scripts/bootstrap/npm.cjs';
import { checkout } from '../../../scripts/checkout.mts';

const LIMIT_MS = 60_000;

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'containers-run-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs it with this in place of Docker. @returns also the commands that Docker got */
async function run(script: string) {
	const docker = join(folder, 'docker');
	const asked = join(folder, 'asked');
	writeFileSync(docker, `#!/bin/sh\necho "$@" >>'${asked}'\n${script}\n`);
	chmodSync(docker, 0o755);
	const result = await capture(
		process.execPath,
		['--import', 'tsx', 'test/containers/main.mts', '--n8n', 'next'],
		{ cwd: checkout, env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) } },
	);
	const calls = existsSync(asked) ? readFileSync(asked, 'utf8').trim().split('\n') : [];
	return { ...result, calls };
}

test(
	'reports that Docker does not run, and does not fail',
	async () => {
		const { code, output, calls } = await run('echo "no daemon" >&2; exit 1');
		expect(output).toContain('Left out: there is no Docker to start containers with');
		expect(output).toContain('no daemon');
		expect({ code, calls: calls.length }).toEqual({ code: 0, calls: 1 });
	},
	LIMIT_MS,
);

test(
	"shows Docker's words if the composition does not start, and leaves nothing behind",
	async () => {
		const { code, output, calls } = await run(
			'[ "$1" = info ] && exit 0; echo "no image $N8N_VERSION" >&2; exit 1',
		);
		expect(output).toMatch(/docker compose .*up --build --detach failed:\s+no image next/);
		expect(code).toBe(1);
		expect(calls.slice(2)).toEqual([
			expect.stringMatching(/^rm --force /),
			expect.stringMatching(/^compose --file .*containers\/compose\.yaml down --volumes$/),
		]);
	},
	LIMIT_MS,
);
