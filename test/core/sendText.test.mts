import { CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { closedWindow, cut, refuse, sendTexts, textOf } from './harness/textService.mts';
import { idOf, startService } from './harness/textService.mts';

const items = Array.from({ length: 10 }, (_, index) => ({
	recipient: `55119999900${index % 3}`,
	text: `m${index}`,
}));
const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const continues = { onError: 'continueRegularOutput' } as const;
const ONE_BY_ONE = { maxConcurrency: 1 };
const retryNote = ({ length }: string[]) =>
	`"Retry execution" under "Executions" skips the ${length} accepted messages. "Execute step", like any new run, sends all again.`;

test('sends a text in the exact form of the contract, with the key as bearer', async () => {
	const service = await startService();
	const sent = await sendTexts([{ recipient: 5511999990000, text: 'Olá, "você"!\n' }], {
		baseUrl: `${service.url}/`,
	});
	await service.close();
	expect(service.requests).toHaveLength(1);
	const { method, url, headers, body } = service.requests[0]!;
	expect([method, url]).toEqual(['POST', `/v1/channels/${CHANNEL}/messages`]);
	expect(headers).toMatchObject({
		authorization: `Bearer ${SECRET_KEY}`,
		'content-type': 'application/json',
	});
	expect(JSON.parse(body)).toEqual({
		recipient: { identifier: '5511999990000' },
		content: { type: 'TEXT', body: { message: 'Olá, "você"!\n' } },
	});
	const json = { messageId: expect.any(String), channelId: CHANNEL, recipient: '5511999990000' };
	expect(sent.items).toEqual([{ json, pairedItem: { item: 0 } }]);
});

test('Retry On Fail: the 7th of 10 fails twice, and each of the 10 is accepted exactly once', async () => {
	const failures = { m6: [refuse, refuse] };
	const { accepted, ...sent } = await sendTexts(items, { failures, settings: retries });
	expect([...accepted].sort()).toEqual(items.map(({ text }) => text));
	for (const recipient of [0, 1, 2]) {
		const order = accepted.filter((text) => Number(text.slice(1)) % 3 === recipient);
		expect(order).toEqual([...order].sort());
	}
	// In the order of the input, each linked to its item.
	expect(sent.items.map(({ json, pairedItem }) => [json.messageId, pairedItem])).toEqual(
		items.map(({ text }, item) => [idOf(text), { item }]),
	);
	expect(sent.requests.filter((request) => textOf(request) === 'm6')).toHaveLength(3);
	expect(JSON.stringify(sent.run.data.executionData?.contextData)).not.toContain('sentMessages');
});

test('Retry On Fail never repeats a text that may have been sent', async () => {
	const { error, requests } = await sendTexts(items, {
		failures: { m6: [cut] },
		settings: retries,
	});
	expect(requests.filter((request) => textOf(request) === 'm6')).toHaveLength(1);
	expect(error?.message).toBe(
		'Could not tell whether the text was sent to 551199999000: the result of an earlier try is unknown',
	);
});

test('On Error "stop": the error tells the failed item and how many texts went out, and nothing more starts', async () => {
	const failures = { m6: [refuse] };
	const { error, accepted } = await sendTexts(items, { failures, options: ONE_BY_ONE });
	expect(error?.message).toBe(
		'Could not send the text to 551199999000: the service failed (Internal error)',
	);
	expect(error?.description).toContain(`settings. ${retryNote(accepted)}`);
	expect(error?.context).toMatchObject({ itemIndex: 6 });
	expect(accepted.length).toBeLessThan(10);
});

test('On Error "stop": an item that cannot be sent stops the node before it sends anything', async () => {
	const { error, requests } = await sendTexts([...items, { recipient: '', text: 'x' }]);
	expect(error?.message).toMatch(/"Recipient" is empty/);
	expect(error?.context).toMatchObject({ itemIndex: 10 });
	expect(requests).toHaveLength(0);
});

test('On Error "stop": a large batch is sent while it is read, and the error says how many were sent', async () => {
	const many = Array.from({ length: 300 }, (_, index) => ({
		recipient: index === 250 ? '' : String(index),
		text: `m${index}`,
	}));
	const { error, accepted } = await sendTexts(many);
	expect(error?.context).toMatchObject({ itemIndex: 250 });
	expect(error?.description).toBe(retryNote(accepted));
	expect(accepted.length).toBeGreaterThan(0);
	expect(accepted.length).toBeLessThan(250);
});

test('On Error "continue": the failed item carries its reason, the rest goes on, in input order', async () => {
	const given = [...items, { recipient: '', text: 'x' }];
	const failures = { m3: [closedWindow] };
	const { items: output } = await sendTexts(given, { failures, settings: continues });
	expect(output).toHaveLength(11);
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map((_, item) => ({ item })));
	expect(output[3]!.json).toMatchObject({
		error: expect.stringMatching(/^Could not send the text to 551199999000: .*window is closed$/),
		details: { reason: 'window_closed', status: 422 },
		...{ recipient: '551199999000', channelId: CHANNEL },
	});
	const empty = expect.stringContaining('"Recipient" is empty') as string;
	expect(output[10]!.json).toEqual({
		...{ error: empty, message: empty, channelId: CHANNEL },
		details: { reason: 'invalid_input' },
	});
	expect(output.filter(({ json }) => json.messageId)).toHaveLength(9);
});

