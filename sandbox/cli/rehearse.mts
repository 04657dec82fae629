/** `business-messaging-sandbox rehearse`: plays scripts, and says what came of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';

import { type Channel, connect, type Sandbox, SandboxError } from '../client/index.mts';
import { millisecondsOf } from '../client/duration.mts';
import { DEFAULT_PORT, readArguments } from '../command.mts';
import { StartError } from '../core/errors.mts';
import { type ParsedScript, parseScript, ScriptError } from '../rehearsal/parse.mts';
import { movesClock, needsPerson, play, type PlayOptions } from '../rehearsal/play.mts';
import { inWords, isGreen, junit, type Outcome } from '../rehearsal/report.mts';
import { DEMO_CHANNEL_ID } from '../seed.mts';
import { readToken, TOKEN_VARIABLE } from './settings.mts';

const URL_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_URL';
const CHANNEL_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_CHANNEL';
const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

export const REHEARSE_USAGE = `Plays conversations with the workflow that listens on a channel of a running sandbox.

  business-messaging-sandbox rehearse <script.yaml ...> [options]

  --url URL            of the sandbox (default ${DEFAULT_URL}, or the variable
                       ${URL_VARIABLE})
  --token TOKEN        what the sandbox asks other machines for; better in the variable
                       ${TOKEN_VARIABLE}
  --channel ID         channel that the workflow listens on (default: the demo account's, or the
                       variable ${CHANNEL_VARIABLE})
  --within TIME        how long what must come is waited for, where a script does not say
                       (default 5s)
  --settle TIME        how long after the last step it is looked for what nobody asked for, where a
                       script does not say (default 1s)
  --junit FILE         writes the results there, too, as JUnit's XML
  --help               prints this text

Ends with 0 when all went as the scripts say, with 1 when something did not, and with 2 when a
script or the sandbox is not there or not as it must be.`;

/** What went wrong before anything could be played, or kept the rest from being played. */
const CANNOT_PLAY = 2;

/** @param parameters of the command line, after `rehearse` @returns the exit code */
export async function rehearse(parameters: string[]): Promise<number> {
	try {
		return await rehearseFiles(parameters);
	} catch (error) {
		const isKnown =
			error instanceof StartError || error instanceof ScriptError || error instanceof SandboxError;
		console.error(isKnown ? error.message : error);
		return CANNOT_PLAY;
	}
}

async function rehearseFiles(parameters: string[]): Promise<number> {
	const { values, positionals: files } = readArguments(parameters, {
		url: { type: 'string', default: process.env[URL_VARIABLE] || DEFAULT_URL },
		token: { type: 'string' },
		channel: { type: 'string', default: process.env[CHANNEL_VARIABLE] || DEMO_CHANNEL_ID },
		within: { type: 'string' },
		settle: { type: 'string' },
		junit: { type: 'string' },
		help: { type: 'boolean' },
	});
	if (values.help) {
		console.log(REHEARSE_USAGE);
		return 0;
	}
	if (files.length === 0) throw new StartError('Name a script to rehearse. See rehearse --help.');
	const options = {
		within: duration('--within', values.within),
		settle: duration('--settle', values.settle),
	};
	const { token } = readToken(values.token, false);
	const scripts = files.map((file) => ({ file, parsed: parseScript(contentOf(file), file) }));
	const sandbox = await connect(values.url, token === undefined ? {} : { token });
	const channel = await sandbox.channel(values.channel);
	const outcomes = await playAll(scripts, { sandbox, channel, options });
	if (values.junit !== undefined) writeFileSync(values.junit, junit(outcomes));
	console.log(`\n${outcomes.filter(isGreen).length} of ${outcomes.length} went as they say.`);
	if (outcomes.some(({ broken }) => broken !== undefined)) return CANNOT_PLAY;
	return outcomes.every(isGreen) ? 0 : 1;
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
	options: Pick<PlayOptions, 'within' | 'settle'>;
}

/** Plays scripts side by side; those that move the clock of all, or talk with a person, one after the other behind them. */
async function playAll(scripts: Named[], { sandbox, channel, options }: Stage): Promise<Outcome[]> {
	const playOne = async ({ file, parsed }: Named): Promise<Outcome> => {
		const rehearsed = await play(parsed, sandbox, channel, {
			...options,
			folder: dirname(file),
			manually: process.stdin.isTTY ? askPerson : undefined,
		});
		const outcome = { file, ...rehearsed };
		console.log(inWords(outcome));
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

async function askPerson(what: string): Promise<void> {
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	await terminal.question(`Now: ${what}\nThen press Enter. `);
	terminal.close();
}
