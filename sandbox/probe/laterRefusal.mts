import { WINDOW_CLOSED_FAILURE } from '../contract.mts';
import { safeWord } from './answer.mts';
import { type Deliveries, eventIn } from './deliveries.mts';
import type { Run } from './runContext.mts';
import { messageIdIn, send, text } from './send.mts';
import { skipClosed } from './sends.mts';

/** Longest wait for the end of a text, in milliseconds. */
const END_WAIT = 30_000;
const ENDS = ['DELIVERED', 'READ', 'FAILED'];

type State = Record<string, unknown> & { name?: string };

/**
 * A service may accept a text while the window is closed, and report FAILED afterwards. Sends one
 * more before the person writes, now that its events are delivered, and waits for its end.
 */
export async function judgeLaterRefusal(run: Run, deliveries: Deliveries | undefined) {
	if (!run.isEarlyAccepted) return;
	const state = deliveries && (await endOfText(run, deliveries));
	if (state?.name !== 'FAILED') {
		run.findings.skip('status.window-failure', 'no text failed before you had written');
		return skipClosed(run);
	}
	const { findings } = run;
	findings.record('send.window-closed', false, { status: 200 });
	findings.record('send.refused-at-once', false, { word: 'FAILED' });
	findings.skip('send.window-recognised', 'the refusal comes later');
	const code = codeIn(state);
	findings.record('status.window-failure', code === String(WINDOW_CLOSED_FAILURE.code), {
		word: safeWord(code) ?? 'other',
	});
}

async function endOfText(run: Run, { receiver }: Deliveries): Promise<State | undefined> {
	const answer = await send(run, text('A probe of the service: does this text fail later?'));
	const id = messageIdIn(answer);
	if (id === undefined) return undefined;
	const states = () =>
		receiver.received
			.map(eventIn)
			.filter((event) => event?.message._id === id)
			.flatMap((event) => event?.message.contents ?? [])
			.flatMap(({ state_items: items }) => items ?? [])
			.map(({ state }) => state as State | undefined);
	const isEnd = (state: State | undefined) => ENDS.includes(state?.name ?? '');
	const end = await run.stop.until(() => states().find(isEnd), Math.min(run.wait, END_WAIT));
	// Its other events would be taken for those of what the person writes.
	run.judgedId = id;
	receiver.received.length = 0;
	return end;
}

/** The code of a failure, on the state or in an object in it. */
function codeIn(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { code } = value as { code?: unknown };
	if (typeof code === 'string' || typeof code === 'number') return String(code);
	return Object.values(value)
		.map(codeIn)
		.find((found) => found !== undefined);
}
