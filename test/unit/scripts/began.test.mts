import { execFileSync } from 'node:child_process';

import { checkout } from '#scripts/checkout.mts';

/** Runs a program that calls one function of it. */
const run = (code: string, env = process.env): string =>
	execFileSync(
		process.execPath,
		['-e', `const began = require('./scripts/bootstrap/began.cjs'); ${code}`],
		{
			cwd: checkout,
			encoding: 'utf8',
			env,
		},
	);

test('a program counts the seconds from the command that started it', () => {
	const name = 'BUSINESS_MESSAGING_BEGAN';
	const print = 'process.stdout.write(String(began.secondsSinceCommand()))';
	const ago = (ms: number) => ({ ...process.env, [name]: String(Date.now() - ms) });
	expect(Number(run(print, ago(90_000)))).toBeGreaterThanOrEqual(90);
	expect(Number(run(`began.beginCommand(); ${print}`, ago(90_000)))).toBeLessThan(90);
});
