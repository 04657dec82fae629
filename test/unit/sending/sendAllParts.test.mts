/** Items that make several messages. */
import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';
import type { PartedItem } from '../../../nodes/BusinessMessaging/sending/job.ts';
import type { ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import {
	failure,
	FakeService,
	jobsTo,
	sendItems,
	type SendSettings,
	settingsFor,
	type TextMessage,
} from './fakeService.mts';
import { inParts, Keys } from './parts.mts';
import { VirtualClock } from './virtualClock.mts';

type Item = TextMessage | PartedItem<TextMessage>;

const plain = (index: number): TextMessage => ({
	...jobsTo(['5511900000001'])[0]!,
	index,
	text: `text ${index}`,
});

async function send(
	items: Item[],
	changes: Partial<SendSettings> = {},
	failures: Record<string, ServiceError[]> = {},
) {
	const clock = new VirtualClock();
	const service = new FakeService(clock, () => 5, new Map(Object.entries(failures)));
	async function* all() {
		for (const item of items) yield await Promise.resolve(item);
	}
	const outcomes = await sendItems(all(), settingsFor(service, clock, changes));
	return { outcomes, accepted: service.accepted, asked: service.arrivals.length };
}

const IDS = [1, 2, 3].map((part) => `id of text 0.${part}`);

test('the parts of an item leave in order, before the next item to the recipient', async () => {
	const { outcomes, accepted } = await send([inParts(0), plain(1)]);
	expect(accepted).toEqual(['text 0.1', 'text 0.2', 'text 0.3', 'text 1']);
	expect(outcomes.get(0)).toMatchObject({ messageId: IDS[0], messageIds: IDS });
	expect(outcomes.get(1)).not.toHaveProperty('messageIds');
});

test.each([
	[1, 'No other part was sent.'],
	[2, 'Only the parts before it were sent.'],
	[3, 'Only the parts before it were sent.'],
])('if part %i fails, the item names it and no later part is sent', async (part, said) => {
	const refused = failure('rejected', 'none');
	const { outcomes, accepted } = await send(
		[inParts(0), plain(1)],
		{},
		{ [`text 0.${part}`]: [refused] },
	);
	expect(accepted).toEqual([...['text 0.1', 'text 0.2', 'text 0.3'].slice(0, part - 1), 'text 1']);
	expect(outcomes.get(0)).toMatchObject({
		error: {
			message: `Could not send the text (part ${part} of 3): rejected`,
			reason: 'rejected',
			hint: expect.stringContaining(said) as string,
		},
	});
});

test('names the part also in an error that does not come from the service', async () => {
	const { outcomes } = await send([inParts(0)], {
		request: async ({ part }) => {
			if (part?.number === 2) throw new TypeError('no such file');
			return await Promise.resolve('id');
		},
	});
	expect(outcomes.get(0)).toMatchObject({ error: { message: 'no such file (part 2 of 3)' } });
});

test('a retry sends the missing parts, and repeats none that may have been sent', async () => {
	const store = {};
	const record = () => ({ sentRecord: SentRecord.open(store, 0) });
	const failures = {
		'text 0.2': [failure('rejected', 'none')],
		'text 1.2': [failure('timeout', 'unknown')],
	};
	const first = await send([inParts(0), inParts(1)], record(), failures);
	expect(first.accepted).toEqual(['text 0.1', 'text 1.1', 'text 1.2']);
	const second = await send([inParts(0), inParts(1)], record());
	expect(second.accepted).toEqual(['text 0.2', 'text 0.3']);
	expect(second.outcomes.get(0)).toMatchObject({ messageIds: IDS });
	expect(second.outcomes.get(1)).toMatchObject({
		error: {
			reason: 'unknown_outcome',
			message: expect.stringContaining('(part 2 of 3)') as string,
		},
	});
});

test('a retry with another text sends all its parts', async () => {
	const store = {};
	const record = () => ({ sentRecord: SentRecord.open(store, 0) });
	await send([inParts(0)], record(), { 'text 0.2': [failure('rejected', 'none')] });
	const { accepted } = await send([inParts(0, { whole: 'another' })], record());
	expect(accepted).toEqual(['text 0.1', 'text 0.2', 'text 0.3']);
});

test('a record of the whole item, by an earlier version, holds for all its parts', async () => {
	const store = {};
	await send([plain(0)], { sentRecord: SentRecord.open(store, 0) });
	const again = await send([inParts(0)], { sentRecord: SentRecord.open(store, 0) });
	expect(again.asked).toBe(0);
	expect(again.outcomes.get(0)).toMatchObject({ messageId: 'id of text 0' });
	const unknown = {};
	await send(
		[plain(0)],
		{ sentRecord: SentRecord.open(unknown, 0) },
		{ 'text 0': [failure('timeout', 'unknown')] },
	);
	const doubted = await send([inParts(0)], { sentRecord: SentRecord.open(unknown, 0) });
	expect(doubted.asked).toBe(0);
	expect(doubted.outcomes.get(0)).toMatchObject({ error: { reason: 'unknown_outcome' } });
});

test('a repeat under a key sends the missing parts, and lists earlier ones as null', async () => {
	const onceKeys = new Keys().bound;
	const items = [inParts(0, { key: 'order' })];
	await send(items, { onceKeys }, { 'text 0.2': [failure('rejected', 'none')] });
	const second = await send(items, { onceKeys });
	expect(second.accepted).toEqual(['text 0.2', 'text 0.3']);
	expect(second.outcomes.get(0)).toMatchObject({
		messageId: IDS[1],
		messageIds: [null, IDS[1], IDS[2]],
	});
	const third = await send(items, { onceKeys });
	expect(third.asked).toBe(0);
	expect(third.outcomes.get(0)).toMatchObject({ messageId: null, alreadySent: true });
	expect(third.outcomes.get(0)).not.toHaveProperty('messageIds');
});

test('no further part is sent after the first failure', async () => {
	const other = { ...plain(1), recipient: '5511900000002' };
	const { outcomes, accepted } = await send(
		[inParts(0), other],
		{ stopOnFailure: true },
		{ 'text 1': [failure('rejected', 'none')] },
	);
	expect(accepted.length).toBeLessThan(3);
	expect(outcomes.has(0)).toBe(false);
});
