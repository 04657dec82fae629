import {
	BUTTON_REPLY_FIELD,
	BUTTON_REPLY_FIELDS,
	BUTTON_REPLY_TYPE,
	MESSAGE_EVENT_TYPES,
	MESSAGE_STATES,
	QUOTE_FIELDS,
} from '../contract.mts';
import { safeWord } from './answer.mts';
import {
	type Deliveries,
	eventIn,
	judgeFirst,
	judgeOthers,
	openDeliveries,
} from './deliveries.mts';
import { judgeLaterRefusal } from './laterRefusal.mts';
import { judgeRedeliveries } from './redeliveries.mts';
import { type Run, without } from './runContext.mts';
import { BUTTON, canSend, type Sent, sendKinds } from './sends.mts';

/** Longest wait for the states of a message, in milliseconds. */
const STATES_WAIT = 30_000;

const WRITE = 'Now write from the phone to the channel: a text of about ten lines, of anything.';
const TAP = `Now tap the button ${BUTTON.title} on the phone.`;

/** Asks the person to write and to tap, and looks at what is delivered. */
export async function probeConversation(run: Run): Promise<void> {
	const { findings, allowed, phone, publicUrl } = run;
	const sends = canSend(run);
	const receives = allowed.has('webhooks') && phone !== undefined && publicUrl !== undefined;
	const needed = ['--allow webhooks', '--phone', '--public-url'];
	if (!receives) findings.skipAll('deliveries', without(...needed));
	if (!receives || !sends)
		findings.skipAll('conversation', without('--allow sends,webhooks', ...needed.slice(1)));
	if ((!receives || !run.hasRole) && !sends) return;
	const deliveries = receives && run.hasRole ? await openDeliveries(run) : undefined;
	if (receives && !deliveries) {
		for (const need of ['deliveries', 'conversation'] as const)
			findings.skipAll(need, 'the service took no webhook at --public-url');
	}
	try {
		await converse(run, deliveries, sends);
	} finally {
		await deliveries?.receiver.close();
	}
}

async function converse(
	run: Run,
	deliveries: Deliveries | undefined,
	sends: boolean,
): Promise<void> {
	await judgeLaterRefusal(run, deliveries);
	const { findings, person, stop, wait } = run;
	const isThere = await person.ask('write', WRITE, deliveries !== undefined);
	const received = deliveries?.receiver.received ?? [];
	const hasCome =
		isThere && (!deliveries || (await stop.until(() => received[0], wait)) !== undefined);
	if (!hasCome) {
		for (const need of ['sends', 'deliveries', 'conversation'] as const)
			findings.skipAll(
				need,
				isThere ? 'no message came in the time given' : 'nobody was there to write',
			);
		return;
	}
	if (deliveries) {
		const isAll = () => new Set(received.map(({ name }) => name)).size >= 5 || undefined;
		await stop.until(isAll, Math.min(wait, STATES_WAIT));
		judgeFirst(run, deliveries);
	}
	if (sends) {
		const sent = await sendKinds(run, deliveries?.receiver.pictureUrl);
		if (deliveries) {
			await judgeStates(run, deliveries, sent);
			await judgeTap(run, deliveries, sent);
		}
	}
	if (!deliveries) return;
	judgeOthers(run, deliveries);
	await judgeRedeliveries(run, deliveries);
}

