import { notDone } from './errors';

/** Pages of a list. The longest has some hundred: a service that names more has no end. */
const PAGES_MAX = 2000;

/** Tells what the pages of a list bring, and when they go on for too long. */
export class ListPages<Entry> {
	private readonly seen = new Set<string>();
	private count = 0;

	constructor(
		/** As errors name it, to follow "Could not ". */
		private readonly action: string,
		private readonly keyOf: (entry: Entry) => string,
	) {}

	/** @returns the entries that no page before had. @throws ServiceError if the list has no end */
	newIn(page: readonly Entry[]): Entry[] {
		this.count += 1;
		const fresh = page.filter((entry) => {
			const before = this.seen.size;
			return this.seen.add(this.keyOf(entry)).size > before;
		});
		if (fresh.length === 0 || this.count < PAGES_MAX) return fresh;
		throw notDone(this.action, 'unexpected_response', {
			cause: `the list does not end after ${PAGES_MAX} pages`,
			hint: 'The service may name pages that it does not have. Turn "Return All" off, or use a filter.',
		});
	}

	get size(): number {
		return this.seen.size;
	}
}
