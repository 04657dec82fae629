import { SweepTimes } from '../../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/temporaryWebhook.ts';

it('a channel is swept at once, and again after a minute', () => {
	const times = new SweepTimes();
	const due = [0, 59_999, 60_000, 60_001].map((now) => times.isDue('a', now));
	expect(due).toEqual([true, false, true, false]);
	expect(times.isDue('b', 60_001)).toBe(true);
});

it('the memory is limited, and forgets the channel that was swept the longest time ago', () => {
	const times = new SweepTimes();
	for (let channel = 0; channel < 500; channel += 1) times.isDue(String(channel), channel);
	times.isDue('0', 60_000);
	times.isDue('500', 60_000);
	expect(times.isDue('0', 60_001)).toBe(false);
	// Forgotten, though its minute is not over.
	expect(times.isDue('1', 60_000)).toBe(true);
});
