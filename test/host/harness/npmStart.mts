import { spawn, type ChildProcess } from 'node:child_process';

import { cleanEnvironment } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { N8nClient } from '#scripts/n8n/client.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { until } from '#scripts/until.mts';
import { hostUnderTest } from './host.mts';

/** Time limit of one `npm start`, in milliseconds. */
export const START_LIMIT_MS = 240_000;

/** The account that the command prints. */
export interface PrintedAccount {
	email: string;
	password: string;
}

export interface Started {
	/** Signed in with the printed account. */
	client: N8nClient;
	control: SandboxControl;
	/** The stand-in for a language model has a free port. */
	modelPort: number;
	account: PrintedAccount;
	pid: number;
	/** Everything that it printed so far. */
	output(): string;
	/** Presses Ctrl-C. @returns the exit code */
	interrupt(): Promise<number | null>;
}

/** `npm start` without npm, in the n8n under test. */
export const startParameters = (script = 'scripts/start.mts'): string[] => [
	'--import',
	'tsx',
	script,
	'--n8n',
	hostUnderTest().generation,
];

/** Runs `npm start`, or a similar command, until it is ready. */
export async function npmStart(
	data: string,
	port: number,
	sandboxPort: number,
	command = startParameters(),
): Promise<Started> {
	const modelPort = await freePort();
	const parameters = [
		...command,
		'--data',
		data,
		'--port',
		String(port),
		'--sandbox-port',
		String(sandboxPort),
		'--model-port',
		String(modelPort),
	];
	const child: ChildProcess = spawn(process.execPath, parameters, {
		cwd: checkout,
		env: cleanEnvironment(),
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
	const client = new N8nClient(`http://127.0.0.1:${port}`);
	const signedIn = async (): Promise<PrintedAccount> => {
		await until(
			'npm start to be ready',
			() => {
				if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${output}`);
				return output.includes('Ready after') && output.includes('Ctrl-C');
			},
			START_LIMIT_MS,
		);
		const [, email = '', password = ''] =
			/Sign in as (\S+) with the password (\S+)/.exec(output) ?? [];
		await client.signIn({ email, password, firstName: '', lastName: '' });
		return { email, password };
	};
	const account = await signedIn().catch(async (error: unknown) => {
		child.kill('SIGTERM');
		await exited;
		throw error;
	});
	return {
		client,
		control: new SandboxControl(`http://127.0.0.1:${sandboxPort}`),
		modelPort,
		account,
		pid: child.pid ?? 0,
		output: () => output,
		interrupt: async () => {
			child.kill('SIGINT');
			return await exited;
		},
	};
}
