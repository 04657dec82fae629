/** A service that asks to slow down, in n8n's own engine. */
import { idOf, sendTexts, slower, textOf } from './harness/textService.mts';

// The service has a port of its own in each test, so what a 429 holds ends with the test.
const thirty = Array.from({ length: 30 }, (_, index) => ({
	recipient: String(5511999990000 + index),
	text: `m${index}`,
}));

test('sends thirty texts though some get a 429 without Retry-After', async () => {
	const failures = { m9: [slower()], m19: [slower()], m29: [slower()] };
	const { items, accepted } = await sendTexts(thirty, { failures });
	expect(items.map(({ json }) => json.messageId)).toEqual(thirty.map(({ text }) => idOf(text)));
	expect([...accepted].sort()).toEqual(thirty.map(({ text }) => text).sort());
});

test.each([
	['without Retry-After', {}, 10],
	['with Retry-After', { 'retry-after': '1' }, 10],
	['if one text is under way at a time', {}, 1],
])(
	'a 429 about one recipient holds up nobody else: %s',
	async (_which, headers, maxConcurrency) => {
		// The last goes to the first one's recipient.
		const given = [...thirty.slice(0, 29), { ...thirty[29]!, recipient: thirty[0]!.recipient }];
		const { items, requests } = await sendTexts(given, {
			failures: { m0: [slower(headers)] },
			options: { maxConcurrency },
		});
		expect(items.every(({ json }) => json.messageId)).toBe(true);
		const arrived = requests.map(textOf);
		const others = given.slice(1, 29).map(({ text }) => text);
		expect([...arrived.slice(1, 29)].sort()).toEqual(others.sort());
		expect([arrived[0], ...arrived.slice(29)]).toEqual(['m0', 'm0', 'm29']);
	},
	20_000,
);
