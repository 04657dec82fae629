/** How long code takes over a text, so that a busy machine fails nothing that is right. */

/** What reads a text. What it throws or rejects with is a result, too. */
export type Read = (text: string) => unknown;

/** A text as long as what n8n and the sandbox read of such texts at most, or longer. */
export const FULL_SIZE = 65_536;
export interface Taken {
	/** Milliseconds by the clock: never too little. */
	passed: number;
	/** Milliseconds that the thread worked, in steps of some: without what others do meanwhile. */
	worked: number;
}

/** Milliseconds that this thread works on something. What others do on the machine is not in it. */
export function workOf(work: () => void): number {
	const before = process.threadCpuUsage();
	work();
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1000;
}

/** How long one reading takes. */
export async function time(read: Read, text: string): Promise<Taken> {
	const start = performance.now();
	const before = process.threadCpuUsage();
	try {
		await read(text);
	} catch {
		// A refusal takes its time, too.
	}
	const { user, system } = process.threadCpuUsage(before);
	return { passed: performance.now() - start, worked: (user + system) / 1000 };
}

/** The least of several: garbage that is collected, and code that is compiled, only add to it. */
export async function leastTime(read: Read, text: string, runs = 3): Promise<Taken> {
	const all: Taken[] = [];
	for (let run = 0; run < runs; run++) all.push(await time(read, text));
	return {
		passed: Math.min(...all.map(({ passed }) => passed)),
		worked: Math.min(...all.map(({ worked }) => worked)),
	};
}

const REFERENCE_TEXT = 'the quick brown fox, 7 times; '.repeat(FULL_SIZE / 30);
/** What it takes where the limits in milliseconds were set. */
const REFERENCE_MS = 21;

/** A fixed amount of work, of the kind that the readers do. */
function reference(text: string): void {
	for (let round = 0; round < 12; round++)
		text.replace(/[a-z]+|\s/g, (match) => match.toUpperCase());
}

/**
 * How many times longer the thread needs now for the same work: other machines are slower, and this
 * one while its cores are shared. At least 1.
 */
export async function slowness(): Promise<number> {
	const { worked } = await leastTime(reference, REFERENCE_TEXT);
	return Math.max(1, worked / REFERENCE_MS);
}