test('On Error "continue (error output)": successes and failures have separate outputs, none lost or doubled', async () => {
	const failures = { m3: [closedWindow], m7: [cut] };
	const settings = { onError: 'continueErrorOutput' } as const;
	const { items: output, errorItems } = await sendTexts(items, { failures, settings });
	expect(output.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
		0, 1, 2, 4, 5, 6, 8, 9,
	]);
	expect(errorItems).toMatchObject([
		{ pairedItem: { item: 3 }, json: { details: { reason: 'window_closed' } } },
		{ pairedItem: { item: 7 }, json: { details: { reason: 'unknown_outcome' } } },
	]);
});

test.each<[string, Parameters<typeof sendTexts>[1], RegExp]>([
	['the credential', { credential: { baseUrl: 'nonsense' } }, /Base URL/],
	['an option', { options: { maxConcurrency: '={{ "many" }}' } }, /"Max Concurrency" must be/],
])('an error in %s fails every item to the error output, unsent', async (_where, more, message) => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const sent = await sendTexts(items, { ...more, settings });
	expect([sent.requests, sent.items]).toEqual([[], []]);
	expect(sent.errorItems).toHaveLength(10);
	expect(sent.errorItems[9]!.json.error).toMatch(message);
});

test('Retry On Fail with "continue" repeats a failed first item without repeating the others', async () => {
	const settings = { ...continues, ...retries };
	const sent = await sendTexts(items, { failures: { m0: [refuse] }, settings });
	expect([...sent.accepted].sort()).toEqual(items.map(({ text }) => text));
	expect(sent.items.every(({ json }) => json.messageId)).toBe(true);
});

describe('Sending Hours', () => {
	/** Closed for at least an hour: in the other half of the day. */
	const half =
		new Date().getUTCHours() < 12 ? { from: '14:00', to: '22:00' } : { from: '02:00', to: '10:00' };
	const withHours = (hours: object) => ({ maxConcurrency: 1, sendingHours: { hours } });
	const zones = ['UTC', 'Pacific/Kiritimati', 'Asia/Tokyo', 'America/New_York'];

	test('let an item leave by its own zone, and fail the others unsent with when to try again', async () => {
		const of = items.slice(0, 4).map((item, index) => ({ ...item, zone: zones[index] }));
		const options = withHours({ ...half, timezone: '={{ $json.zone }}' });
		const { requests, ...sent } = await sendTexts(of, { options, settings: continues });
		const now = (zone: string) =>
			new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'short' }).format();
		const open = zones.map((zone) => now(zone) >= half.from && now(zone) < half.to);
		expect(open[0]).toBe(false);
		expect(requests).toHaveLength(open.filter(Boolean).length);
		expect(sent.items.map(({ json }) => 'messageId' in json)).toEqual(open);
		expect(sent.items[0]?.json).toMatchObject({
			details: {
				reason: 'outside_hours',
				retryAt: expect.stringMatching(`T${half.from}`) as string,
			},
		});
	});

	test('stop a node that stops on errors, and the error says how others go on', async () => {
		const { error, requests } = await sendTexts(items, {
			options: withHours({ ...half, timezone: 'UTC' }),
		});
		expect([requests, error?.message]).toEqual([[], expect.stringContaining('"Sending Hours"')]);
		expect(error?.description).toContain(
			'lead that output to a Wait node until {{ $json.details.retryAt }}, and from there to a second node that sends.',
		);
	});

	test.each([
		[{ from: '9 am' }, '"From" of "Sending Hours" is "9 am". Enter a time such as 09:00.'],
		[{ to: '' }, '"To" of "Sending Hours" is "". Enter a time such as 09:00.'],
		[{ from: '20:00', to: '08:00' }, '"To" of "Sending Hours" must be after "From".'],
		[{ days: [] }, '"Days" of "Sending Hours" must have at least one day'],
		[{ days: '={{ ["Funday"] }}' }, '"Days" of "Sending Hours" must have at least one day'],
		[{ timezone: 'BST' }, '"Timezone" of "Sending Hours" is "BST". Enter an area and a city'],
		[{ timezone: 'America/Nowhere' }, '"Timezone" of "Sending Hours" is "America/Nowhere".'],
		[{ timezone: '={{ $json.nothing }}' }, '"Timezone" of "Sending Hours" is "".'],
	])('send nothing if they cannot be read: %j', async (wrong, message) => {
		const { error, requests } = await sendTexts(items, { options: withHours(wrong) });
		expect([requests, error?.message]).toEqual([[], expect.stringContaining(message)]);
	});
});
