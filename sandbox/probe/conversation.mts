import {
	BUTTON_REPLY_FIELD,
	BUTTON_REPLY_FIELDS,
	BUTTON_REPLY_TYPE,
	MESSAGE_EVENT_TYPES,
	MESSAGE_STATES,
	QUOTE_FIELDS,
} from '../contract.mts';
import {
	type Deliveries,
	eventIn,
	judgeFirst,
	judgeOthers,
	openDeliveries,
} from './deliveries.mts';
import { judgeRedeliveries } from './redeliveries.mts';
import { canSend, isSent, messageIdIn, type Run, send, text, without } from './runContext.mts';
import { BUTTON, type Sent, sendKinds, skipClosed } from './sends.mts';
import { safeWord } from './wire.mts';

/** Longest wait for the states of a message, in milliseconds. */
const STATES_WAIT = 30_000;

const WRITE = 'Now write from the phone to the channel: a text of about ten lines, of anything.';
const TAP = `Now tap the button ${BUTTON.title} on the phone.`;

/** Asks the person to write and to tap, and looks at what is delivered. */
export async function probeConversation(run: Run): Promise<string | void> {
	const { findings, allowed, phone, publicUrl } = run;
	const sends = canSend(run);
	const receives = allowed.has('webhooks') && phone !== undefined && publicUrl !== undefined;
	const needed = ['--phone', '--public-url'];
	if (!receives) findings.skipAll(without('--allow webhooks', ...needed), 'deliveries');
	if (!receives || !sends)
		findings.skipAll(without('--allow sends,webhooks', ...needed), 'conversation');
	if ((!receives || !run.hasRole) && !sends) return;
	const deliveries = receives && run.hasRole ? await openDeliveries(run) : undefined;
	if (receives && !deliveries)
		findings.skipAll('the service took no webhook at --public-url', 'deliveries', 'conversation');
	try {
		return await converse(run, deliveries, sends);
	} finally {
		await deliveries?.close();
	}
}

async function converse(
	run: Run,
	deliveries: Deliveries | undefined,
	sends: boolean,
): Promise<string | void> {
	await judgeLaterRefusal(run, deliveries);
	const { person, stop, wait } = run;
	if (!(await person.ask('write', WRITE, deliveries !== undefined)))
		return 'nobody was there to write';
	if (deliveries) {
		const { received } = deliveries;
		const first = await stop.until(() => received[0], wait);
		if (!first) return 'no message came in the time given';
		const isAll = () => new Set(received.map(({ name }) => name)).size >= 5 || undefined;
		await stop.until(isAll, Math.min(wait, STATES_WAIT));
		judgeFirst(run, deliveries);
	}
	const sent = sends ? await sendKinds(run, deliveries?.pictureUrl) : undefined;
	if (!deliveries) return;
	if (sent) {
		await judgeStates(run, deliveries, sent);
		await judgeTap(run, deliveries, sent);
	}
	judgeOthers(run, deliveries);
	await judgeRedeliveries(run, deliveries);
}

type Message = NonNullable<ReturnType<typeof eventIn>>['message'];

/** The states that an event reports. */
const statesOf = ({ contents, attachments }: Message) =>
	[...(contents ?? []), ...(attachments ?? [])].flatMap(({ state_items: items }) =>
		(items ?? []).map(({ state }): { name?: string | null } => state ?? {}),
	);

/** The events about messages that the business sent. */
const oursIn = ({ received }: Deliveries) =>
	received
		.map(eventIn)
		.filter((event) => event !== undefined)
		.filter(({ message }) => message.metadata?.from_me === true);

/**
 * A service may accept a text while the window is closed, and report FAILED afterwards. Sends one
 * more before the person writes, now that its events are delivered, and waits for its end.
 */
async function judgeLaterRefusal(run: Run, deliveries: Deliveries | undefined): Promise<void> {
	const { findings, early } = run;
	if (!early || !isSent(early)) return;
	const end = deliveries && (await endOfText(run, deliveries));
	if (end !== 'FAILED') return skipClosed(run);
	findings.note({
		'send.window-closed': { status: 200 },
		'send.refused-at-once': { word: end },
		'send.window-recognised': 'the refusal comes later',
	});
}

