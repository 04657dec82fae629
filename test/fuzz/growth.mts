/**
 * How the time for a text grows with its length. Times are compared with each other, so a slow
 * machine changes nothing.
 */
import { type Pumped, textOf } from './pumped.mts';

/** What reads a text. What it throws or rejects with is a result, too. */
export type Read = (text: string) => unknown;

/** A text as long as what n8n and the sandbox read of such texts at most, or longer. */
export const FULL_SIZE = 65_536;
/**
 * Eight times the text may take this many times as long: linear is 8, with a logarithm about 12,
 * quadratic 64.
 */
const FACTOR_MAX = 24;
/**
 * Milliseconds. Below this, pauses such as garbage collection outweigh the code; quadratic code
 * exceeds it before the text is longest.
 */
const NOISE_MS = 40;
/**
 * What a text of up to 128 characters may take: an exponential expression passes it before it holds
 * the machine for good.
 */
const SHORT_MS = 20;
/** By little while the text is short, for that is where an exponential expression stops. */
const SHORT_SIZES = [16, 19, 22, 25, 28, 32, 40, 50, 64, 96, 128];
const SIZES = [...SHORT_SIZES, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, FULL_SIZE];

export interface Taken {
	/** Milliseconds by the clock: never too little. */
	passed: number;
	/**
	 * Milliseconds that the thread worked, counted in steps of some: what others do on the machine is
	 * not in it.
	 */
	worked: number;
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
	const least = { passed: Infinity, worked: Infinity };
	for (let run = 0; run < runs; run++) {
		const { passed, worked } = await time(read, text);
		least.passed = Math.min(least.passed, passed);
		least.worked = Math.min(least.worked, worked);
	}
	return least;
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

/**
 * Reads longer and longer texts.
 *
 * @returns what is wrong with the growth, in words; undefined where nothing is
 */
export async function badGrowth(read: Read, text: Pumped): Promise<string | undefined> {
	const taken = new Map<number, number>();
	for (const size of SIZES) {
		const { passed: ms } = await time(read, textOf(text, size));
		taken.set(size, ms);
		if (size <= 128) {
			if (ms > SHORT_MS && (await leastTime(read, textOf(text, size), 2)).worked > SHORT_MS)
				return `${size} characters take ${Math.round(ms)} ms`;
			continue;
		}
		const eighth = taken.get(size / 8);
		if (eighth === undefined || ms < NOISE_MS || ms < FACTOR_MAX * eighth) continue;
		// Again, both, without what disturbed the first measurement.
		const { passed: small } = await leastTime(read, textOf(text, size / 8), 5);
		const { worked: large } = await leastTime(read, textOf(text, size), 5);
		if (large > NOISE_MS && large > FACTOR_MAX * small)
			return `${size / 8} characters take ${small.toFixed(2)} ms, ${size} take ${large.toFixed(1)} ms`;
	}
	return undefined;
}
