import { ExplainedError } from '#scripts/bootstrap/explained.cjs';

/** The counts of a run, and which of them must be what. */
export class Report {
	private readonly lines: string[] = [];
	private readonly failures: string[] = [];

	/** A count that may be anything. */
	figure(name: string, value: number | string): void {
		this.lines.push(`       ${name}: ${value}`);
	}

	/** A count that must be exactly this. */
	must(name: string, value: number, wanted: number, details: readonly unknown[] = []): void {
		this.judge(name, value, value === wanted, `must be ${wanted}`, details);
	}

	/** A count that must not be below this, so that the run tried enough. */
	atLeast(name: string, value: number, limit: number): void {
		this.judge(name, value, value >= limit, `must be at least ${limit}`);
	}

	/** A count that must not be above this. */
	atMost(name: string, value: number, limit: number): void {
		this.judge(name, value, value <= limit, `must be at most ${limit}`);
	}

	/** Prints everything. @throws ExplainedError if a count is wrong */
	close(title: string): void {
		console.log(`\n${title}\n${this.lines.join('\n')}\n`);
		if (this.failures.length > 0)
			throw new ExplainedError(
				`${this.failures.length} of the counts are wrong:\n${this.failures.join('\n')}`,
			);
	}

	private judge(
		name: string,
		value: number,
		holds: boolean,
		rule: string,
		details: readonly unknown[] = [],
	): void {
		this.lines.push(`${holds ? 'ok    ' : 'WRONG '} ${name}: ${value} (${rule})`);
		if (!holds)
			this.failures.push(
				`${name}: ${value} (${rule})${details.length > 0 ? `: ${details.slice(0, 20).join(', ')}` : ''}`,
			);
	}
}
