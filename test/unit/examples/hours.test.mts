/** When the examples that write first write: from nine to twenty, in the zone of their settings. */
import { DateTime } from 'luxon';
import { executeFilter, tryToParseDateTime, type FilterValue } from 'n8n-workflow';

import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import { assignedBy, conditionOf, evaluate, nodeOf } from './evaluate.mts';

const ZONES = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const WAITING = [
	'appointment-reminder',
	'confirm-appointments',
	'template-from-draft-to-broadcast',
];
const WRITES_FIRST = [...WAITING, 'scheduled-follow-ups'];
const OUTBOX = 'outbox';
const HOURS = { from: 9, to: 20 };
/** By the clock of n8n, which is in another zone. */
const clock = (local: string, zone: string) =>
	DateTime.fromISO(`2026-03-02T${local}`, { zone }).setZone('America/Sao_Paulo');

test('whatever writes first has its hours', () => {
	const found = exampleNames().filter((name) =>
		readExample(name).nodes.some(({ parameters }) =>
			/"operation":"(?:rowNotExists)".*"stopped"/.test(JSON.stringify(parameters)),
		),
	);
	expect(found.sort()).toEqual([...WRITES_FIRST, OUTBOX].sort());
	for (const name of WRITES_FIRST) {
		const hours = ['from', 'to'].map((field) => Number(assignedBy(name, 'Settings', field)));
		expect(hours).toEqual([9, 20]);
		const $now = clock('12:00', 'Asia/Kolkata');
		const zone = evaluate(assignedBy(name, 'Settings', 'zone'), {}, {}, {}, {}, $now);
		expect(zone).toBe('America/Sao_Paulo');
		// Otherwise a note could not say where the zone is.
		expect(readExample(name)).not.toHaveProperty('settings.timezone');
	}
});

test('the outbox has its hours in its schedule and in a last guard, both in the workflow’s zone', () => {
	const { rule } = nodeOf(OUTBOX, 'Every Five Minutes').parameters;
	const { interval } = rule as { interval: unknown[] };
	expect(interval).toEqual([{ field: 'cronExpression', expression: '*/5 9-19 * * *' }]);
	const { options } = nodeOf(OUTBOX, 'Send to Each').parameters;
	expect(options).toMatchObject({
		sendingHours: { hours: { from: '09:00', to: '20:00', timezone: '' } },
	});
	expect(readExample(OUTBOX)).not.toHaveProperty('settings.timezone');
});

describe.each(ZONES)('%s', (zone) => {
	test.each([
		['03:55', '2026-03-02T09:00'],
		['08:59', '2026-03-02T09:00'],
		['09:05', '2026-03-02T09:05'],
		['19:59', '2026-03-02T19:59'],
		['20:00', '2026-03-03T09:00'],
	])('what is due at %s leaves at %s', (local, expected) => {
		const $now = clock(local, zone);
		for (const name of WAITING) {
			const { dateTime } = nodeOf(name, 'Wait for the Morning').parameters;
			const till = evaluate(String(dateTime), { ...HOURS, zone }, {}, {}, {}, $now);
			const left = DateTime.fromISO(String(till), { zone });
			expect(left.toFormat("yyyy-MM-dd'T'HH:mm")).toBe(expected);
		}
		const isDay = evaluate(
			conditionOf('scheduled-follow-ups', 'Is It Day?'),
			{ ...HOURS, zone },
			{},
			{},
			{},
			$now,
		);
		expect(isDay).toBe(expected.endsWith(local));
	});
});

test.each([
	'Lisbon',
	'EST',
	'ART',
	'BST',
	'CST6CDT',
	'utc',
	'UTC+3',
	'America/',
	'',
	null,
	undefined,
])(
	'the zone %p is no area with a city, so nothing leaves, and the node that fails says so',
	(zone) => {
		const $now = clock('12:00', 'Asia/Kolkata');
		for (const name of WAITING) {
			const { dateTime } = nodeOf(name, 'Wait for the Morning').parameters;
			const till = String(evaluate(String(dateTime), { ...HOURS, zone }, {}, {}, {}, $now));
			expect(till).toContain('America/Sao_Paulo');
			// n8n's Wait node reads its date by this.
			expect(() => tryToParseDateTime(till)).toThrow('not a valid date');
		}
		const { conditions } = nodeOf('scheduled-follow-ups', 'Is It Day?').parameters;
		const asked = structuredClone(conditions) as FilterValue;
		const [first] = asked.conditions;
		const zoned = { ...HOURS, zone };
		first!.leftValue = evaluate(String(first!.leftValue), zoned, {}, {}, {}, $now) as string;
		// Where types are converted, any words are true.
		expect(() => executeFilter(asked)).toThrow('such as America/Sao_Paulo');
	},
);

test.each(['UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires'])('%s is a zone', (zone) => {
	const { dateTime } = nodeOf('appointment-reminder', 'Wait for the Morning').parameters;
	const $now = clock('12:00', zone);
	const till = String(evaluate(String(dateTime), { ...HOURS, zone }, {}, {}, {}, $now));
	expect(DateTime.fromISO(till).toMillis()).toBe($now.toMillis());
});