/** What the events about an own text show. */
async function judgeStates(run: Run, { receiver }: Deliveries, { textId }: Sent): Promise<void> {
	const { findings, stop, wait } = run;
	const ours = () =>
		receiver.received
			.map(eventIn)
			.filter((event) => event !== undefined)
			.filter(({ message }) => message.metadata?.from_me === true);
	const statesOf = ({ message }: ReturnType<typeof ours>[number]) =>
		[...(message.contents ?? []), ...(message.attachments ?? [])].flatMap(
			({ state_items: items }) => (items ?? []).map(({ state }) => state?.name ?? ''),
		);
	const isText = ({ message }: ReturnType<typeof ours>[number]) => message._id === textId;
	const isBeyond = () =>
		ours().some((event) => isText(event) && statesOf(event).length > 1) || undefined;
	await stop.until(isBeyond, Math.min(wait, STATES_WAIT));
	const events = ours();
	if (events.length === 0)
		return (['status.type', 'status.states', 'status.same-id', 'status.from-api'] as const).forEach(
			(id) => findings.skip(id, 'no event about a sent message came in the time given'),
		);
	const types = events.map(({ messageEventType }) => messageEventType ?? 'missing');
	const other = types.find((type) => type !== MESSAGE_EVENT_TYPES.status);
	findings.record('status.type', other === undefined, { word: safeWord(other) ?? 'other' });
	const unknown = [...new Set(events.flatMap(statesOf))].filter(
		(state) => !MESSAGE_STATES.some((known) => known === state),
	);
	findings.record('status.states', unknown.length === 0, {
		names: unknown.map((state) => safeWord(state) ?? 'other'),
	});
	const texts = events.filter(isText);
	const isSame = texts.length > 0;
	findings.record('status.same-id', isSame, { word: 'other' });
	// Others can be of a workflow, or of a colleague on the phone.
	const isFromApi = (isSame ? texts : events).every(
		({ message }) => message.metadata?.from_api === true,
	);
	findings.record('status.from-api', isFromApi, { word: 'other' });
}

async function judgeTap(run: Run, { receiver }: Deliveries, { hasButtons }: Sent): Promise<void> {
	const { findings, person, stop, wait } = run;
	const skip = (reason: string) =>
		(['tap.fields', 'tap.ids', 'tap.place', 'tap.type', 'tap.text'] as const).forEach((id) =>
			findings.skip(id, reason),
		);
	if (!hasButtons) return skip('no buttons were accepted');
	const isInbound = (index: number) => {
		const event = eventIn(receiver.received[index]!);
		return receiver.received[index]!.name === 'main' && event?.message.metadata?.from_me === false;
	};
	const before = receiver.received.length;
	if (!(await person.ask('tap', TAP, true))) return skip('nobody was there to tap');
	const tapped = await stop.until(() => {
		const index = receiver.received.findIndex((_one, at) => at >= before && isInbound(at));
		return index < 0 ? undefined : receiver.received[index];
	}, wait);
	if (!tapped) return skip('no tap came in the time given');
	const [content = {}] = (eventIn(tapped)?.message.contents ?? []) as Array<
		Record<string, unknown>
	>;
	const [idField, titleField] = BUTTON_REPLY_FIELDS;
	const isTap = (value: unknown) => {
		const { [idField]: id, [titleField]: title } = (value ?? {}) as Record<string, unknown>;
		return typeof id === 'string' && id !== '' && title === BUTTON.title;
	};
	const place = isTap(content) ? '' : Object.keys(content).find((name) => isTap(content[name]));
	findings.record('tap.fields', place !== undefined, {
		names: Object.keys(content)
			.slice(0, 20)
			.map((name) => safeWord(name) ?? 'other'),
	});
	const idOfTap = place === undefined ? undefined : idIn(place === '' ? content : content[place]);
	findings.record('tap.ids', carries(eventIn(tapped)?.message, BUTTON.id), {
		word: idOfTap === undefined ? 'none' : idOfTap === BUTTON.title ? 'title' : 'other',
	});
	if (place === undefined) findings.skip('tap.place', 'the button was not found');
	else
		findings.record('tap.place', place === BUTTON_REPLY_FIELD, {
			word: safeWord(place) ?? 'other',
		});
	const { type, message } = content;
	findings.record('tap.type', type === BUTTON_REPLY_TYPE, { word: safeWord(type) ?? 'other' });
	findings.record('tap.text', message === BUTTON.title, {
		word: message === BUTTON.id ? 'id' : 'other',
	});
}

const idIn = (button: unknown): unknown =>
	(button as Record<string, unknown>)[BUTTON_REPLY_FIELDS[0]];

/** Whether a value is in a message, anywhere but in what it quotes and in offered buttons. */
function carries(value: unknown, wanted: string): boolean {
	if (typeof value !== 'object' || value === null) return value === wanted;
	return Object.entries(value).some(
		([name, part]) => !QUOTE_FIELDS.test(name) && name !== 'buttons' && carries(part, wanted),
	);
}
