/** `business-messaging-sandbox rehearse`: plays scripts and prints the results. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import {
	type Channel,
	connect,
	type ConnectOptions,
	type Sandbox,
	SandboxError,
} from '../client/index.mts';
import { millisecondsOf } from '../client/duration.mts';
import { readCommand } from '../command.mts';
import { CHANNEL_VARIABLE, DEFAULT_PORT, REHEARSE, URL_VARIABLE } from '../commands.cjs';
import { StartError } from '../core/errors.mts';
import { type ParsedScript, parseScript } from '../rehearsal/parse.mts';
import {
	movesClock,
	needsPerson,
	play,
	type PlayOptions,
	requirePlayable,
} from '../rehearsal/play.mts';
import { inWords, isGreen, junit, type Outcome } from '../rehearsal/report.mts';
import { ScriptError } from '../rehearsal/scriptError.mts';
import { print, printError } from '../print.mts';
import { DEMO_CHANNEL_ID } from '../seed.mts';
import { answerTo } from './person.mts';
import { readToken } from './settings.mts';

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

/** An error that kept scripts from being played. */
const CANNOT_PLAY = 2;

/** @param parameters of the command line, after `rehearse` @returns the exit code */
export async function rehearse(parameters: string[]): Promise<number> {
	try {
		return await rehearseFiles(parameters);
	} catch (error) {
		const isKnown =
			error instanceof StartError || error instanceof ScriptError || error instanceof SandboxError;
		printError(isKnown ? error.message : error);
		return CANNOT_PLAY;
	}
}

async function rehearseFiles(parameters: string[]): Promise<number> {
	const given = readCommand(REHEARSE, parameters);
	if (!given) return 0;
	const { values, words: files } = given;
	if (values.everyday && files.length > 0)
		throw new StartError('--everyday needs no file. Leave one of both out.');
	if (files.length === 0 && !values.everyday)
		throw new StartError('Give the file of a script to rehearse. See rehearse --help.');
	const options = {
		within: duration('--within', values.within),
		settle: duration('--settle', values.settle),
		manually: process.stdin.isTTY ? askPerson : undefined,
	};
	const token = readToken(values.token);
	const scripts = files.map((file) => ({ file, parsed: parseScript(contentOf(file), file) }));
	for (const { parsed } of scripts) requirePlayable(parsed, options);
	const sandbox = await connectTo(values.url ?? (process.env[URL_VARIABLE] || DEFAULT_URL), token);
	const channel = await sandbox.channel(
		values.channel ?? (process.env[CHANNEL_VARIABLE] || DEMO_CHANNEL_ID),
	);
	if (values.everyday) {
		const { everyday } = await import('./everyday.mts');
		return await everyday(sandbox, channel, values);
	}
	const outcomes = await playAll(scripts, { sandbox, channel, options });
	if (values.junit !== undefined) writeFileSync(values.junit, junit(outcomes));
	print(`\n${outcomes.filter(isGreen).length} of ${outcomes.length} passed.`);
	// Not before: removing somebody clears the log of requests, which the other scripts read.
	for (const customer of outcomes.flatMap((one) => (isGreen(one) ? [] : one.newcomers))) {
		const query = new URLSearchParams({ channelId: channel.channelId, customer });
		await sandbox.control('DELETE', `/conversations?${query.toString()}`);
	}
	if (outcomes.some(({ broken }) => broken !== undefined)) return CANNOT_PLAY;
	return outcomes.every(isGreen) ? 0 : 1;
}

async function connectTo(url: string, token: ConnectOptions): Promise<Sandbox> {
	try {
		return await connect(url, token);
	} catch (error) {
		if (!(error instanceof SandboxError && (error.status < 400 || error.status === 404)))
			throw error;
		const what = error.status === 404 ? `${url} is not a sandbox` : error.message;
		throw new StartError(`${what}. If the sandbox listens elsewhere, give its address with --url.`);
	}
}

function contentOf(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		throw new StartError(
			`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
		);
	}
}

function duration(option: string, value: string | undefined): string | undefined {
	if (value === undefined) return undefined;
	try {
		millisecondsOf(value);
		return value;
	} catch (error) {
		throw new StartError(`${option}: ${error instanceof Error ? error.message : String(error)}.`);
	}
}

interface Named {
	file: string;
	parsed: ParsedScript;
}

interface Stage {
	sandbox: Sandbox;
	channel: Channel;
	options: Pick<PlayOptions, 'within' | 'settle' | 'manually'>;
}

/**
 * Plays scripts side by side. Scripts that move everybody's clock or talk with a person follow one
 * by one.
 */
async function playAll(scripts: Named[], { sandbox, channel, options }: Stage): Promise<Outcome[]> {
	const playOne = async ({ file, parsed }: Named): Promise<Outcome> => {
		const rehearsed = await play(parsed, sandbox, channel, {
			...options,
			folder: dirname(file),
			onWait: (why) => print(`… ${parsed.script.name} (${file}): ${why}`),
		});
		const outcome = { file, ...rehearsed };
		print(inWords(outcome));
		return outcome;
	};
	const isAlone = ({ parsed }: Named) => movesClock(parsed) || needsPerson(parsed);
	const outcomes = new Map(
		await Promise.all(
			scripts
				.filter((script) => !isAlone(script))
				.map(async (script) => [script, await playOne(script)] as const),
		),
	);
	for (const script of scripts.filter(isAlone)) outcomes.set(script, await playOne(script));
	return scripts.map((script) => outcomes.get(script)!);
}

const askPerson = async (what: string): Promise<void> =>
	void (await answerTo(`Now: ${what}\nThen press Enter. `));
