import { sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** The names of the controls that are shown, read in one go, because they are drawn anew. */
const visible = () =>
	on.run<string[]>(
		`[...document.querySelectorAll('.view.controls :is(input, select)')]
			.filter((control) => control.checkVisibility())
			.map((control) => control.ariaLabel ?? control.labels[0].textContent)`,
	);

it('shows the common controls, and the others under Advanced', async () => {
	await on.view('controls');
	expect(await visible()).toEqual([
		'Speed',
		...['A sent message', 'A submitted template'],
		...['Which calls', 'Conversation window closed', 'Respond with a status'],
		...['Respond with a status: status', 'Respond with a status: Retry-After'],
		...['Respond late', 'Respond late: by', 'Refuse media', 'Refuse media: code'],
		...['To which webhook', 'Deliver late', 'Deliver late: by'],
		...['Deliver more than once', 'Deliver more than once: copies', 'Fail before delivering'],
	]);
	for (const summary of await on.page.getByText('Advanced', { exact: true }).all())
		await summary.click();
	expect(await visible()).toHaveLength(39);
	// A switch within stays open when something changes.
	await on.switch('Wrong signature').check();
	await on.button('Remove Wrong signature').waitFor();
	expect(await visible()).toHaveLength(39);
});

it.each(WIDTHS)('opens what the header points to, at the width of %s', async (_width, viewport) => {
	await on.reopen({ viewport });
	await on.set({ blockedAddress: '203.0.113.7' });
	await on.view('chats');
	await on.page.getByRole('link', { name: 'every call refused' }).click();
	await on.switch(/Refuse every call/).waitFor();
	const closed = on.page.locator('details:not([open]) > summary');
	while ((await closed.count()) > 0) await closed.first().click();
	await on.isAccessible();
});

it('names a fault in words, with whom and how often it strikes', async () => {
	const { id } = (await on.sandbox.control<{ webhooks: Array<{ id: string }> }>('/state'))
		.webhooks[0]!;
	await on.fault({ on: 'route', operation: 'listChannels', kind: 'latency', ms: 70, times: 3 });
	await on.fault({ on: 'webhook', webhookId: id, kind: 'gzip', mode: 'never', every: 4 });
	await on.view('controls');
	const [late = '', zipped = ''] = await on.page.locator('.active-faults li').allInnerTexts();
	expect(late).toMatch(/^Respond late, only List the channels, by 70 ms, 3 more times/);
	expect(zipped).toMatch(
		/^Compress with gzip, only .*Demo Channel.* → 127\.0\.0\.1:\d+, 1 time in 4, when never/,
	);
});
