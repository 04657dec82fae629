/** `business-messaging-sandbox probe`: asks a service, and writes what it found. */
import { writeFileSync } from 'node:fs';

import { millisecondsOf } from '../client/duration.mts';
import { readCommand, readPort } from '../command.mts';
import { DEFAULT_PROBE_PORT, KEY_VARIABLE, PROBE } from '../commands.cjs';
import { DEFAULT_TEMPLATES_PATH, ID_FORM, ID_PATTERN, normalizeBaseUrl } from '../contract.mts';
import { StartError } from '../core/errors.mts';
import { print, printError } from '../print.mts';
import { runProbe } from '../probe/run.mts';
import { MOST_MESSAGES, type Permission } from '../probe/runContext.mts';
import { PERMISSIONS, type ProbeOptions } from '../probe/runContext.mts';
import { Stop, Stopped } from '../probe/stop.mts';
import { askKey, atTerminal } from './person.mts';

/** An error that kept the service from being asked. */
const CANNOT_ASK = 2;
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** @param parameters of the command line, after `probe` @returns the exit code */
export async function probe(parameters: string[]): Promise<number> {
	try {
		return await probeService(parameters);
	} catch (error) {
		// Before it made anything.
		if (error instanceof Stopped) return SIGNALS.SIGINT;
		printError(error instanceof StartError ? error.message : error);
		return CANNOT_ASK;
	}
}

async function probeService(parameters: string[]): Promise<number> {
	const given = readCommand(PROBE, parameters);
	if (!given) return 0;
	const { values } = given;
	const { out } = values;
	const options = { ...readOptions(values), key: process.env[KEY_VARIABLE] || (await askKey()) };
	const stop = new Stop();
	const stopBy = (signal: keyof typeof SIGNALS) => () => {
		print(`${signal}: removes what the probe made …`);
		stop.now(signal);
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopBy(signal));
	if (options.allowed.has('sends') && options.phone !== undefined)
		print(`Sends at most ${MOST_MESSAGES} messages, all to the phone.`);
	const { file, left } = await runProbe(options, {
		person: atTerminal(print, stop),
		stop,
		say: print,
	});
	try {
		writeFileSync(out, `${JSON.stringify(file, null, '\t')}\n`);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new StartError(`--out: cannot write ${out}: ${reason}.`);
	}
	const count = (holds: boolean | null) => file.facts.filter((fact) => fact.holds === holds).length;
	for (const { id, holds, reason } of file.facts)
		if (holds === null) print(`– ${id}: not probed: ${reason}`);
	print(`\n${count(true)} hold, ${count(false)} do not, ${count(null)} were not probed: ${out}`);
	if (left.length > 0)
		print(`Not removed, at ${left.join(', ')}. Run the probe again: it removes what is left.`);
	if (file.stopped !== undefined) return SIGNALS[file.stopped as keyof typeof SIGNALS];
	return count(false) === 0 ? 0 : 1;
}

type Values = NonNullable<
	ReturnType<typeof readCommand<(typeof PROBE)['options'], string>>
>['values'];

function readOptions(values: Values): Omit<ProbeOptions, 'key'> {
	const { channel, phone } = values;
	if (channel === undefined || !ID_PATTERN.test(channel))
		throw new StartError(`--channel needs the ID of a channel: ${ID_FORM}.`);
	if (phone !== undefined && phone.trim().length < 4)
		throw new StartError('--phone needs a phone number, or a name of at least 4 characters.');
	const allowed = readPermissions(values.allow);
	const path = values['templates-path'] ?? DEFAULT_TEMPLATES_PATH;
	if (!/^\/(?!\/)[^?#\s]*$/.test(path))
		throw new StartError('--templates-path must begin with one slash, without a query.');
	return {
		...{ url: readUrl('--url', values.url), channelId: channel, phone: phone?.trim(), allowed },
		publicUrl:
			values['public-url'] === undefined
				? undefined
				: readUrl('--public-url', values['public-url']),
		port: readPort(values.port ?? String(DEFAULT_PROBE_PORT)),
		wait: readWait(values.wait),
		templatesPath: path.replace(/\/$/, ''),
	};
}

function readUrl(option: string, given: string | undefined): string {
	try {
		return normalizeBaseUrl(given);
	} catch (error) {
		const { message } = error as Error;
		throw new StartError(message.replace('The Base URL in the credential', option));
	}
}

function readPermissions(given: string | undefined): Set<Permission> {
	const words = (given ?? '')
		.split(',')
		.map((word) => word.trim())
		.filter(Boolean);
	const unknown = words.find((word) => !PERMISSIONS.some((known) => known === word));
	if (unknown !== undefined || (given !== undefined && words.length === 0))
		throw new StartError(`--allow takes any of ${PERMISSIONS.join(', ')}, not '${unknown ?? ''}'.`);
	return new Set(PERMISSIONS.filter((known) => words.includes(known)));
}

function readWait(given: string): number {
	try {
		return millisecondsOf(given);
	} catch (error) {
		throw new StartError(`--wait: ${error instanceof Error ? error.message : String(error)}.`);
	}
}
