import { secretRemover } from '../contract.mts';
import { type FactId, FACT_IDS, FACTS, type Need } from '../facts/catalogue.mts';
import { isSaid } from '../facts/expected.mts';
import { type FactEntry, FACTS_FORMAT, type FactsFile, type Found } from '../facts/file.mts';
import { type Answer, safeWords } from './wire.mts';

/** Responses that say nothing about the fact. */
const TROUBLE = [429, 502, 503, 504];

/** True: the fact holds. A text: why it was not probed. Otherwise what came instead. */
export type Verdict = true | Found | string;

/** What was found of each fact, printed as soon as it is. */
export class Findings {
	readonly #outcomes = new Map<FactId, Pick<FactEntry, 'holds' | 'found' | 'reason'>>();
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

	/** Notes some facts. A second finding counts if the fact held before. */
	note(verdicts: Partial<Record<FactId, Verdict>>): void {
		for (const [key, verdict] of Object.entries(verdicts)) {
			const id = key as FactId;
			const before = this.#outcomes.get(id)?.holds;
			if (typeof verdict === 'string') this.skip(verdict, id);
			else if (before !== false && !(before === true && verdict === true)) {
				const holds = verdict === true;
				this.#outcomes.set(id, holds ? { holds } : { holds, found: verdict });
				const came = holds ? '' : `. ${inWords(verdict)}`;
				this.#say(`${holds ? '✓' : '✗'} ${id}: ${FACTS[id].says}${came}`);
			}
		}
	}

	/** Notes why facts were not probed, unless they were. */
	skip(reason: string, ...ids: FactId[]): void {
		for (const id of ids)
			if (!this.#outcomes.has(id)) this.#outcomes.set(id, { holds: null, reason });
	}

	/** Notes why the facts of these kinds that are not probed yet will not be. */
	skipAll(reason: string, ...needs: Need[]): void {
		for (const need of needs) if (!this.#reasons.has(need)) this.#reasons.set(need, reason);
	}

	/** Compares an error response with the contract. */
	refusal(id: FactId, answer: Answer): void {
		const { shape, subCode, status, words } = FACTS[id].refusal!;
		const isAs =
			answer.status === status &&
			(shape === undefined || shape === answer.shape) &&
			(subCode === undefined || subCode === answer.subCode) &&
			isSaid(words, answer.words ?? '');
		this.note({ [id]: this.#troubleOf(answer, status) ?? (isAs || this.foundIn(answer)) });
	}

	/**
	 * Compares a success with the contract, if it has a status for it.
	 *
	 * @returns whether it was one, of any status
	 */
	success(id: FactId, answer: Answer, isRight: (body: unknown) => boolean = () => true): boolean {
		const statuses = FACTS[id].success ?? [answer.status];
		const isSuccess = answer.status < 300;
		const isForm = !isSuccess || isRight(answer.body);
		const isAs = isSuccess && isForm && statuses.includes(answer.status);
		const found = { ...this.foundIn(answer), ...(isForm ? {} : { word: 'body' }) };
		this.note({ [id]: this.#troubleOf(answer) ?? (isAs || found) });
		return isSuccess;
	}

	#troubleOf({ status }: Answer, expected?: number): string | undefined {
		if (!TROUBLE.includes(status) || status === expected) return undefined;
		return `the service had trouble (${status})`;
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
		const unreached = stopped ? 'the probe was stopped' : 'the run did not reach it';
		const facts = FACT_IDS.map((id): FactEntry => {
			const { says, need, reason = this.#reasons.get(need) ?? unreached } = FACTS[id];
			return { id, says, ...(this.#outcomes.get(id) ?? { holds: null, reason }) };
		});
		return {
			...{ format: FACTS_FORMAT, version: 1 as const, probedAt: new Date().toISOString() },
			...(stopped === undefined ? {} : { stopped }),
			facts,
		};
	}
}

/** What came instead, in a sentence. */
function inWords(found: Found): string {
	const { status, shape, words, subCode, header, seconds, unfinished, number, word, names } = found;
	const parts = [
		status === undefined ? '' : `status ${status}`,
		shape === undefined ? '' : shape === 'other' ? 'another body' : `shape ${shape}`,
		words ? `"${words}"` : '',
		subCode ?? '',
		header === undefined ? '' : `header ${header}`,
		seconds === undefined ? '' : `${unfinished ? 'not ' : ''}after ${seconds} s`,
		number === undefined ? '' : String(number),
		word === '' ? 'directly on it' : word,
		names?.join(', '),
	].filter(Boolean);
	return `Came: ${parts.join(', ') || 'something else'}`;
}
