import { secretRemover } from '../contract.mts';
import { type FactId, FACT_IDS, FACTS } from '../facts/catalogue.mts';
import type { ExpectedRefusal, Need } from '../facts/fact.mts';
import { type FactEntry, FACTS_FORMAT, type FactsFile, type Found } from '../facts/file.mts';
import { type Answer, safeWords } from './answer.mts';

/** Responses that say nothing about the fact. */
const TROUBLE = [429, 502, 503, 504];

type Outcome = Pick<FactEntry, 'holds' | 'found' | 'reason'>;

/** What was found of each fact, printed as soon as it is. */
export class Findings {
	readonly #outcomes = new Map<FactId, Outcome>();
	readonly #reasons = new Map<Need, string>();
	readonly #say: (line: string) => void;
	readonly #hidden = new Set<string>();

	constructor(say: (line: string) => void) {
		this.#say = say;
	}

	/** Texts that the service's words are quoted without: secrets, and what is the account's. */
	hide(...texts: unknown[]): void {
		for (const text of texts)
			if (typeof text === 'string' && text.trim() !== '') this.#hidden.add(text);
	}

	/** Records whether a fact holds. A second finding counts if the fact held before. */
	record(id: FactId, holds: boolean, found: Found = {}): void {
		const before = this.#outcomes.get(id)?.holds;
		if (before === false || (before === true && holds)) return;
		this.#outcomes.set(id, holds ? { holds } : { holds, found });
		this.#say(`${holds ? '✓' : '✗'} ${id}: ${FACTS[id].says}${holds ? '' : `. ${inWords(found)}`}`);
	}

	/** Records why a fact was not probed, unless it was. */
	skip(id: FactId, reason: string): void {
		if (!this.#outcomes.has(id)) this.#outcomes.set(id, { holds: null, reason });
	}

	/** Records why the facts of this kind that are not probed yet will not be. */
	skipAll(need: Need, reason: string): void {
		if (!this.#reasons.has(need)) this.#reasons.set(need, reason);
	}

	holds(id: FactId): boolean | null | undefined {
		return this.#outcomes.get(id)?.holds;
	}

	/** Compares an error response with the contract. */
	refusal(id: FactId, answer: Answer): void {
		const { refusal: expected } = FACTS[id];
		if (!expected) throw new Error(`${id} is no refusal`);
		if (this.#isTrouble(id, answer)) return;
		this.record(id, isAs(expected, answer), this.foundIn(answer));
	}

	/**
	 * Compares a success with the contract, if it has a status for it.
	 *
	 * @returns whether it was one, of any status
	 */
	success(id: FactId, answer: Answer, isRight: (body: unknown) => boolean = () => true): boolean {
		const { success: expected } = FACTS[id];
		if (this.#isTrouble(id, answer)) return false;
		const isSuccess = answer.status < 300;
		const isAsExpected = expected?.statuses.includes(answer.status) ?? true;
		const isForm = !isSuccess || isRight(answer.body);
		this.record(id, isSuccess && isAsExpected && isForm, {
			...this.foundIn(answer),
			...(isForm ? {} : { word: 'body' }),
		});
		return isSuccess;
	}

	#isTrouble(id: FactId, { status }: Answer): boolean {
		const isTrouble = TROUBLE.includes(status) && FACTS[id].refusal?.status !== status;
		if (isTrouble) this.skip(id, `the service had trouble (${status})`);
		return isTrouble;
	}

	/** A response for the file: of a success, the status alone. */
	foundIn({ status, shape, words, subCode }: Answer): Found {
		if (status < 400) return { status };
		return {
			...{ status, shape },
			...(words === undefined ? {} : { words: safeWords(words, secretRemover([...this.#hidden])) }),
			...(subCode === undefined || !/^\w{1,64}$/.test(subCode) ? {} : { subCode }),
		};
	}

	/** The whole, in the order of the catalogue. */
	file(stopped: string | undefined): FactsFile {
		const facts = FACT_IDS.map((id): FactEntry => {
			const outcome = this.#outcomes.get(id) ?? {
				holds: null,
				reason: this.#reasonFor(id, stopped),
			};
			return { id, says: FACTS[id].says, ...outcome };
		});
		return {
			...{ format: FACTS_FORMAT, version: 1 as const, probedAt: new Date().toISOString() },
			...(stopped === undefined ? {} : { stopped }),
			facts,
		};
	}

	#reasonFor(id: FactId, stopped: string | undefined): string {
		const { need, reason } = FACTS[id];
		if (need === 'never') return reason ?? '';
		return (
			this.#reasons.get(need) ?? (stopped ? 'the probe was stopped' : 'the run did not reach it')
		);
	}
}

function isAs({ status, shape, words, subCode }: ExpectedRefusal, answer: Answer): boolean {
	const said = answer.words ?? '';
	return (
		answer.status === status &&
		(shape === undefined || shape === answer.shape) &&
		(subCode === undefined || subCode === answer.subCode) &&
		(words === undefined || isSaid(words, said))
	);
}

function isSaid(words: NonNullable<ExpectedRefusal['words']>, said: string): boolean {
	if (words instanceof RegExp) return words.test(said);
	return typeof words === 'string' ? words === said : words.some((part) => said.includes(part));
}

/** What came instead, in a sentence. */
export function inWords(found: Found): string {
	const { status, shape, words, subCode, header, seconds, unfinished, number, word, names } = found;
	const parts = [
		status === undefined ? '' : `status ${status}`,
		shape === undefined ? '' : shape === 'other' ? 'another body' : `shape ${shape}`,
		words ? `"${words}"` : '',
		subCode ?? '',
		header === undefined ? '' : `header ${header}`,
		seconds === undefined ? '' : unfinished ? `not after ${seconds} s` : `after ${seconds} s`,
		number === undefined ? '' : String(number),
		word === undefined ? '' : word === '' ? 'directly on it' : word,
		names === undefined ? '' : names.join(', '),
	].filter(Boolean);
	return `Came: ${parts.join(', ') || 'something else'}`;
}
