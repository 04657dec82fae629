/** `npm run sandbox`: the sandbox of this repository. The published program is in cli/. */
import { closeOnSignal, readOptions, readPort, runCommand } from './command.mts';
import { DEMO_PUBLIC_KEY, DEMO_SECRET_KEY } from './seed.mts';
import { startSandbox } from './server.mts';

const USAGE = `The sandbox: the messaging service on this machine.

  --port <number>              port to listen at (default 4010; 0 takes a free one)
  --host <address>             address to listen at (default 127.0.0.1: this machine alone)
  --data <file>                SQLite file that keeps the state (default: memory, gone at the end)
  --seed <text>                same ids in every run of a new data file
  --allow-delivery-to <host>   let deliveries go to this host too; can be repeated
  --allow-host <name>          let the sandbox be called under this name too; can be repeated
  --help                       this text`;

runCommand(async () => {
	const options = readOptions({
		port: { type: 'string' },
		host: { type: 'string' },
		data: { type: 'string' },
		seed: { type: 'string' },
		'allow-delivery-to': { type: 'string', multiple: true },
		'allow-host': { type: 'string', multiple: true },
		help: { type: 'boolean' },
	});
	if (options.help) {
		console.log(USAGE);
		return;
	}
	const sandbox = await startSandbox({
		port: readPort(options.port),
		...(options.host === undefined ? {} : { host: options.host }),
		...(options.data === undefined ? {} : { dataFile: options.data }),
		...(options.seed === undefined ? {} : { seed: options.seed }),
		allowDeliveryTo: options['allow-delivery-to'] ?? [],
		allowHosts: options['allow-host'] ?? [],
	});
	console.log(`Sandbox ready at ${sandbox.url}`);
	console.log(
		`  secret key ${DEMO_SECRET_KEY} · public key ${DEMO_PUBLIC_KEY} · page ${sandbox.url}/`,
	);
	closeOnSignal(sandbox);
});
