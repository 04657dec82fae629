import { asError } from '../service/errors';
import { deleteIfThere, type WebhookApi } from '../service/webhooks';
import { BoundedMap } from '../shared/tools/boundedMap';
import { type Clock, steadyClock } from '../shared/tools/clock';
import { fewAtATime } from '../shared/tools/remembered';
import type { WaitingQuestion } from './questionMark';

/** Webhooks that are deleted after a reading of a channel's list. */
const MOST = 50;
/** Milliseconds after a failure in which nothing of the channel is deleted. */
const PAUSE = 60_000;
/** Milliseconds after which a webhook that could not be deleted has another turn. */
const AGAIN_AFTER = 600_000;
const REMEMBERED = 20_000;
const CHANNELS_MAX = 500;

/**
 * Deletes webhooks of questions for which nobody waits any more. The list is the service's, and so
 * can be of any length and the same after each deletion. So a few are deleted at a time, each once.
 */
export class Leftovers {
	/** Until when nothing of a channel is deleted. Infinity: deletions are under way. */
	private readonly pauses = new BoundedMap<number>(CHANNELS_MAX);
	/** From when on a webhook may be deleted. Infinity: it was deleted. */
	private readonly turns = new BoundedMap<number>(REMEMBERED);

	/** @param clock a steady one */
	constructor(private readonly clock: Clock) {}

	/** Nobody should wait for it. Never rejects. @param onStuck called for a failure */
	async remove(
		api: Pick<WebhookApi, 'place' | 'delete'>,
		questions: readonly WaitingQuestion[],
		onStuck: (error: Error) => void = () => {},
	): Promise<void> {
		const isDue = (time = -Infinity) => time <= this.clock.now();
		if (!isDue(this.pauses.get(api.place))) return;
		const keyOf = (id: string) => JSON.stringify([api.place, id]);
		const due = questions
			.map(({ webhook }) => webhook.id)
			.filter((id) => isDue(this.turns.get(keyOf(id))));
		if (due.length === 0) return;
		this.pauses.set(api.place, Infinity);
		let pause = -Infinity;
		try {
			await fewAtATime(due.slice(0, MOST), async (id) => {
				this.turns.set(keyOf(id), Infinity);
				await deleteIfThere(api, id).catch((error: unknown) => {
					this.turns.set(keyOf(id), this.clock.now() + AGAIN_AFTER);
					throw asError(error);
				});
			});
		} catch (error) {
			pause = this.clock.now() + PAUSE;
			onStuck(asError(error));
		} finally {
			this.pauses.set(api.place, pause);
		}
	}
}

export const leftovers = new Leftovers(steadyClock);
