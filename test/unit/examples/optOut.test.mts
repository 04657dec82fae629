/** Who gets no news: which row STOP and START change, and whom the broadcasts leave out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { checkout } from '#scripts/checkout.mts';
import { readExample } from '#scripts/n8n/provision.mts';
import { assignedBy, conditionOf, evaluate, itemOf, runCode } from './evaluate.mts';

const PHONE = '5500000000101';
const ID = '019E4C54B1B375A28970B605CA9B03C3';
/** As people enter it. */
const SPELLINGS = [ID, ID.toLowerCase(), '019e4c54-b1b3-75a2-8970-b605ca9b03c3'];
const [SHOP, WORKSHOP, INBOX] = ['C1', 'C2', 'I1'] as const;
/** What Channel → Get answers. */
const CHANNELS: Record<string, IDataObject> = {
	[SHOP]: { phoneNumberConnected: '5500000000001' },
	[WORKSHOP]: { phoneNumberConnected: '+55 00 00000-0002' },
	[INBOX]: { phoneNumberConnected: '@shop_inbox' },
	quiet: { phoneNumberConnected: null },
	unreadable: { error: 'Role required', details: { reason: 'role_required' } },
};

const nodesOf = (example: string) => readExample(example).nodes;
const optOut = nodesOf('opt-out');
const rowExpression = assignedBy('opt-out', 'Whose Word Is It?', 'row');
const WORDS = ['stopWords', 'startWords', 'politeWords', 'signatures'].map((name) => [
	name,
	`${assignedBy('opt-out', 'Settings', name)},`,
]);
const word = assignedBy('opt-out', 'Which Word Is It?', 'state');
const stateOf = (message: IDataObject): unknown =>
	evaluate(word, { ...(Object.fromEntries(WORDS) as IDataObject), ...message });

test('what people write instead of STOP and START, or what looks like it', () => {
	const table = readFileSync(join(checkout, 'test/unit/examples/optOutWords.tsv'), 'utf8');
	const rows = table.split('\n').slice(1, -1);
	const read = rows.map((row) => row.split('\t').slice(1) as [string, string]);
	const found = read.map(([text]) => [text, stateOf({ text: JSON.parse(text) as string })]);
	expect(found).toEqual(read);
});

test.each([
	[
		'stopped',
		'Stop!/STOPALL/stop all/Stop, please/Stop promotions/ＳＴＯＰ/Opt-out!/Arret/стоп/停止',
	],
	[
		'stopped',
		'ARRÊT/Désabonner/descadastrar/cancelar inscrição/إلغاء الاشتراك/توقف/配信停止/ストップ',
	],
	[
		'stopped',
		'Stop. Thank you|unsubscribe please|unsubscribe me|stop messages|opt out please|REMOVE ME|Please stop!',
	],
	[
		'stopped',
		'parar de receber|darme de baja|Pare, por favor|*Ana Example*\nSTOP|Ana:\nstop|Stop/Parar',
	],
	['started', 'start/ｓｔａｒｔ/ابدأ/再開'],
	['', "Please don't stop/stop, the parcel has not come/Stop it/!//👍"],
	['', 'bus stop|STOP 12345|we have to STOP this bill|Thank you|please|stop/start|I do NOT\nSTOP|'],
	['', 'cancel|Ana:|/'],
])('%s: %s', (state, all) => {
	const texts = all.split(all.includes('|') ? '|' : '/');
	expect(texts.map((text) => stateOf({ text }))).toEqual(texts.map(() => state));
	// A tap counts by its ID, in any language.
	const taps = { stopped: 'stop', started: 'START' }[state] ?? 'appointment:stop';
	expect(stateOf({ text: 'Αρκετά', reply: { id: taps } })).toBe(state);
	const others = [null, `STOP${'\u0301'.repeat(200)}`];
	expect(others.map((text) => stateOf({ text, reply: {} }))).toEqual(['', '']);
});

/** The row of a word. */
const rowOf = (channelId: string, key: string, state = 'stopped'): unknown =>
	evaluate(rowExpression, CHANNELS[channelId] ?? {}, {
		'When a Customer Writes': {
			...{ channelId, messageId: 'M1', sender: { identifier: key, key } },
			sessionId: `${channelId}:${key || 'M1'}`,
		},
		'Which Word Is It?': { state },
	});

test.each<[what: string, channelId: string, key: string, row: string]>([
	['a phone', SHOP, PHONE, PHONE],
	['the same phone elsewhere', WORKSHOP, PHONE, PHONE],
	['a name of digits', INBOX, PHONE, `I1:${PHONE}`],
	['a name of digits, where the service tells no number', 'quiet', PHONE, `quiet:${PHONE}`],
	['a name', INBOX, 'ana.b', 'I1:ana.b'],
	['a name, beside phones', SHOP, '1234.0', 'C1:1234.0'],
	['somebody without a name or a number', SHOP, '', 'C1:M1'],
])('%s has one row for STOP and START', (_, channelId, key, row) => {
	expect([rowOf(channelId, key), rowOf(channelId, key, 'started')]).toEqual([row, row]);
});

