/** What a delivery's events pass: the options *Ignore Older Than* and *A Person's Limit*. */
import type { IWebhookResponseData } from 'n8n-workflow';

import { authorOf, type PassedEvent, toEvents, withFields } from '../delivery/event/message';
import { readTap } from '../delivery/event/tap';
import { log } from '../service/log';
import { laterBy, steadyClock } from '../shared/tools/clock';
import { askToRepeat, settle } from '../delivery/respond';
import { type LimitRules, PersonLimit } from './personLimit';
import type { Proven } from './prove';
import { withoutRepeated } from './repeated';

const HOUR = 3_600_000;
/** Milliseconds between two lines in the log about the same option of a node. */
const BETWEEN_LINES = 60_000;
/** Messages that the next line will count. No entry: no line was written lately. */
const counts = new Map<string, number>();

type Reception = Pick<Proven, 'context' | 'node'>;

/** The response if a person's limit left nothing. */
export const TOO_MANY: IWebhookResponseData = { webhookResponse: { message: 'Too many messages' } };

/** The events of a delivery that pass the node's options and did not come before, or a response. */
export function eventsIn(delivery: Proven): PassedEvent[] | IWebhookResponseData {
	const { settings, body, context } = delivery;
	const found = withoutOld(delivery, toEvents(body, settings.output));
	const fresh = withoutRepeated(delivery, found);
	if (fresh === 'later') return askToRepeat(context, 'Being processed');
	if (fresh.length === 0 && found.length > 0)
		return { webhookResponse: { message: 'Received before' } };
	const passed = settings.personLimit
		? withoutTooMany(delivery, settings.personLimit, fresh)
		: fresh;
	return passed.length === 0 && fresh.length > 0 ? TOO_MANY : passed;
}

/** Leaves out customers' messages that are too old, unless they have no time. */
function withoutOld(at: Proven, events: PassedEvent[]): PassedEvent[] {
	const hours = at.settings.oldestHours;
	if (hours === undefined) return events;
	const since = Date.now() - hours * HOUR;
	const fresh = events.filter(
		({ message, lastTime = since }) => message?.event !== 'MESSAGE_RECEIVED' || lastTime >= since,
	);
	sayIgnored(at, events.length - fresh.length, `Older than ${hours} hours`, 'Ignore Older Than');
	return fresh;
}

/** The first line is written at once, the next ones after a minute, for all since. */
function sayIgnored(at: Reception, ignored: number, why: string, option: string): void {
	if (ignored === 0) return;
	const key = [...at.node, option].join(' ');
	const counted = counts.get(key);
	counts.set(key, counted === undefined ? 0 : counted + ignored);
	if (counted !== undefined) return;
	const what = `${ignored} ${ignored === 1 ? 'message' : 'messages'}`;
	log(at.context, 'warn', `${why}, so ignored: ${what}. The option "${option}" says so`);
	void steadyClock.sleep(BETWEEN_LINES).then(() => {
		const rest = counts.get(key) ?? 0;
		counts.delete(key);
		sayIgnored(at, rest, why, option);
	});
}

/** One for all nodes of the process, too. */
const limit = new PersonLimit(steadyClock);
/** Milliseconds between two looks at what n8n is storing. */
const LOOK = 100;

/** The writer's key. Empty for what does not count, such as a tap with a question's ID. */
function personOf({ node }: Reception, event: PassedEvent): string {
	const author = authorOf(event);
	if (author === undefined || readTap(event.raw ?? {})?.question) return '';
	return [...node, author].join(' ');
}

/** Leaves out messages of people who are over their limit. */
function withoutTooMany(at: Reception, rules: LimitRules, events: PassedEvent[]) {
	const left = events.filter((event) => limit.stateOf(personOf(at, event), rules) !== 'over');
	const ignored = events.length - left.length;
	sayIgnored(at, ignored, 'Too many messages of one person', "A Person's Limit");
	return left;
}

/** Counts the execution that these start, once for each person. @returns what may start it */
export async function countStart<Delivery extends { events: PassedEvent[] }>(
	at: Reception,
	rules: LimitRules,
	deliveries: Delivery[],
): Promise<Delivery[]> {
	const all = deliveries.flatMap(({ events }) => events.map((event) => personOf(at, event)));
	const people = [...new Set(all)].filter((person) => person !== '');
	// Nothing is counted before all is clear: two executions would wait for each other.
	while (people.some((person) => limit.stateOf(person, rules) === 'unclear'))
		await steadyClock.sleep(LOOK);
	const counted = people.filter((person) => limit.stateOf(person, rules) !== 'over');
	const starts = new Map(counted.map((person) => [person, limit.start(person, rules)]));
	const end = (isConfirmed: boolean) => starts.forEach((start) => start.end(isConfirmed));
	settle(at.context, { state: 'new', end });
	const tell = (event: PassedEvent): PassedEvent => {
		const overFor = starts.get(personOf(at, event))?.overFor;
		if (overFor === undefined) return event;
		return withFields(event, { limit: { reached: true, until: laterBy(overFor).iso } });
	};
	return deliveries
		.map((one) => ({ ...one, events: withoutTooMany(at, rules, one.events).map(tell) }))
		.filter(({ events }) => events.length > 0);
}
