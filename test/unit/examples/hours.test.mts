/** When the examples that write first write: from nine to twenty, in the workflow's zone. */
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import { nodeOf } from './evaluate.mts';

const FIVE_MINUTES = '*/5 9-19 * * *';
/** With the node that sends, behind the look-ups of who opted out. */
const SENDS = [
	['outbox', 'Send to Each'],
	['outbox', 'Send the Template'],
	['confirm-appointments', 'Ask'],
	['scheduled-follow-ups', 'Send the Follow-Up'],
] as const;
const EVERY_DAY = ['MON', 'TUES', 'WEDNES', 'THURS', 'FRI', 'SATUR', 'SUN'].map(
	(day) => `${day}DAY`,
);

test('whatever writes first has its hours, and no example waits for them', () => {
	const found = exampleNames().filter((name) =>
		/"operation":"rowNotExists".*"stopped"/.test(JSON.stringify(readExample(name).nodes)),
	);
	expect(found.sort()).toEqual([...new Set(SENDS.map(([name]) => name))].sort());
	for (const name of exampleNames()) {
		const all = JSON.stringify(readExample(name));
		expect(all).not.toMatch(/Wait for the Morning|Is It Day|specificTime|"name":"zone"/);
		// Otherwise a note could not say where the zone is.
		expect(readExample(name)).not.toHaveProperty('settings.timezone');
	}
});

test.each(SENDS)(
	'%s: the hours are in the schedule, and in the last guard of %s, both in the workflow’s zone',
	(name, sends) => {
		const { rule } = nodeOf(name, 'Every Five Minutes').parameters;
		const { interval } = rule as { interval: unknown[] };
		expect(interval).toEqual([{ field: 'cronExpression', expression: FIVE_MINUTES }]);
		expect(nodeOf(name, sends).parameters.options).toMatchObject({
			sendingHours: { hours: { from: '09:00', to: '20:00', days: EVERY_DAY, timezone: '' } },
		});
		const all = JSON.stringify(readExample(name).nodes);
		// What the guard stops stays to be sent, and is no failure.
		expect(all).toMatch(/'outside_hours'/);
	},
);
