/** The list of webhooks must not reveal who has an open question. */
import { createHash } from 'node:crypto';

import { number } from './harness/conversations.mts';
import { type Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	noWebhooks,
	reply,
	openCustomers,
} from './harness/questions.mts';

const [ana] = [number(1)] as const;
const inChat = { askIn: 'chat', responseType: 'replyInChat' };

let customers: Customers;
let host: Host;

beforeAll(async () => {
	customers = await openCustomers('Questions', [ana]);
	({ host } = customers);
});

afterAll(async () => await host?.cleanUp());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A mark that needs no secret. */
const plainMark = (recipient: string) =>
	sha256(`${customers.channelId.toUpperCase()}\n${recipient}`).slice(0, 32);

test('nobody who reads the list can find the number by trying all numbers', async () => {
	const question = await ask(customers, ana, inChat);
	const [webhook] = await listWebhooks(customers);
	const { recipient: mark } = webhook?.customAttributes.n8nWait as { recipient: string };
	const tried = Array.from({ length: 1000 }, (_, index) => number(index));
	expect(tried).toContain(ana);
	const guesses = (who: string) => [
		plainMark(who),
		sha256(who),
		sha256(`${customers.channelId}${who}`),
		sha256(`${customers.channelId}\n${who}`),
	];
	const found = tried.filter((who) =>
		guesses(who).some((guess) => [guess, guess.slice(0, 32)].some((text) => mark.includes(text))),
	);
	expect(found).toEqual([]);
	await reply(customers, ana, 'Yes');
	expect((await question.outcome()).status).toBe('success');
	await noWebhooks(customers);
});
