import { BoundedMap } from '../shared/tools/boundedMap';
import type { Clock } from '../shared/tools/clock';

export interface LimitRules {
	executions: number;
	/** Milliseconds in which they count. */
	time: number;
}

interface Person {
	starts: Array<{ at: number; isConfirmed: boolean }>;
	/** The workflow was told, and the count was not below half of the limit since. */
	isTold: boolean;
}

/**
 * Counts the executions that one person's messages start: each from its start, unless it gets no
 * 2xx. People who have not written for longest are forgotten. A person is
 *
 * 1. below: the count is below the limit. A message starts an execution.
 * 2. reached: the count is at the limit. A message starts an execution that tells it, and counts.
 * 3. over: it was told. Nothing starts until the count is below the limit, and nothing tells it
 *    again until the count was below half of it.
 * 4. unclear: 1, 2 or 3, which depends on executions that n8n is storing.
 */
export class PersonLimit {
	readonly people: BoundedMap<Person>;

	/** @param capacity as many as deliveries */
	constructor(
		private readonly clock: Clock,
		capacity = 20_000,
	) {
		this.people = new BoundedMap(capacity);
	}

	stateOf(key: string, { executions, time }: LimitRules): 'below' | 'reached' | 'over' | 'unclear' {
		const person = this.people.get(key);
		if (!person) return 'below';
		this.people.set(key, person);
		const { starts } = person;
		while (starts[0] && starts[0].at + time <= this.clock.now()) starts.shift();
		if (starts.length < executions / 2) person.isTold = false;
		if (starts.length < executions) return 'below';
		const confirmed = starts.filter(({ isConfirmed }) => isConfirmed).length;
		if (person.isTold && confirmed >= executions) return 'over';
		return confirmed === starts.length ? 'reached' : 'unclear';
	}

	/** Counts one. `overFor`: it tells that the limit is reached, for these milliseconds. */
	start(key: string, rules: LimitRules) {
		const tells = this.stateOf(key, rules) === 'reached';
		const person = this.people.get(key) ?? { starts: [], isTold: false };
		this.people.set(key, person);
		const start = { at: this.clock.now(), isConfirmed: false };
		person.starts.push(start);
		const { at } = person.starts.at(-rules.executions) ?? start;
		const end = (isConfirmed: boolean) => {
			start.isConfirmed = isConfirmed;
			if (!isConfirmed) person.starts = person.starts.filter((other) => other !== start);
			else if (tells) person.isTold = true;
		};
		return { end, ...(tells ? { overFor: at + rules.time - start.at } : {}) };
	}
}
