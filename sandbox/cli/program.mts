/** The published program: reads its options, starts the sandbox and says how to use it. */
import { closeOnSignal, readOptions, readPort, runCommand } from '../command.mts';
import { Refusal, StartError } from '../core/errors.mts';
import { isLoopback } from '../core/loopback.mts';
import manifest from '../package.json' with { type: 'json' };
import {
	DEMO_CHANNEL_ID,
	DEMO_CHANNEL_NAME,
	DEMO_PUBLIC_KEY,
	DEMO_SECRET_KEY,
	DEMO_TENANT_NAME,
} from '../seed.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../server.mts';
import { dataFile, readSeed, readToken, TOKEN_VARIABLE, USAGE } from './settings.mts';

/** How a person opens the page, and with what. */
function pageLines({ url }: Sandbox, { token, allowHosts = [] }: SandboxOptions, isMade: boolean) {
	const { port, hostname } = new URL(url);
	if (token === undefined) return [`  Page        ${url}/`];
	const shown = isMade ? token : '<your token>';
	const name = allowHosts[0] ?? (isLoopback(hostname) ? '<address of this machine>' : hostname);
	return [
		...(isLoopback(hostname) ? [`  Page        ${url}/`] : []),
		`  From others http://${name}:${port}/?token=${shown}`,
		`  Token       ${isMade ? `${token} (made for this run; ${TOKEN_VARIABLE} gives another)` : 'the one that was given'}`,
	];
}

function demoLines({ url }: Sandbox) {
	return [
		`  Account     ${DEMO_TENANT_NAME}: secret key ${DEMO_SECRET_KEY}, public key ${DEMO_PUBLIC_KEY}`,
		`  Channel     ${DEMO_CHANNEL_NAME}: ${DEMO_CHANNEL_ID}`,
		`  In n8n      credential "Business Messaging API": Base URL ${url}, Secret Key ${DEMO_SECRET_KEY}`,
	];
}

runCommand(async () => {
	const [subcommand, ...parameters] = process.argv.slice(2);
	if (subcommand === 'rehearse') {
		// Loaded when it is asked for: a start does not wait for it.
		const { rehearse } = await import('./rehearse.mts');
		process.exitCode = await rehearse(parameters);
	} else await start();
});

async function start(): Promise<void> {
	const options = readOptions({
		port: { type: 'string' },
		host: { type: 'string' },
		data: { type: 'string' },
		memory: { type: 'boolean' },
		seed: { type: 'string' },
		token: { type: 'string' },
		'allow-host': { type: 'string', multiple: true },
		'allow-delivery-to': { type: 'string', multiple: true },
		version: { type: 'boolean' },
		help: { type: 'boolean' },
	});
	if (options.help) return console.log(USAGE);
	if (options.version) return console.log(manifest.version);
	const host = options.host ?? '127.0.0.1';
	if (host.trim() === '') throw new StartError('--host takes an address of this machine.');
	const allowHosts = options['allow-host'] ?? [];
	// Under another name, a tunnel on this machine can bring in anybody.
	const isOpen = !isLoopback(host) || allowHosts.length > 0;
	const { isMade, ...token } = readToken(options.token, isOpen);
	const settings: SandboxOptions = {
		port: readPort(options.port),
		host,
		...token,
		allowHosts,
		allowDeliveryTo: options['allow-delivery-to'] ?? [],
		...readSeed(options.seed),
		dataFile: dataFile(options.data, options.memory),
	};
	const sandbox = await startSandbox(settings).catch((error: unknown) => {
		throw error instanceof Refusal ? new StartError(`--seed: ${error.message}.`) : error;
	});
	const lines = [
		`Sandbox ready at ${sandbox.url}`,
		...pageLines(sandbox, settings, isMade),
		...(sandbox.hasDemo ? demoLines(sandbox) : []),
		`  State       ${options.memory ? 'in memory, gone at the end' : settings.dataFile}`,
		...(options.seed === undefined || sandbox.isNew
			? []
			: ['  Seed        not used: what the sandbox held before is there still']),
		'Ctrl-C ends it.',
	];
	console.log(lines.join('\n'));
	closeOnSignal(sandbox);
}
