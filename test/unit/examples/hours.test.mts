/** When the examples that write first write: from nine to twenty, in the zone of their settings. */
import { DateTime } from 'luxon';

import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import { assignedBy, conditionOf, evaluate, nodeOf } from './evaluate.mts';

const ZONES = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const WAITING = [
	'appointment-reminder',
	'approve-before-broadcast',
	'confirm-appointments',
	'template-from-draft-to-broadcast',
];
const WRITES_FIRST = [...WAITING, 'scheduled-follow-ups'];
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
	expect(found.sort()).toEqual([...WRITES_FIRST].sort());
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

test('in a zone that nobody knows, nothing leaves', () => {
	const $now = clock('12:00', 'Asia/Kolkata');
	const wrong = { ...HOURS, zone: 'Lisbon' };
	const { dateTime } = nodeOf('approve-before-broadcast', 'Wait for the Morning').parameters;
	// n8n's Wait node fails without a date.
	expect(evaluate(String(dateTime), wrong, {}, {}, {}, $now)).toBeNull();
	const asked = conditionOf('scheduled-follow-ups', 'Is It Day?');
	expect(evaluate(asked, wrong, {}, {}, {}, $now)).toBe(false);
});
