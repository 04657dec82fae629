import type { Stores } from '../stores.mts';
import type { Template } from '../store/templates.mts';
import type { Emitter } from './emitter.mts';

/** Longest sleep of the timer. It looks at the clock again afterwards. */
const LONGEST_SLEEP = 60_000;

/** What a reviewer decides. */
export type Verdict = Partial<Pick<Template, 'status' | 'reason' | 'category'>>;

/** The reviewers of templates: they decide after a delay, or when somebody clicks. */
export class Reviews {
	readonly #parts: Stores & { emitter: Emitter };
	#timer: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(parts: Stores & { emitter: Emitter }) {
		this.#parts = parts;
		parts.clock.onMove(() => this.reload());
		this.reload();
	}

	/** Puts a template before the reviewers. Called inside a transaction. */
	submit(template: Template): void {
		const { db, clock, settings, submissions } = this.#parts;
		const { verdict, afterMs } = settings.current.templateReview;
		submissions.submitted(template, verdict === 'BY_HAND' ? null : clock.now() + afterMs);
		db.afterCommit(() => this.reload());
	}

	/** Changes a template as decided, and tells webhooks. */
	decide(known: Template, verdict: Verdict): Template {
		const { db, bus, templates, emitter } = this.#parts;
		const { tenantId, businessId, id: templateId, name, language } = known;
		const reason = verdict.status === undefined ? known.reason : null;
		const next = { status: known.status, reason, category: known.category, ...verdict };
		const changed = db.transaction(() => {
			const about = { templateId, name, language };
			const { status, category } = next;
			if (verdict.status !== undefined)
				emitter.template(
					tenantId,
					{ ...about, field: 'status', status, category, reason: next.reason ?? 'NONE' },
					businessId,
				);
			if (category !== known.category)
				emitter.template(
					tenantId,
					{ ...about, field: 'category', newCategory: category, previousCategory: known.category },
					businessId,
				);
			return templates.change(known, next);
		});
		bus.emit('notice', 'template', changed);
		return changed;
	}

	/** Decides what is due, and waits for the rest. */
	reload(): void {
		const { db, settings, templates, submissions, clock } = this.#parts;
		clearTimeout(this.#timer);
		if (this.#closed) return;
		const { verdict, reason } = settings.current.templateReview;
		const due = db.transaction(() => submissions.takeDue());
		for (const template of due.flatMap((id) => templates.get(id) ?? []))
			if (template.status === 'PENDING' && verdict !== 'BY_HAND')
				this.decide(template, {
					status: verdict,
					reason: verdict === 'REJECTED' ? reason : null,
				});
		const { next } = submissions;
		const delay = next === undefined ? undefined : clock.realDelayUntil(next);
		if (delay === undefined) return;
		this.#timer = setTimeout(() => this.reload(), Math.min(delay, LONGEST_SLEEP));
		this.#timer.unref();
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#timer);
	}
}
