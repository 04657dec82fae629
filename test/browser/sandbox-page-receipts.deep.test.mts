import type { IHookFunctions } from 'n8n-workflow';

import { describeNode } from '#nodes/shared/node/nodeMark.ts';
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { CHANNEL, CUSTOMER, sandboxPage, WIDTHS } from './harness/sandboxPage.mts';

const on = sandboxPage();

/** What becomes of a delivery, by a webhook's description. Else, it is taken. */
type Reactions = Record<string, { status?: number; body: string }>;
/** Replaces the webhooks of the channel by one for each description, or with other fields. */
async function listen(given: Array<string | object>, reactions: Reactions = {}) {
	const { body } = await on.sandbox.call<Array<{ id: string }>>(`${CHANNEL}/webhooks`);
	for (const { id } of body)
		await on.sandbox.call(`${CHANNEL}/webhooks/${id}`, { method: 'DELETE' });
	const ids: string[] = [];
	for (const one of given) {
		const { url } = await on.listen(() => reactions[String(one)] ?? {});
		const fields = typeof one === 'string' ? { description: one } : one;
		const webhook = { url, events: ['MESSAGE_RECEIVED'], ...fields };
		const created = await on.sandbox.call<{ id: string }>(`${CHANNEL}/webhooks`, { body: webhook });
		ids.push(created.body.id);
	}
	return ids;
}
/** The description that a trigger of a workflow, or a question, gives its webhook. */
const nodeOf = (workflow: string, waits?: number) => {
	const context = {
		getWorkflow: () => ({ name: workflow }),
		getNode: () => ({ name: 'When a Customer Writes' }),
	} as unknown as IHookFunctions;
	const until = new Date(Date.now() + (waits ?? 0)).toISOString();
	return describeNode(context, waits === undefined ? '' : `: waits for a reply until ${until}`);
};
const lineOf = (text: string) => on.bubble(text).locator('.receipt');
/** Waits until the line below a message has exactly these words, or matches. */
const says = async (text: string, words: string | RegExp) =>
	await lineOf(text).getByText(words, { exact: true }).waitFor();

/** The business answers, and the page shows it. */
async function answers(text: string) {
	expect((await on.sandbox.send(CUSTOMER, text)).status).toBe(200);
	await on.bubble(text).waitFor();
}

it.each(WIDTHS)(
	'says which workflow took a message, that none listens, or when it is tried again, on %s',
	async (_width, viewport) => {
		await on.reopen({ viewport });
		await on.openChat();
		await listen([]);
		await on.writes('Is anybody there?');
		await says('Is anybody there?', /^no workflow listens: publish one/);

		const names = [nodeOf('My "First" <b>Workflow</b>'), nodeOf('Second')];
		const [first = '', second = ''] = await listen(names);
		// None did when it was written, and that stays true.
		await says('Is anybody there?', 'no workflow listened');
		await on.writes('Hello');
		const both = 'My "First" <b>Workflow</b>, Second';
		await says('Hello', `taken by ${both}`);
		await answers('Good morning');
		// A colleague is no workflow.
		const byPhone = { channelId: DEMO_CHANNEL_ID, to: CUSTOMER, text: 'I look' };
		await on.sandbox.control('/from-phone', { body: byPhone });
		await on.bubble('I look').waitFor();
		expect(await lineOf('Hello').locator('.wait').count()).toBe(0);
		await answers('Good evening');
		const twice = `taken by 2 workflows, and 2 messages came: ${both}`;
		await says('Hello', twice);
		expect(await lineOf('Hello').locator('.wait').count()).toBe(1);
		expect(await on.page.locator('.messages footer b').count()).toBe(0);

		await on.fault({ on: 'webhook', kind: 'status', status: 503, webhookId: second, times: 1 });
		await on.clock({ speed: 0 });
		const where = 'Where is my order?';
		await on.writes(where);
		await says(where, /^not delivered to Second, next try at \d\d?:\d\d:\d\d(?: [AP]M)? \(503\)$/);
		const onlyFirst = /^taken by My "First" .*; not delivered to Second/;
		await lineOf(where).filter({ hasText: onlyFirst }).waitFor();
		await on.isAccessible();
		await on.clock({ advance: 10 });
		await says(where, `taken by ${both}`);

		const body = { status: 'DISABLED' };
		await on.sandbox.control(`/webhooks/${first}`, { method: 'PATCH', body });
		await on.writes('Still closed?');
		await says('Still closed?', /the webhook of My .* is disabled/);
		// A test run of a workflow removes its webhook, and is still named.
		await listen([]);
		await says('Still closed?', /My .* stopped listening/);
		await says('Hello', twice);
	},
);

