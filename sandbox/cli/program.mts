/** The published program: reads its options, starts the sandbox and prints how to use it. */
import { closeOnSignal, readCommand, readPort, runCommand } from '../command.mts';
import { START, TOKEN_VARIABLE } from '../commands.cjs';
import { Refusal, StartError } from '../core/errors.mts';
import { isLoopback } from '../core/loopback.mts';
import manifest from '../package.json' with { type: 'json' };
import { print } from '../print.mts';
import { DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME, DEMO_PUBLIC_KEY, DEMO_TENANT_NAME } from '../seed.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../server.mts';
import { dataFile, readSeed, readToken } from './settings.mts';

/** How to open the page, and with which token. */
function pageLines(
	{ url, token }: Sandbox,
	{ host = '127.0.0.1', token: given, allowHosts = [] }: SandboxOptions,
) {
	const { port, hostname } = new URL(url);
	if (token === undefined) return [`  Page        ${url}/`];
	const query = `/?token=${given === undefined ? token : '<your token>'}`;
	const name = allowHosts[0] ?? (isLoopback(hostname) ? '<address of this machine>' : hostname);
	return [
		...(isLoopback(hostname) ? [`  Page        ${url}${query}`] : []),
		...(!isLoopback(host) || allowHosts.length > 0
			? [`  From others http://${name}:${port}${query}`]
			: []),
		`  Token       ${given === undefined ? `${token} (made for this run; set your own with ${TOKEN_VARIABLE})` : 'the one you set'}`,
	];
}

function demoLines({ url, demoSecretKey }: Sandbox) {
	if (demoSecretKey === null) return [];
	return [
		`  Account     ${DEMO_TENANT_NAME}: secret key ${demoSecretKey}, public key ${DEMO_PUBLIC_KEY}`,
		`  Channel     ${DEMO_CHANNEL_NAME}: ${DEMO_CHANNEL_ID}`,
		`  In n8n      credential "Business Messaging API": Base URL ${url}, Secret Key ${demoSecretKey}`,
	];
}

runCommand(async () => {
	const [subcommand, ...parameters] = process.argv.slice(2);
	if (subcommand === 'rehearse') {
		// Loaded on demand, so that a start does not wait for it.
		const { rehearse } = await import('./rehearse.mts');
		process.exitCode = await rehearse(parameters);
	} else if (subcommand === 'probe') {
		const { probe } = await import('./probe.mts');
		process.exitCode = await probe(parameters);
	} else await start();
});

async function start(): Promise<void> {
	const options = readCommand(START)?.values;
	if (!options) return;
	if (options.version) return print(manifest.version);
	const host = options.host ?? '127.0.0.1';
	if (host.trim() === '') throw new StartError('--host needs an address of this machine.');
	const settings: SandboxOptions = {
		port: readPort(options.port),
		host,
		...readToken(options.token),
		n8n: options.n8n,
		allowHosts: options['allow-host'] ?? [],
		allowDeliveryTo: options['allow-delivery-to'] ?? [],
		...readSeed(options.seed),
		dataFile: dataFile(options.data, options.memory),
	};
	const sandbox = await startSandbox(settings).catch((error: unknown) => {
		throw error instanceof Refusal ? new StartError(`--seed: ${error.message}.`) : error;
	});
	const lines = [
		`Sandbox ready at ${sandbox.url}`,
		...pageLines(sandbox, settings),
		...demoLines(sandbox),
		`  State       ${options.memory ? 'in memory, lost when the sandbox ends' : settings.dataFile}`,
		...(options.seed === undefined || sandbox.isNew
			? []
			: ['  Seed        not used, because the sandbox already holds data']),
		'Press Ctrl-C to end it.',
	];
	print(lines.join('\n'));
	closeOnSignal(sandbox);
}
