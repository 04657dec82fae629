/** Approvals in the chat, by one approver or by the first of several. */
import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { type Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	newestButtons,
	newestLinkButton,
	noWebhooks,
	open,
	press,
	reply,
	startAsking,
	tap,
	textsTo,
	openCustomers,
} from './harness/questions.mts';

const [ana, ben, cleo, stranger, silent] = [1, 2, 3, 4, 5].map(number) as [
	string,
	string,
	string,
	string,
	string,
];
const LIMIT_MS = 30_000;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown;

let customers: Customers;
let host: Host;

beforeAll(async () => {
	// The window of one approver stays closed.
	customers = await openCustomers('Approvals', [ana, ben, cleo, stranger]);
	({ host } = customers);
});

afterEach(async () => {
	await clearFaults(host);
	await noWebhooks(customers);
});

afterAll(async () => await host?.cleanUp());

const inChat = (
	more: INodeParameters = {},
	values: INodeParameters = { approvalType: 'double' },
): INodeParameters => ({
	responseType: 'approval',
	askIn: 'chat',
	approvalOptions: { values },
	...more,
});

/** Waits until n8n has responded to every delivery. */
async function delivered(): Promise<void> {
	await until(
		'everything to be delivered',
		async () =>
			(await host.sandbox.get<{ counts: Record<string, number> }>('/_sandbox/deliveries?limit=1'))
				.counts.PENDING === 0,
		LIMIT_MS,
	);
}

const answered = (approved: boolean, identifier: string) => ({
	data: {
		approved,
		responder: { identifier, name: 'Customer' },
		outcome: 'answered',
		respondedAt: time,
	},
});

test.each([
	['Approve', true],
	['Decline', false],
])('a tap on %s gives the decision', async (title, approved) => {
	const question = await ask(customers, ana, inChat());
	const { text, buttons } = await newestButtons(customers, ana);
	expect({ text, titles: buttons.map((button) => button.title) }).toEqual({
		text: 'May we deliver on Tuesday?',
		titles: ['Approve', 'Decline'],
	});
	await tap(customers, ana, title);
	const { status, items } = await question.outcome();
	expect(status).toBe('success');
	expect(items).toMatchObject([{ sender: { identifier: ana }, ...answered(approved, ana) }]);
	expect(items[0]?.data).toEqual(answered(approved, ana).data);
});

test('the words of a button decide; other words and numbers do not', async () => {
	const labels = { approvalType: 'double', approveLabel: 'Let it', disapproveLabel: 'Stop it' };
	const question = await ask(customers, ana, inChat({}, labels));
	const before = await textsTo(customers, ana);
	for (const text of ['1', 'Hello?', 'I would let it', 'Approve'])
		await reply(customers, ana, text);
	await delivered();
	expect(await question.status()).toBe('waiting');
	expect(await textsTo(customers, ana)).toEqual(before);
	await reply(customers, ana, ' stop it!');
	expect((await question.outcome()).items).toMatchObject([answered(false, ana)]);
});

test('"approve only" offers one button and takes its words', async () => {
	const question = await ask(customers, ana, inChat({}, { approvalType: 'single' }));
	const { buttons } = await newestButtons(customers, ana);
	expect(buttons.map(({ title }) => title)).toEqual(['Approve']);
	await reply(customers, ana, 'Decline');
	await delivered();
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, 'APPROVE');
	expect((await question.outcome()).items).toMatchObject([answered(true, ana)]);
});

test('ignores strangers, and taps on the buttons of an earlier question', async () => {
	const earlier = await ask(customers, ana, inChat());
	const { id } = await newestButtons(customers, ana);
	const [old] = (await newestButtons(customers, ana)).buttons;
	await tap(customers, ana, 'Decline');
	await earlier.finished();
	await noWebhooks(customers);

	const question = await ask(customers, ana, inChat());
	const [approve] = (await newestButtons(customers, ana)).buttons;
	expect(approve?.id).not.toBe(old?.id);
	await host.sandbox.post('/_sandbox/inbound', {
		channelId: customers.channelId,
		from: stranger,
		type: 'BUTTON_REPLY',
		text: 'Approve',
		id: approve?.id,
	});
	await reply(customers, stranger, 'Approve');
	await host.sandbox.post(`/_sandbox/messages/${id}/tap`, { buttonId: old?.id });
	const [webhook] = await listWebhooks(customers);
	// Somebody who has the resume URL cannot sign as the service does.
	const body = JSON.stringify({ message: { contents: [{ message: 'Approve' }] } });
	const headers = { 'content-type': 'application/json' };
	for (const link of [webhook?.url ?? '', `${webhook?.url}0`])
		expect((await open(link, { method: 'POST', body, headers })).status).toBe(401);
	await delivered();
	expect(await question.status()).toBe('waiting');
	await tap(customers, ana, 'Decline');
	expect((await question.outcome()).items).toMatchObject([answered(false, ana)]);
});