it('names neither who left a message alone nor a question that nobody waits for', async () => {
	const [gone, over, open] = [60_000, -60_000, 120_000].map((waits) => nodeOf('Ask', waits));
	const json = (message: string) => JSON.stringify({ code: 404, message });
	const reactions = {
		[gone!]: { status: 404, body: json('The execution "12" does not exist.') },
		[over!]: { body: '<html><head><title>No action required</title></head></html>' },
		[open!]: { body: JSON.stringify({ message: 'Not the awaited answer' }) },
		Filter: { body: JSON.stringify({ message: 'Filtered out' }) },
	};
	await listen([gone!, over!, open!], reactions);
	await on.openChat();
	await on.writes('Anybody?');
	await says('Anybody?', 'not an answer to the question of Ask');
	await listen([gone!, over!], reactions);
	await on.writes('Nobody?');
	await says('Nobody?', /^no workflow listens: publish one/);
	await listen([gone!, over!, open!, 'Filter'], reactions);
	await on.writes('Hello');
	await says('Hello', 'left out by Filter');
	await listen([gone!, over!, 'Filter', nodeOf('Shop')], reactions);
	await on.writes('An order');
	await says('An order', 'taken by Shop');

	await on.view('webhooks');
	for (const words of [/: waits for a reply until \d/, /: over since \d/])
		await on.card('A question of Ask').getByText(words).waitFor();
	await on.isAccessible();
});

it('counts the workflows that took a message, not their triggers, and names what has no name', async () => {
	const description = nodeOf('Copy');
	const copy = (workflowId: string) => ({ description, customAttributes: { n8n: { workflowId } } });
	await on.openChat();
	for (const [place, [webhooks, line]] of (
		[
			[[copy('A'), copy('A')], 'taken by Copy'],
			[[copy('A'), copy('B')], 'taken by 2 workflows, and 2 messages came: Copy'],
			[[{}], /^taken by 127\.0\.0\.1:\d+$/],
			[[copy('A'), {}], /^taken by 2 receivers, and 2 messages came: Copy, 127\.0/],
		] as const
	).entries()) {
		await listen([...webhooks]);
		await on.writes(String(line));
		for (const nth of ['First', 'Second']) await answers(`${nth} of ${place}`);
		await says(String(line), line);
	}
	await listen([]);
	await says('receivers', /: Copy, a webhook that was removed$/);
});

it('tells two triggers apart where one filters the deliveries', async () => {
	const workflows = ['Auto-Reply', 'Shop Assistant', 'Copy', 'Copy', 'x'.repeat(300)];
	const [, , third = '', fourth = ''] = await listen(workflows.map((name) => nodeOf(name)));
	await on.view('deliveries');
	const names = await on.page.getByLabel('Webhook').locator('option').allInnerTexts();
	expect(names.map((name) => name.replace(/[\u2068\u2069]/g, ''))).toEqual([
		'Any webhook',
		'Demo Channel → Auto-Reply, When a Customer Writes',
		'Demo Channel → Shop Assistant, When a Customer Writes',
		`Demo Channel → Copy, When a Customer Writes (${third.slice(-6)})`,
		`Demo Channel → Copy, When a Customer Writes (${fourth.slice(-6)})`,
		`Demo Channel → ${'x'.repeat(39)}…`,
	]);
});

it('marks a document as failed, and says why', async () => {
	await on.openChat();
	await on.writes('The invoice, please');
	const attachment = { url: 'https://shop.example.com/invoice.pdf', caption: 'Here it is' };
	await on.sandbox.sendContent(CUSTOMER, { type: 'IMAGE', attachments: [attachment] });
	const sent = on.bubble('Here it is');
	await sent.locator('.state', { hasText: 'failed' }).waitFor();
	await sent.getByText(/^Not delivered: The file is a document.* Send a link/).waitFor();
	await on.isAccessible();
	on.excuse(/shop\.example\.com|ERR_/);
});
