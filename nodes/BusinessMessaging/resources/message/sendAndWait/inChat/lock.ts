import { isOfThisN8n, removeGone } from '../../../../replies/waitingExecution';
import type { Life, ThisN8n } from '../../../../replies/waitingExecution';
import { isOver, marksOf, type WaitingQuestion } from '../../../../replies/questionMark';
import type {
	CreateWebhookRequest,
	Webhook,
	WebhookWithSecret,
} from '../../../../service/contract';
import { isSameId } from '../../../../service/contract';
import { asError, notDone, type ServiceError } from '../../../../service/errors';
import { deleteIfThere, type WebhookApi } from '../../../../service/webhooks';
import { type Clock, steadyClock } from '../../../../shared/tools/clock';
import type { DatedChange } from '../../../../shared/texts/sentSpan';
import { sweep } from './temporaryWebhook';

export interface PersonToAsk {
	recipient: string;
	/** Their mark in the webhooks of questions. */
	mark: string;
}

export interface LockRequest extends ThisN8n {
	/** The webhook to register, for the people who can be asked. */
	describe(addressees: readonly PersonToAsk[], deadline: Date, ends?: number): CreateWebhookRequest;
	/** The end of a wait that begins now. @throws Error if it is over */
	beginWait(now: number): Date;
	addressees: readonly PersonToAsk[];
	executionId: string;
	/** Called for a leftover of an earlier question that could not be deleted. */
	onStuck: (error: Error) => void;
	/** Milliseconds to wait in the queue. 0 refuses. */
	queue: number;
	/** Asks the address of a question of this n8n whether anybody waits there. Never rejects. */
	look: (question: WaitingQuestion) => Promise<Life>;
	/** One is needed to wait in the queue, or to look twice. */
	places: QueuePlaces;
	clock: Clock;
	isCancelled(): boolean;
	/** Between 0 and 1. */
	random(): number;
}

/** The registered webhook, and who can be asked now. */
export interface Lock {
	made: WebhookWithSecret;
	/** The end of the wait, which began when it was registered. */
	deadline: Date;
	/** When it was registered, by the service's clock and by this process's. */
	registration: DatedChange;
	addressees: readonly PersonToAsk[];
	/** People for whom another question waits. */
	busy: ReadonlyArray<{ recipient: string; error: ServiceError }>;
}

/** Milliseconds. A question that was just answered stays in the list for a moment. */
const LOOK_AGAIN = 3000;
const SHORTEST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const ACTION = 'ask the question';

/**
 * Registers the webhook of a question for the people for whom no other question waits on the
 * channel. It waits in the queue for the others first, as long as the request says, if a place is
 * free there.
 *
 * Executions and processes share only the service's list, and the list locks nothing. So the
 * webhook is registered first, and given up if the list then shows one for the same person that is
 * as old or older. Of two that see each other, at most one stays.
 * @throws ServiceError `question_waiting`, if nobody could be asked
 */
export async function lockQuestion(api: WebhookApi, request: LockRequest): Promise<Lock> {
	const { clock, queue, places } = request;
	const until = clock.now() + Math.max(queue, LOOK_AGAIN);
	const busy: Array<{ recipient: string; error: ServiceError }> = [];
	let { addressees } = request;
	const looked = new Set<string>();
	let leaveQueue: (() => void) | undefined;
	try {
		for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
			const waiting = await sweep(api, request, () => clock.now());
			let held = findHeld(waiting, addressees, request);
			if (held.size === 0) {
				const deadline = request.beginWait(clock.now());
				const start = steadyClock.now();
				const webhook = request.describe(addressees, deadline);
				const made = await api.create(webhook);
				const times = { start, end: steadyClock.now() };
				const afterwards = await giveWay(api, made, addressees, request);
				held = afterwards.held;
				const registration = { at: afterwards.createdAt, times };
				if (held.size === 0) return { made, deadline, registration, addressees, busy };
			}
			if (await freeFromGone(api, held, looked, request, leaveQueue !== undefined)) continue;
			if (request.isCancelled()) throw notDone(ACTION, 'cancelled', CANCELLED);
			if (queue > 0) leaveQueue ??= places.take();
			const isQueueFull = queue > 0 && !leaveQueue;
			if (clock.now() < until && !isQueueFull) {
				// Random, so that two that gave way to each other do not meet again.
				await clock.sleep(pause * (0.5 + request.random()));
				continue;
			}
			const why = isQueueFull ? QUEUE_FULL : queue > 0 ? WAITED : REFUSED;
			for (const [{ recipient }, holder] of held)
				busy.push({ recipient, error: busyError(holder, why) });
			addressees = addressees.filter((addressee) => !held.has(addressee));
			if (addressees.length === 0) throw busy[0]!.error;
		}
	} finally {
		leaveQueue?.();
	}
}

