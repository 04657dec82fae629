/** A judge that is a command of the user: a question on its input, a verdict on its output. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

import { z } from 'zod';

import { cutText, cutToEnd } from '../../contract.mts';
import { type Judge, JudgeError, type Question, type Verdict } from './judge.mts';

const LIMIT_MS = 60_000;
const MOST_BYTES = 65_536;
const QUOTED = 600;
const BY_HAND =
	'Try the command by hand: sandbox/docs/free-words.md in the repository has a question for its input.';

/** Variables of the sandbox and of n8n. Some hold secrets, and a judge needs none. */
const WITHHELD = /^(?:BUSINESS_MESSAGING|N8N|DB|QUEUE|CREDENTIALS)_/i;

const verdictSchema = z.object({ yes: z.boolean(), reason: z.string() });

export interface CommandJudge {
	judge: Judge;
	/** Ends the commands that run. */
	stop: () => void;
}

/** @param limit milliseconds */
export function commandJudge(command: string, limit = LIMIT_MS): CommandJudge {
	const running = new Set<ChildProcess>();
	return {
		judge: async (question) => {
			const child = started(command);
			running.add(child);
			try {
				return verdictIn(await answerOf(child, question, limit));
			} finally {
				endWithChildren(child);
				running.delete(child);
			}
		},
		stop: () => {
			for (const child of running) endWithChildren(child);
		},
	};
}

function started(command: string): ChildProcess {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !WITHHELD.test(name)),
	);
	// A group of its own, which can be ended as a whole.
	const detached = process.platform !== 'win32';
	return spawn(command, { shell: true, detached, env, stdio: 'pipe', windowsHide: true });
}

/** Ends a command, and what it started. */
function endWithChildren({ pid, stdin, stdout, stderr }: ChildProcess): void {
	for (const stream of [stdin, stdout, stderr]) stream?.destroy();
	if (pid === undefined) return;
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/** What a command prints until it ends. */
async function answerOf(child: ChildProcess, question: Question, limit: number): Promise<string> {
	const output: Buffer[] = [];
	let size = 0;
	let complaint = '';
	return await new Promise<string>((resolve, reject) => {
		const fail = (what: string, remedy = BY_HAND) => {
			clearTimeout(timer);
			reject(new JudgeError(`The judge ${what}. ${remedy}`));
		};
		const timer = setTimeout(
			() =>
				fail(
					`gave no verdict within ${limit / 1000} s and was ended`,
					'Let its model answer sooner, or name another command with --judge.',
				),
			limit,
		);
		child.once('error', ({ message }) => fail(`cannot be started: ${message}`));
		child.once('close', (code, signal) => {
			clearTimeout(timer);
			if (code === 0) return resolve(Buffer.concat(output).toString());
			const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
			fail(complaint === '' ? how : `${how}: ${plain(complaint)}`);
		});
		// A command may end without reading the question.
		child.stdin?.on('error', () => {});
		child.stdin?.end(JSON.stringify(question));
		child.stdout?.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size > MOST_BYTES) fail(`printed more than ${MOST_BYTES / 1024} KB`);
			else output.push(chunk);
		});
		child.stderr?.on('data', (chunk: Buffer) => {
			complaint = (complaint + chunk.toString()).slice(-MOST_BYTES);
		});
	});
}

/** @throws JudgeError */
function verdictIn(answer: string): Verdict {
	const parsed = verdictSchema.safeParse(jsonOf(answer));
	if (parsed.success)
		return { yes: parsed.data.yes, reason: plain(parsed.data.reason) || 'no reason given' };
	const printed = plain(answer);
	throw new JudgeError(
		`The judge printed ${printed === '' ? 'nothing' : `'${printed}'`} instead of {"yes": true or false, "reason": "…"}. ${BY_HAND}`,
	);
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A text in one line, without what steers a terminal. A long one without its middle. */
function plain(text: string): string {
	const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
	return line.length <= QUOTED
		? line
		: `${cutText(line, QUOTED / 2)} … ${cutToEnd(line, QUOTED / 2)}`;
}
