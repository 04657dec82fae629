import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../sandbox/helpers.mts';
import { CHANNEL, CUSTOMER, sandboxPage } from './harness/sandboxPage.mts';

const on = sandboxPage();
const BOXES = ':is(input:not([type=checkbox], [type=file]), textarea):visible:enabled';
const DELAY = { delay: 60 };

/** Changes something of every kind, and waits until the page has read it. */
async function stir(): Promise<void> {
	const read = on.page.waitForResponse(/\/_sandbox\/state$/);
	await on.writes();
	await on.clock({ speed: 1 });
	await on.set({ progression: { upTo: 'READ' } });
	await on.sandbox.control('/faults', { method: 'DELETE' });
	await on.fault({ on: 'route', kind: 'latency', operation: 'listChannels', ms: 1 });
	const [webhook] = (await on.sandbox.call(`${CHANNEL}/webhooks`)).body as Array<{ id: string }>;
	await on.sandbox.control(`/webhooks/${webhook!.id}`, {
		method: 'PATCH',
		body: { order: 'kept' },
	});
	const template = { name: `t${Date.now()}`, components: [{ type: 'BODY', text: 'Hello' }] };
	await on.sandbox.control('/message-templates', { body: template });
	await on.sandbox.call('/v1/channels', { body: { name: 'Shop', type: 'OFFICIAL_CHATAPP' } });
	await read;
}

it.each([
	['chats', 'Kind of message', 'TEXT', 4],
	['chats', 'Kind of message', 'IMAGE', 5],
	['templates', 'Header', 'TEXT', 14],
	['webhooks', 'What changes', 'status', 1],
	['connect', 'Type', 'OFFICIAL_CHATAPP', 2],
	['controls', 'Speed', '1', 12],
])(
	'keeps text and caret in every box of %s while things change: %s %s',
	async (...given) => {
		const [view, choice, chosen, count] = given;
		await on.view(view);
		await on.label(choice).selectOption(chosen);
		const closed = on.page.locator('details:not([open]) > summary');
		while ((await closed.count()) > 0) await closed.first().click();
		expect(await on.page.locator(BOXES).count()).toBe(count);
		const texts: string[] = [];
		for (let place = 0; place < count; place += 1) {
			await on.page.locator(BOXES).nth(place).click();
			await on.page.keyboard.press('Control+A');
			await on.page.keyboard.type('13', DELAY);
			await on.page.keyboard.press('ArrowLeft');
			await stir();
			await on.page.keyboard.type('2', DELAY);
		}
		await stir();
		for (const box of await on.page.locator(BOXES).all()) texts.push(await box.inputValue());
		expect(texts).toEqual(Array(count).fill('123'));
	},
	120_000,
);

describe.each(['taken', 'refused'])('of what is sent and %s', (end) => {
	it.each([
		['chats', /\/_sandbox\/inbound$/, {}, 'Message', 'Message'],
		['chats', /\/_sandbox\/inbound$/, {}, 'Message', 'Find a customer'],
		['connect', /\/v1\/channels$/, {}, 'Name', 'Name'],
		['templates', /\/message-templates$/, { Body: 'Hello' }, 'Name', 'Name'],
		['templates', /\/message-templates$/, { Name: 'hello', Body: 'Hello' }, 'Footer', 'Name'],
		['templates', /\/message-templates$/, { Name: 'hello', Body: 'Hello' }, 'Footer', 'Body'],
	])('%s loses nothing that is typed meanwhile: %s %o %s, %s', async (...given) => {
		const [view, path, before, sent, next] = given;
		await on.view(view);
		await on.page.route(path, async (route) => {
			await sleep(400);
			if (end === 'taken') await route.continue();
			else await route.fulfill({ status: 400, json: { error: 'Refused by the test' } });
		});
		for (const [name, text] of Object.entries(before)) await on.label(name).fill(text);
		const ended = on.page.waitForResponse(path);
		await on.label(sent).pressSequentially('first\n', DELAY);
		if (next !== sent) await on.label(next).focus();
		await on.page.keyboard.type('second', DELAY);
		await ended;
		await on.page.keyboard.type('ly', DELAY);
		const all: Record<string, string> = { ...before, [sent]: 'first' };
		for (const [name, text] of Object.entries({ [next]: '', ...all })) {
			const kept = [end === 'refused' && text, name === next && 'secondly'].filter(Boolean);
			await until(`${name} has what was not taken`, async () => {
				return (await on.label(name).inputValue()) === kept.join(' ');
			});
		}
	});
});

it('keeps what is searched for while the chats load, and a refused image of another kind', async () => {
	await on.sandbox.inbound(CUSTOMER, 'Hello');
	let answer = () => {};
	const asked = new Promise<void>((resolve) => (answer = resolve));
	await on.page.route(/\/_sandbox\/(?:conversations|inbound)/, async (route) => {
		await asked;
		if (/inbound/.test(route.request().url())) await route.abort();
		else await route.continue();
	});
	await on.view('chats');
	await on.label('Find a customer').pressSequentially('nobo', DELAY);
	await on.label('Kind of message').selectOption('IMAGE');
	await on.label('Caption').pressSequentially('A cat\n', DELAY);
	await on.label('Kind of message').selectOption('TEXT');
	await on.label('Find a customer').press('End');
	answer();
	await on.shows('The sandbox does not respond. Is it still running?');
	await on.page.keyboard.type('dy', DELAY);
	expect(await on.label('Find a customer').inputValue()).toBe('nobody');
	await on.label('Kind of message').selectOption('IMAGE');
	expect(await on.label('Caption').inputValue()).toBe('A cat');
	on.excuse(/ERR_/);
});