/**
 * Removes holders that wait for nobody. Looks at each once. The looks take ten seconds, and so a
 * place. Without one they are left to the next question.
 * @returns whether it removed any
 */
async function freeFromGone(
	api: WebhookApi,
	held: Held,
	looked: Set<string>,
	request: LockRequest,
	hasPlace: boolean,
): Promise<boolean> {
	const holders = [...new Set(held.values())].filter(
		(holder) => !looked.has(holder.webhook.id) && isOfThisN8n(holder, request),
	);
	if (holders.length === 0) return false;
	const leave = hasPlace ? () => {} : request.places.take();
	if (!leave) return false;
	for (const { webhook } of holders) looked.add(webhook.id);
	try {
		return (await removeGone(api, holders, request.look, request.clock)).length > 0;
	} catch (error) {
		request.onStuck(asError(error));
		return false;
	} finally {
		leave();
	}
}

/** The people for whom another question waits, with that question. */
type Held = Map<PersonToAsk, WaitingQuestion>;

function findHeld(
	waiting: readonly WaitingQuestion[],
	addressees: readonly PersonToAsk[],
	request: LockRequest,
): Held {
	const isOwn = (question: WaitingQuestion): boolean =>
		question.mark.executionId === request.executionId && isOfThisN8n(question, request);
	const others = waiting.filter(
		(question) => !isOwn(question) && !isOver(question, request.clock.now()),
	);
	const held: Held = new Map();
	for (const addressee of addressees) {
		const holder = others.find((question) => marksOf(question).includes(addressee.mark));
		if (holder) held.set(addressee, holder);
	}
	return held;
}

/**
 * Gives the webhook up if an older one holds the lock, or if the list cannot be read.
 * @returns the holders, and the webhook's time, which some services give in the list only
 */
async function giveWay(
	api: WebhookApi,
	made: WebhookWithSecret,
	addressees: readonly PersonToAsk[],
	request: LockRequest,
): Promise<{ held: Held; createdAt: Webhook['createdAt'] }> {
	const { instanceId, resumeStart, onStuck, clock } = request;
	let waiting: WaitingQuestion[];
	try {
		// Without the execution's ID, because its own webhook is no leftover now.
		waiting = await sweep(api, { instanceId, resumeStart, onStuck }, () => clock.now());
	} catch (error) {
		await deleteIfThere(api, made.id);
		throw asError(error);
	}
	const listed = waiting.find(({ webhook }) => isSameId(webhook.id, made.id))?.webhook;
	const held = findHeld(olderThan(waiting, listed ?? made), addressees, request);
	if (held.size > 0) await deleteIfThere(api, made.id);
	return { held, createdAt: made.createdAt ?? listed?.createdAt };
}

/** Equal times count as older, so both give way. */
const olderThan = (
	waiting: readonly WaitingQuestion[],
	{ createdAt }: Webhook,
): WaitingQuestion[] =>
	waiting.filter(({ webhook }) => (webhook.createdAt ?? '') <= (createdAt ?? ''));

const CANCELLED = {
	cause: 'the execution was cancelled before it was sent',
	hint: 'Nothing was sent.',
};

const REFUSED =
	'To ask after the other question, let the workflow go on from this error to n8n\'s node "Wait", and back to this node.';
const WAITED = 'The node waited in the queue for as long as "Max Time in Queue" says.';
const QUEUE_FULL =
	'Three executions of this n8n process are in the queue already, so this one did not wait. Let the workflow go on from this error to n8n\'s node "Wait", and back to this node.';

/** @param why what the node did about the other question, and what can be done */
const busyError = ({ webhook, mark, node }: WaitingQuestion, why: string): ServiceError =>
	notDone(ACTION, 'question_waiting', {
		cause: 'another question to this recipient waits for its reply on this channel',
		hint: `Nothing was sent. The other question waits until ${mark.deadline}, in execution ${mark.executionId} of workflow ${node.workflowId ?? 'unknown'}. ${why} If that execution was cancelled, delete its webhook ${webhook.id} with the operation Webhook → Delete.`,
	});

/**
 * Executions of a process that may queue at a time. Each runs while it queues, so more could take
 * all places of an n8n with a concurrency limit, and nothing else would run.
 */
const QUEUE_PLACES = 3;

export class QueuePlaces {
	constructor(private free: number) {}

	/** @returns the function that gives the place back, once, or undefined if none is free */
	take(): (() => void) | undefined {
		if (this.free === 0) return undefined;
		this.free -= 1;
		let isHeld = true;
		return () => {
			if (isHeld) this.free += 1;
			isHeld = false;
		};
	}
}

export const queuePlaces = new QueuePlaces(QUEUE_PLACES);
