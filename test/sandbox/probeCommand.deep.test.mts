/** The command in its own process: its options, its end by signals, and its file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type FactsFile, factsFileSchema } from '#sandbox/facts/file.mts';
import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { checkout } from '#scripts/checkout.mts';
import { startTestSandbox, until } from './helpers.mts';
import { customerOf, deliveriesHere, marked, PHONE } from './probeHarness.mts';
import { endAll, type SandboxProcess, spawnProgram } from './process.mts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof startTestSandbox>>;
let folder: string;
let started: SandboxProcess[] = [];
beforeEach(async () => {
	service = await startTestSandbox();
	folder = mkdtempSync(join(tmpdir(), 'probe-'));
});
afterEach(async () => {
	await endAll(started);
	started = [];
	await service.close();
	rmSync(folder, { recursive: true, force: true });
});

/** Starts the published program. */
function probe(
	parameters: string[],
	env: NodeJS.ProcessEnv = { BUSINESS_MESSAGING_PROBE_KEY: DEMO_SECRET_KEY },
): SandboxProcess {
	const bin = join(checkout, 'sandbox', 'cli', 'bin.mts');
	const program = spawnProgram(['--import', 'tsx', bin, 'probe', ...parameters], env);
	started.push(program);
	return program;
}

const out = () => join(folder, 'facts.json');
const where = () => [...['--url', `${service.url}/`, '--channel', DEMO_CHANNEL_ID, '--out', out()]];
const withDeliveries = async () => {
	const { port, publicUrl } = await deliveriesHere();
	const person = ['--allow', 'webhooks,channels', '--phone', PHONE];
	return [...where(), ...person, '--public-url', publicUrl, '--port', String(port)];
};
const fileWritten = (): FactsFile => factsFileSchema.parse(JSON.parse(readFileSync(out(), 'utf8')));

/** Waits until the program asks the person. */
const asked = (program: SandboxProcess, what = 'write') =>
	until(`the probe asks to ${what}`, () => program.output().includes(`→ Now ${what}`), 30_000);

it('writes a file, without the key, and says how many hold', async () => {
	const program = probe(where());
	expect(await program.ended).toBe(0);
	expect(program.output()).toMatch(/^✓ channels\.wrong-key: /m);
	expect(program.output()).toMatch(/^– webhook\.create: not probed: needs --allow webhooks$/m);
	expect(program.output()).toMatch(/^\d+ hold, 0 do not, \d+ were not probed: .*facts\.json$/m);
	expect(fileWritten().facts.some(({ holds }) => holds)).toBe(true);
	for (const text of [program.output(), readFileSync(out(), 'utf8')]) {
		expect(text).not.toContain(DEMO_SECRET_KEY);
		expect(text).not.toContain(DEMO_CHANNEL_ID);
	}
});

it('ends with 1 if a fact does not hold', async () => {
	const fault = { on: 'route', operation: 'getChannel', kind: 'status', status: 418 };
	await service.control('/faults', { body: fault });
	const program = probe(where());
	expect(await program.ended).toBe(1);
	expect(program.output()).toMatch(/^✗ channel\.unknown: .*\. Came: status 418, shape B, /m);
});

it.each([
	['SIGINT', 130],
	['SIGTERM', 143],
] as const)('removes what it made after %s, and writes what it knows', async (signal, code) => {
	const program = probe(await withDeliveries());
	await asked(program);
	expect(await marked(service)).toHaveLength(5);
	program.child.kill(signal);
	expect(await program.ended).toBe(code);
	expect(await marked(service)).toEqual([]);
	const { stopped, facts } = fileWritten();
	expect(stopped).toBe(signal);
	expect(facts.find(({ id }) => id === 'webhook.create')?.holds).toBe(true);
	const stoppedAt = facts.find(({ id }) => id === 'delivery.signature');
	expect(stoppedAt).toMatchObject({ holds: null, reason: 'the probe was stopped' });
});

it('removes what a killed probe left behind, whatever it is allowed itself', async () => {
	const killed = probe(await withDeliveries());
	await asked(killed);
	await endAll([killed]);
	const channel = { name: 'business-messaging-probe', type: 'OFFICIAL_CHATAPP' };
	await service.call('/v1/channels', { body: channel });
	expect(await marked(service)).toHaveLength(6);
	const next = probe(where());
	expect(await next.ended).toBe(0);
	expect(next.output()).toMatch(/^Removed 6 that an earlier probe left behind\.$/m);
	expect(await marked(service)).toEqual([]);
});

it('asks the person in words, and reads the answers from the deliveries', async () => {
	const more = ['--allow', 'sends,webhooks', '--wait', '15s'];
	const program = probe([...(await withDeliveries()), ...more]);
	const customer = customerOf(service);
	await asked(program);
	await customer.ask('write', '', true);
	await asked(program, 'tap the button Yes');
	await customer.ask('tap', '', true);
	expect(await program.ended).toBe(0);
	expect(program.output()).toMatch(/^Sends at most 12 messages, all to the phone\.$/m);
	expect(program.output()).toMatch(/^✓ tap\.fields: /m);
});

it('waits no longer than --wait for the person', async () => {
	const program = probe([...(await withDeliveries()), '--wait', '1s']);
	expect(await program.ended).toBe(0);
	expect(program.output()).toMatch(
		/^– delivery\.signature: not probed: no message came in the time given$/m,
	);
});

it('asks for the variable if there is no terminal to ask for the key', async () => {
	const program = probe(where(), { BUSINESS_MESSAGING_PROBE_KEY: '' });
	expect(await program.ended).toBe(2);
	expect(program.output().trim()).toBe(
		'Put the secret key into the variable BUSINESS_MESSAGING_PROBE_KEY. An option would show it to others on this machine.',
	);
});