test("a tap on another message's button decides nothing: the question comes again, with its own", async () => {
	const question = await ask(customers, ana, inChat());
	const { id } = await newestButtons(customers, ana);
	const foreign = { channelId: customers.channelId, from: ana, type: 'BUTTON_REPLY' };
	await host.sandbox.post('/_sandbox/inbound', { ...foreign, text: 'Approve', id: 'Approve' });
	await until(
		'the question to come again',
		async () => (await newestButtons(customers, ana)).id !== id,
		LIMIT_MS,
	);
	for (const other of ['Approve', 'approve-refund'])
		await host.sandbox.post('/_sandbox/inbound', { ...foreign, text: 'Approve', id: other });
	await delivered();
	expect(await question.status()).toBe('waiting');
	await tap(customers, ana, 'Decline');
	expect((await question.outcome()).items).toMatchObject([answered(false, ana)]);
});

test('a template asks by its own IDs, whatever the order of its quick replies', async () => {
	const person = number(9);
	const { tenantId: tenant, channelId } = customers;
	const buttons = ['Decline', 'Approve'].map((title) => ({ id: title, title }));
	await host.sandbox.post('/_sandbox/message-templates', {
		...{ name: 'ask_refund', body: 'Refund {{1}}?', buttons, status: 'APPROVED', tenant },
	});
	const byTemplate = inChat({
		whenWindowClosed: 'sendTemplate',
		fallbackTemplate: { __rl: true, mode: 'name', value: 'ask_refund' },
		fallbackBodyParameters: ['1042'],
	});
	const question = await ask(customers, person, byTemplate);
	const sent = (await host.sandbox.messages(channelId)).findLast(
		(message) => message.customer === person && message.direction === 'out',
	);
	const { buttons: offered } = sent?.content as { buttons: Array<{ id: string; title: string }> };
	expect(offered).toMatchObject([
		{ id: expect.stringMatching(/^n8n-question:.*:2$/) as string, title: 'Decline' },
		{ id: expect.stringMatching(/^n8n-question:.*:1$/) as string, title: 'Approve' },
	]);
	await host.sandbox.post(`/_sandbox/messages/${sent?.id}/tap`, { buttonId: offered[0]?.id });
	expect((await question.outcome()).items).toMatchObject([
		{ data: { approved: false, responder: { identifier: person } } },
	]);
});

test('takes the decision of the second of three approvers, and tells the others', async () => {
	const question = await ask(customers, ana, inChat({ approvers: [ben, cleo, `+${ana}`] }));
	const [webhook, ...others] = await listWebhooks(customers);
	expect(others).toEqual([]);
	for (const person of [ana, ben, cleo])
		expect(JSON.stringify(webhook?.customAttributes)).not.toContain(person);
	await tap(customers, ben, 'Approve');
	expect((await question.outcome()).items).toMatchObject([answered(true, ben)]);
	for (const other of [ana, cleo])
		await until(
			'the others to be told',
			async () => (await textsTo(customers, other)).at(-1) === 'Customer answered: Approve',
			LIMIT_MS,
		);
	expect((await textsTo(customers, ben)).at(-1)).toBe('May we deliver on Tuesday?');
});

test('takes one of two simultaneous decisions; tells nobody if the text for the others is empty', async () => {
	const question = await ask(
		customers,
		ana,
		inChat({ approvers: [ben, cleo], options: { tellOthers: '' } }),
	);
	await Promise.all([
		tap(customers, ana, 'Approve'),
		tap(customers, ben, 'Decline'),
		tap(customers, cleo, 'Approve'),
	]);
	const { resultData } = await question.finished();
	expect(resultData.runData.After).toHaveLength(1);
	await noWebhooks(customers);
	await delivered();
	for (const person of [ana, ben, cleo])
		expect((await textsTo(customers, person)).at(-1)).toBe('May we deliver on Tuesday?');
});

test('continues once after a decision whose response got lost, and leaves no webhook', async () => {
	const question = await ask(customers, ana, inChat({ approvers: [ben] }));
	await host.sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'dropAfter', times: 1 });
	await tap(customers, ana, 'Approve');
	expect((await question.outcome()).items).toMatchObject([answered(true, ana)]);
	await noWebhooks(customers);
});

test('asks the other approvers if one window is closed, and takes no decision from the one it could not ask', async () => {
	const question = await ask(customers, ana, inChat({ approvers: [silent, ben] }));
	const { resultData } = await host.client.getExecution(question.executionId);
	expect(resultData?.runData.Ask?.[0]).toMatchObject({
		hints: [
			{
				message: expect.stringMatching(
					new RegExp(`^Asked 2 of 3 people\\. ${silent}: .*24-hour conversation window is closed`),
				) as string,
			},
		],
	});
	// The window is open now, but the service had refused the question. The reply is a stranger's.
	await reply(customers, silent, 'Approve');
	await delivered();
	expect(await question.status()).toBe('waiting');
	const another = await ask(customers, silent, inChat());
	await tap(customers, silent, 'Decline');
	expect((await another.outcome()).items).toMatchObject([answered(false, silent)]);
	await tap(customers, ben, 'Approve');
	expect((await question.outcome()).items).toMatchObject([answered(true, ben)]);
});

