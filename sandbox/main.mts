/** `npm run sandbox`: the sandbox from this repository. The published program is in cli/. */
import { readToken } from './cli/settings.mts';
import { closeOnSignal, readCommand, readPort, runCommand } from './command.mts';
import { START_HERE } from './commands.cjs';
import { print } from './print.mts';
import { DEMO_PUBLIC_KEY } from './seed.mts';
import { startSandbox } from './server.mts';

runCommand(async () => {
	const options = readCommand(START_HERE)?.values;
	if (!options) return;
	const given = readToken(options.token);
	const sandbox = await startSandbox({
		port: readPort(options.port),
		...(options.host === undefined ? {} : { host: options.host }),
		...(options.data === undefined ? {} : { dataFile: options.data }),
		...(options.seed === undefined ? {} : { seed: options.seed }),
		allowDeliveryTo: options['allow-delivery-to'] ?? [],
		n8n: options.n8n,
		allowHosts: options['allow-host'] ?? [],
		...given,
	});
	print(`Sandbox ready at ${sandbox.url}`);
	const { token, demoSecretKey } = sandbox;
	const query = token === undefined ? '' : `?token=${given.token ? '<your token>' : token}`;
	print(
		`  secret key ${demoSecretKey} · public key ${DEMO_PUBLIC_KEY} · page ${sandbox.url}/${query}`,
	);
	closeOnSignal(sandbox);
});