/** The last state of a text. */
async function endOfText(run: Run, { received }: Deliveries) {
	const id = messageIdIn(
		await send(run, text('A probe of the service: does this text fail later?')),
	);
	if (id === undefined) return undefined;
	const states = () =>
		received
			.map((one) => eventIn(one)?.message)
			.flatMap((message) => (message?._id === id ? statesOf(message) : []))
			.map(({ name }) => name);
	const end = await run.stop.until(
		() => states().find((name) => ['DELIVERED', 'READ', 'FAILED'].includes(name ?? '')),
		Math.min(run.wait, STATES_WAIT),
	);
	// Its other events would be taken for those of what the person writes.
	run.judgedId = id;
	received.length = 0;
	return end;
}

/** What the events about an own text show. */
async function judgeStates(run: Run, deliveries: Deliveries, { textId }: Sent): Promise<void> {
	const isText = ({ message }: { message: Message }) => message._id === textId;
	const isBeyond = ({ message }: { message: Message }) => statesOf(message).length > 1;
	await run.stop.until(
		() => oursIn(deliveries).some((event) => isText(event) && isBeyond(event)) || undefined,
		Math.min(run.wait, STATES_WAIT),
	);
	const events = oursIn(deliveries);
	if (events.length === 0)
		return run.findings.skip(
			'no event about a sent message came in the time given',
			...(['status.type', 'status.states', 'status.same-id', 'status.from-api'] as const),
		);
	const types = events.map(({ messageEventType }) => messageEventType ?? 'missing');
	const other = types.find((type) => type !== MESSAGE_EVENT_TYPES.status);
	const known = new Set<string | undefined>(MESSAGE_STATES);
	const names = events.flatMap(({ message }) => statesOf(message).map(({ name }) => name ?? ''));
	const unknown = [...new Set(names)].filter((name) => !known.has(name));
	const texts = events.filter(isText);
	const isSame = texts.length > 0;
	// Others can be of a workflow, or of a colleague on the phone.
	const isFromApi = (isSame ? texts : events).every(
		({ message }) => message.metadata?.from_api === true,
	);
	run.findings.note({
		'status.type': other === undefined || { word: safeWord(other) },
		'status.states': unknown.length === 0 || { names: unknown.map(safeWord) },
		'status.same-id': isSame || { word: 'other' },
		'status.from-api': isFromApi || { word: 'other' },
	});
}

async function judgeTap(run: Run, { received }: Deliveries, { hasButtons }: Sent): Promise<void> {
	const { findings, person, stop, wait } = run;
	const skip = (reason: string) =>
		findings.skip(
			reason,
			...(['tap.fields', 'tap.ids', 'tap.place', 'tap.type', 'tap.text'] as const),
		);
	if (!hasButtons) return skip('no buttons were accepted');
	const before = received.length;
	if (!(await person.ask('tap', TAP, true))) return skip('nobody was there to tap');
	const message = await stop.until(() => {
		const events = received
			.slice(before)
			.map((one) => (one.name === 'main' ? eventIn(one) : undefined));
		return events.find((event) => event?.message.metadata?.from_me === false)?.message;
	}, wait);
	if (!message) return skip('no tap came in the time given');
	const [content = {}] = (message.contents ?? []) as Array<Record<string, unknown>>;
	const { id, place } = buttonIn(content);
	findings.note({
		'tap.fields': place !== undefined || {
			names: Object.keys(content).slice(0, 20).map(safeWord),
		},
		'tap.ids': carries(message, BUTTON.id) || {
			word: id === undefined ? 'none' : id === BUTTON.title ? 'title' : 'other',
		},
		'tap.place':
			place === undefined
				? 'the button was not found'
				: place === BUTTON_REPLY_FIELD || { word: safeWord(place) },
		'tap.type': content.type === BUTTON_REPLY_TYPE || { word: safeWord(content.type) },
		'tap.text': content.message === BUTTON.title || {
			word: content.message === BUTTON.id ? 'id' : 'other',
		},
	});
}

/** The tapped button, and the field with it. Empty: the content itself. */
function buttonIn(content: Record<string, unknown>): { id?: string; place?: string } {
	for (const [place, value] of [['', content] as const, ...Object.entries(content)]) {
		const [idField, titleField] = BUTTON_REPLY_FIELDS;
		const { [idField]: id, [titleField]: title } = (value ?? {}) as Record<string, unknown>;
		if (typeof id === 'string' && id !== '' && title === BUTTON.title) return { id, place };
	}
	return {};
}

/** Whether a value is in a message, anywhere but in what it quotes and in offered buttons. */
function carries(value: unknown, wanted: string): boolean {
	if (typeof value !== 'object' || value === null) return value === wanted;
	return Object.entries(value).some(
		([name, part]) => !QUOTE_FIELDS.test(name) && name !== 'buttons' && carries(part, wanted),
	);
}
