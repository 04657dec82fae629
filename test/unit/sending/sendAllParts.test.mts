/** Items that make several messages. */
import { jobsTo, lost, refused, send, type Sending, type TextMessage } from './fakeService.mts';
import { inParts, Keys } from './parts.mts';

const plain = (index: number): TextMessage => ({
	...jobsTo(['5511900000001'])[0]!,
	...{ index, text: `text ${index}` },
});

const TEXTS = [1, 2, 3].map((part) => `text 0.${part}`);
const IDS = TEXTS.map((text) => `id of ${text}`);

test('the parts of an item leave in order, before the next item to the recipient', async () => {
	const { outcomes, accepted } = await send([inParts(0), plain(1)]);
	expect(accepted).toEqual([...TEXTS, 'text 1']);
	expect(outcomes.get(0)).toMatchObject({ messageId: IDS[0], messageIds: IDS });
	expect(outcomes.get(1)).not.toHaveProperty('messageIds');
});

test.each([
	[1, 'No other part was sent.'],
	[2, 'Only the parts before it were sent.'],
	[3, 'Only the parts before it were sent.'],
])('if part %i fails, the item names it and no later part is sent', async (part, said) => {
	const failures = { [`text 0.${part}`]: [refused()] };
	const { outcomes, accepted } = await send([inParts(0), plain(1)], { failures });
	expect(accepted).toEqual([...TEXTS.slice(0, part - 1), 'text 1']);
	expect(outcomes.get(0)).toMatchObject({
		error: {
			message: `Could not send the text (part ${part} of 3): rejected`,
			reason: 'rejected',
			hint: expect.stringContaining(said) as string,
		},
	});
});

test('a retry sends the missing parts, and repeats none that may have been sent', async () => {
	const store = {};
	const failures = { 'text 0.2': [refused()], 'text 1.2': [lost()] };
	const first = await send([inParts(0), inParts(1)], { store, failures });
	expect(first.accepted).toEqual(['text 0.1', 'text 1.1', 'text 1.2']);
	const second = await send([inParts(0), inParts(1)], { store });
	expect(second.accepted).toEqual(['text 0.2', 'text 0.3']);
	expect(second.outcomes.get(0)).toMatchObject({ messageIds: IDS });
	const message = expect.stringContaining('(part 2 of 3)') as string;
	expect(second.outcomes.get(1)).toMatchObject({ error: { reason: 'unknown_outcome', message } });
});

test('a retry finishes what began, also outside of its hours', async () => {
	const store = {};
	await send([inParts(0)], { store, failures: { 'text 0.2': [refused()] } });
	const { accepted } = await send([inParts(0, { hours: { opensIn: () => 1 } })], { store });
	expect(accepted).toEqual(TEXTS.slice(1));
});

test('a retry with another text sends all its parts', async () => {
	const store = {};
	await send([inParts(0)], { store, failures: { 'text 0.2': [refused()] } });
	const { accepted } = await send([inParts(0, { whole: 'another' })], { store });
	expect(accepted).toEqual(TEXTS);
});

test.each<[string, Sending['failures'], object]>([
	['accepted', {}, { messageId: 'id of text 0' }],
	['in doubt', { 'text 0': [lost()] }, { error: { reason: 'unknown_outcome' } }],
])(
	'a whole item that an earlier version recorded as %s is so in all its parts',
	async (_what, failures, outcome) => {
		const store = {};
		await send([plain(0)], { store, failures: failures ?? {} });
		const { outcomes, arrived } = await send([inParts(0)], { store });
		expect(arrived).toEqual([]);
		expect(outcomes.get(0)).toMatchObject(outcome);
	},
);

test('a repeat under a key sends the missing parts, and lists earlier ones as null', async () => {
	const onceKeys = new Keys().bound;
	const items = [inParts(0, { key: 'order' })];
	await send(items, { onceKeys, failures: { 'text 0.2': [refused()] } });
	const second = await send(items, { onceKeys });
	expect(second.accepted).toEqual(['text 0.2', 'text 0.3']);
	expect(second.outcomes.get(0)).toMatchObject({
		messageId: IDS[1],
		messageIds: [null, IDS[1], IDS[2]],
	});
	const third = await send(items, { onceKeys });
	expect(third.arrived).toEqual([]);
	expect(third.outcomes.get(0)).toMatchObject({ messageId: null, alreadySent: true });
	expect(third.outcomes.get(0)).not.toHaveProperty('messageIds');
});
