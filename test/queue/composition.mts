/**
 * Holds docs/queue-mode/compose.yaml against Docker Compose itself, and against the settings that
 * the run uses.
 */
import { join } from 'node:path';

import { ExplainedError } from '#scripts/bootstrap/explained.cjs';
import { capture } from '#scripts/bootstrap/npm.cjs';
import { checkout } from '#scripts/checkout.mts';
import { installDebianPackages } from '#scripts/system-packages.mts';

const file = join(checkout, 'docs', 'queue-mode', 'compose.yaml');

/** The user's .env. */
const DOT_ENV = {
	N8N_HOST: 'n8n.example.com',
	N8N_ENCRYPTION_KEY: 'a key for the check',
	POSTGRES_PASSWORD: 'a password for the check',
	GENERIC_TIMEZONE: 'Europe/Lisbon',
};

/** The command of Docker Compose, which is a part of docker or a program of its own. */
async function dockerCompose(): Promise<string[] | undefined> {
	const find = async (): Promise<string[] | undefined> => {
		for (const command of [['docker', 'compose'], ['docker-compose']]) {
			const [program = '', ...parameters] = command;
			if ((await capture(program, [...parameters, 'version'])).code === 0) return command;
		}
		return undefined;
	};
	return (
		(await find()) ?? ((await installDebianPackages(['docker-compose'])) ? await find() : undefined)
	);
}

/**
 * @param settings that every n8n process must have
 * @param version of n8n that the images must be of
 * @returns false where there is no Docker Compose, and none can be had
 */
export async function checkComposition(
	settings: Record<string, string>,
	version: string,
): Promise<boolean> {
	const [program, ...parameters] = (await dockerCompose()) ?? [];
	if (program === undefined) return false;
	const { code, output } = await capture(program, [...parameters, '-f', file, 'config'], {
		env: { ...process.env, ...DOT_ENV },
	});
	if (code !== 0)
		throw new ExplainedError(
			`Docker Compose does not accept docs/queue-mode/compose.yaml:\n\n${output.trim()}`,
		);
	const lines = output.split('\n').map((line) => line.trim().replaceAll(/["']/g, ''));
	// A command is a line in one generation of Docker Compose, and a list in the other.
	const words = lines.map((line) => line.replace(/^- /, '')).join(' ');
	const count = (line: string): number => lines.filter((candidate) => candidate === line).length;
	const processes = count(`image: docker.n8n.io/n8nio/n8n:${version}`);
	if (processes !== 5)
		throw new ExplainedError(
			`docs/queue-mode/compose.yaml has ${processes} processes of n8n ${version} instead of 5.`,
		);
	for (const [name, value] of Object.entries(settings)) {
		if (count(`${name}: ${value}`) !== processes)
			throw new ExplainedError(
				`docs/queue-mode/compose.yaml does not set ${name} to ${value} for every process of n8n.`,
			);
	}
	for (const option of [
		'--appendonly yes',
		'--appendfsync always',
		'--maxmemory-policy noeviction',
	]) {
		if (!words.includes(option))
			throw new ExplainedError(`docs/queue-mode/compose.yaml does not start Redis with ${option}.`);
	}
	return true;
}