test('where the channel cannot be read, STOP counts for the phone, and START does not', () => {
	expect(rowOf('unreadable', PHONE)).toBe(PHONE);
	expect(rowOf('unreadable', PHONE, 'started')).toBe(`unreadable:${PHONE}`);
});

test('every other expression of Opt-Out asks for that row', () => {
	const rows = optOut.flatMap(({ parameters }) => {
		const { filters, columns, options } = parameters as {
			filters?: { conditions?: Array<{ keyName: string; keyValue: string }> };
			columns?: { value?: { customer?: string } };
			options?: { sendOnceKey?: string };
		};
		const asked = (filters?.conditions ?? []).filter(({ keyName }) => keyName === 'customer');
		const values = asked.map(({ keyValue }) => keyValue);
		return [...values, columns?.value?.customer ?? [], options?.sendOnceKey ?? []].flat();
	});
	expect(rows).toHaveLength(5);
	for (const row of rows) expect(row).toContain("$('Whose Word Is It?').first().json.row");
});

const TRIGGER = 'When a Customer Writes';
interface Kept extends IDataObject {
	state: string;
	changedAt: string;
	changes: number;
}
type Found = Kept & { until: string };
const [EARLY, LATE] = ['2026-03-02T09:00:00.000Z', '2026-03-02T09:00:01.000Z'] as const;

/** What is kept after words whose executions take turns in this order. */
function after(
	words: Array<[state: string, changedAt: string]>,
	order: number[],
	rows: Kept[] = [],
) {
	const now = rows.map((row) => ({ ...row }));
	/** Each has its steps: to look whether there is a row, to add one, to look, and to change. */
	const executions = words.map(([state, timestamp]) => {
		const given = { 'Which Word Is It?': [{ state }], [TRIGGER]: [{ timestamp }] };
		let [isFirst, found] = [false, {} as Found];
		const steps = [
			() => void (isFirst = now.length === 0),
			() => void (isFirst && now.push({ state, changedAt: timestamp, changes: 0 })),
			() => {
				[found = found] = runCode<Found>('opt-out', 'Which Word Counts?', { ...given, '': now });
			},
			() => {
				const { state: counts, changedAt, changes, until } = found;
				for (const row of now)
					if (row.changedAt <= until) Object.assign(row, { state: counts, changedAt, changes });
			},
		];
		return () => steps.shift()?.();
	});
	for (const next of [...order, ...words.flatMap((_, word) => [word, word, word, word])])
		executions[next]?.();
	return now;
}

/** All ways in which four steps of each of two executions can follow each other. */
const ORDERS = Array.from({ length: 256 }, (_, bits) =>
	Array.from({ length: 8 }, (_bit, at) => (bits >> at) & 1),
).filter((order) => order.filter(Boolean).length === 4);

test.each<[first: string, then: string, at: string, expected: string, rows: Kept[]]>([
	['started', 'stopped', LATE, 'stopped', []],
	['stopped', 'started', LATE, 'started', []],
	['stopped', 'started', EARLY, 'stopped', []],
	['started', 'stopped', LATE, 'stopped', [{ state: 'started', changedAt: '2026', changes: 1 }]],
	['stopped', 'started', LATE, 'started', [{ state: 'started', changedAt: '2026', changes: 1 }]],
	['stopped', 'started', LATE, 'started', [{ state: 'stopped', changedAt: '2026', changes: 1 }]],
	['started', 'stopped', EARLY, 'stopped', [{ state: 'stopped', changedAt: '2026', changes: 1 }]],
])('%s, then %s at %s: %s, whichever arrives first', (first, then, at, expected, rows) => {
	const words: Array<[string, string]> = [
		[first, EARLY],
		[then, at],
	];
	expect(ORDERS).toHaveLength(70);
	for (const order of ORDERS) {
		const kept = after(words, order, rows);
		expect([...new Set(kept.map(({ state }) => state))]).toEqual([expected]);
		// A later START counts for all that two first words have made.
		const next = after([['started', '2026-03-02T10:00:00.000Z']], [], kept);
		expect(next.every(({ state }) => state === 'started')).toBe(true);
	}
});

test('what was kept is confirmed once: a second STOP and the first START are not', () => {
	const keyOf = (state: string, timestamp: string, kept: IDataObject[]) => {
		const given = { 'Which Word Is It?': [{ state }], [TRIGGER]: [{ timestamp }], '': kept };
		const [counts = {}] = runCode('opt-out', 'Which Word Counts?', given);
		const asked = conditionOf('opt-out', 'Is It Their Newest Word?');
		const isConfirmed = evaluate(asked, counts, { 'Which Word Counts?': counts });
		return isConfirmed ? `${String(counts.state)} ${String(counts.changes)}` : undefined;
	};
	const row = (state: string, changedAt: string, changes: number) => ({
		state,
		changedAt,
		changes,
	});
	const first = keyOf('stopped', EARLY, [row('stopped', EARLY, 0)]);
	expect(first).toBe('stopped 0');
	expect(keyOf('stopped', LATE, [row('stopped', EARLY, 0)])).toBe(first);
	expect(keyOf('started', EARLY, [row('started', EARLY, 0)])).toBeUndefined();
	expect(keyOf('started', LATE, [row('stopped', EARLY, 0)])).toBe(`started ${Date.parse(EARLY)}`);
	expect(keyOf('started', EARLY, [row('stopped', LATE, 0)])).toBeUndefined();
});