test('fails if it can ask nobody, and leaves no webhook', async () => {
	const { executionId } = await startAsking(
		customers,
		number(6),
		inChat({ approvers: [number(7)] }),
	);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toContain('the 24-hour conversation window is closed');
	expect(await listWebhooks(customers)).toEqual([]);
});

test('leaves out an approver who has an open question, or waits in the queue', async () => {
	const first = await ask(customers, ben, inChat());
	const second = await ask(customers, ana, inChat({ approvers: [ben] }));
	const before = await textsTo(customers, ben);
	const third = await startAsking(
		customers,
		cleo,
		inChat({ approvers: [ben], whenAnotherWaits: 'queue', message: 'And the price?' }),
	);
	await tap(customers, ana, 'Approve');
	expect((await second.outcome()).items).toMatchObject([answered(true, ana)]);
	expect(await textsTo(customers, ben)).toEqual(before);
	await tap(customers, ben, 'Decline');
	expect((await first.outcome()).items).toMatchObject([answered(false, ben)]);
	await until(
		'the question in the queue',
		async () => (await newestButtons(customers, ben)).text === 'And the price?',
		LIMIT_MS,
	);
	await until(
		'it to wait',
		async () => (await host.client.getExecution(third.executionId)).status === 'waiting',
		LIMIT_MS,
	);
	await tap(customers, cleo, 'Approve');
	const { resultData } = await host.client.finishedExecution(third.executionId);
	expect(resultData.runData.After?.[0]?.data?.main[0]?.[0]?.json).toMatchObject(
		answered(true, cleo),
	);
});

test('refuses a label that fits no button, before it sends anything', async () => {
	const before = await textsTo(customers, ana);
	const { executionId } = await startAsking(
		customers,
		ana,
		inChat({}, { approveLabel: 'Yes, I want this to happen' }),
	);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toContain('"Approve Button Label" has 26 characters');
	expect(await textsTo(customers, ana)).toEqual(before);
});

test('gives each approver links of their own, which tell who decided', async () => {
	const question = await ask(customers, ana, {
		responseType: 'approval',
		approvers: [ben, number(8)],
	});
	const linkTo = async (person: string) => (await newestLinkButton(customers, person)).url;
	const [ofAna, ofBen] = [await linkTo(ana), await linkTo(ben)];
	expect(ofAna).not.toBe(ofBen);
	const forged = ofAna.replace('approver=0', 'approver=1');
	expect(forged).not.toBe(ofAna);
	expect((await open(forged, { method: 'POST' })).status).toBe(401);
	expect(await question.status()).toBe('waiting');
	await press(ofBen, true);
	expect((await question.outcome()).items).toEqual([
		{
			data: {
				approved: true,
				responder: { identifier: ben, name: null },
				outcome: 'answered',
				respondedAt: time,
			},
		},
	]);
	await until(
		'the other to be told',
		async () => (await textsTo(customers, ana)).at(-1) === `${ben} answered: Approve`,
		LIMIT_MS,
	);
});

describe('choices of a reply in the chat', () => {
	const days = {
		askIn: 'chat',
		responseType: 'replyInChat',
		choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
	};
	test('are sent as buttons, also when the question is asked again', async () => {
		const question = await ask(customers, ana, days);
		expect((await newestButtons(customers, ana)).text).toBe('May we deliver on Tuesday?');
		await reply(customers, ana, 'Sunday');
		await until(
			'to be asked again',
			async () => (await newestButtons(customers, ana)).text === 'Please reply with one of these:',
			LIMIT_MS,
		);
		await tap(customers, ana, 'Tuesday');
		expect((await question.outcome()).items).toMatchObject([
			{
				reply: { title: 'Tuesday' },
				data: { text: 'Tuesday', choice: 'Tuesday', choiceNumber: 2, outcome: 'answered' },
			},
		]);
		const byNumber = await ask(customers, ana, days);
		await reply(customers, ana, '1');
		expect((await byNumber.outcome()).items).toMatchObject([
			{ data: { choice: 'Monday', choiceNumber: 1 } },
		]);
	});

	test.each([
		['more than three', ['1st', '2nd', '3rd', '4th']],
		['a long one', ['Yes', 'No, the day before is fine']],
	])('are sent as a numbered list: %s', async (_why, labels) => {
		const choices = { values: labels.map((choice) => ({ choice })) };
		const question = await ask(customers, ana, { ...days, choices });
		expect((await question.sent()).at(-1)).toBe(
			`May we deliver on Tuesday?\n\n${labels.map((label, at) => `${at + 1}. ${label}`).join('\n')}`,
		);
		await reply(customers, ana, '2');
		expect((await question.outcome()).items).toMatchObject([{ data: { choice: labels[1] } }]);
	});
});