type LookUp = { filters: { conditions: Array<{ keyName: string; keyValue: string }> } };

/** Whether an example writes to somebody on a channel while this customer's row says STOP. */
function writesTo(example: string, channelId: string, key: string, stopped: string): boolean {
	const nodes = nodesOf(example);
	const send = { params: { channelId: { value: channelId } } };
	const sends = { 'Send to Each': send, Remind: send, Ask: send };
	const reader = nodes.find(({ parameters }) => parameters.operation === 'normalizeRecipient');
	const { value } = reader?.parameters.channelId as { value: string };
	const given = String(evaluate(value, { channelId }, {}, sends));
	const json = { ...itemOf(key, given), channelId, customer: key };
	const lookUps = nodes.filter(
		({ parameters: { operation, dataTableId } }) =>
			operation === 'rowNotExists' &&
			(dataTableId as { value?: string }).value === 'Business Messaging Opt-Out',
	);
	expect(lookUps).toHaveLength(2);
	return lookUps.every(({ parameters }) => {
		const [customer, state] = (parameters as unknown as LookUp).filters.conditions;
		expect([customer?.keyName, state]).toEqual([
			'customer',
			{ keyName: 'state', keyValue: 'stopped' },
		]);
		return evaluate(customer!.keyValue, json, {}, sends) !== stopped;
	});
}

/** Each with the node that sends, if it has to know a clear number or name first. */
const LISTS: Record<string, string> = {
	outbox: 'Send to Each',
	'template-from-draft-to-broadcast': 'Send to Each',
	'appointment-reminder': 'Remind',
	'confirm-appointments': 'Take It On',
};
type Spelled = [what: string, from: string, to: string, key: string, isWritten: boolean];
const READERS = [...Object.keys(LISTS), 'scheduled-follow-ups'];

describe.each(READERS)('%s', (example) => {
	test.each<Spelled>([
		['a phone, on its channel', SHOP, SHOP, PHONE, false],
		['a phone, on another channel', SHOP, WORKSHOP, PHONE, false],
		['an unreadable channel, on another', 'unreadable', SHOP, PHONE, false],
		['a name of digits, on its channel', INBOX, INBOX, PHONE, false],
		["a name of digits, on a phone's channel", INBOX, SHOP, PHONE, true],
		['a name, on its channel', INBOX, INBOX, 'ana.b', false],
		['a name, on another inbox', INBOX, 'I2', 'ana.b', true],
		...SPELLINGS.map((to): Spelled => ['a name', ID, to, 'ana.b', false]),
	])('after STOP of %s: written to %#', (_, from, to, key, isWritten) => {
		expect(writesTo(example, to, key, String(rowOf(from, key)))).toBe(isWritten);
	});

	test('a missing table or a failed look-up lets nobody through', () => {
		for (const node of nodesOf(example).filter(
			({ parameters }) => parameters.operation === 'rowNotExists',
		))
			for (const setting of ['onError', 'continueOnFail', 'alwaysOutputData'])
				expect(node).not.toHaveProperty(setting);
	});
});

test.each(Object.entries(LISTS))(
	'%s: what is no clear number or name gets nothing',
	(example, sends) => {
		const asked = conditionOf(example, 'Is a Number Wrong?');
		const isWrong = (identifier: string, problem?: string) =>
			evaluate(asked, { recipient: { identifier, key: identifier, problem } });
		// Digits with signs: a service may well deliver them to the phone that wrote STOP.
		for (const given of ['55-11-98888-0002', '1234.0', '55/1198888', '55–1198888', ''])
			expect([given, isWrong(given)]).toEqual([given, true]);
		for (const given of [PHONE, 'ana.b', '12.5e3', '@99.00'])
			expect([given, isWrong(given)]).toEqual([given, false]);
		expect(isWrong('5.5E+12', 'It has lost digits.')).toBe(true);
		const { connections } = readExample(example);
		const before = (next: string) =>
			Object.keys(connections).filter((name) =>
				connections[name]?.main?.flat().some((target) => target?.node === next),
			);
		// Nothing else leads there.
		const path = ['Is a Number Wrong?', 'Who Has Not Opted Out', 'Nor on This Channel', sends];
		const [[read], ...rest] = path.map(before) as [string[], ...string[][]];
		expect(read).toMatch(/^Read the Numbers?$/);
		expect(rest.flat()).toEqual(path.slice(0, -1));
		const clear = connections['Is a Number Wrong?']?.main?.[1];
		// In the outbox, who is left over gets a state, and nothing else.
		const others = clear?.filter(({ node }) => node !== 'Who Opted Out');
		expect(others).toMatchObject([{ node: path[1] }]);
		if (clear!.length > 1)
			expect(connections['Who Opted Out']?.main).toMatchObject([[{ node: 'Write the State' }]]);
	},
);
