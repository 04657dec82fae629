/** Approvals that are given in the chat, by one person or the first of several. */
import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../scripts/until.mts';
import { clearFaults, number } from './harness/conversations.mts';
import { type Host } from './harness/host.mts';
import {
	ask,
	type Customers,
	listWebhooks,
	newestButtons,
	noWebhooks,
	open,
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
	// All but one, whose window stays closed.
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
	approvalOptions: { values: { askIn: 'chat', ...values } },
	...more,
});

/** Waits until all that the service had to deliver got its response. */
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
])('a tap on %s', async (title, approved) => {
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

test('the words of a button answer, other words do not, nor does a number', async () => {
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

test('approve only: one button, and its words', async () => {
	const question = await ask(customers, ana, inChat({}, {}));
	const { buttons } = await newestButtons(customers, ana);
	expect(buttons.map(({ title }) => title)).toEqual(['Approve']);
	await reply(customers, ana, 'Decline');
	await delivered();
	expect(await question.status()).toBe('waiting');
	await reply(customers, ana, 'APPROVE');
	expect((await question.outcome()).items).toMatchObject([answered(true, ana)]);
});

test("nothing of a stranger answers, nor a tap on an earlier question's button", async () => {
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
	// Whoever has the resume URL cannot sign as the service does.
	const body = JSON.stringify({ message: { contents: [{ message: 'Approve' }] } });
	const headers = { 'content-type': 'application/json' };
	for (const link of [webhook?.url ?? '', `${webhook?.url}0`])
		expect((await open(link, { method: 'POST', body, headers })).status).toBe(401);
	await delivered();
	expect(await question.status()).toBe('waiting');
	await tap(customers, ana, 'Decline');
	expect((await question.outcome()).items).toMatchObject([answered(false, ana)]);
});

test('the second of three approvers decides, and the others are told', async () => {
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

test('two approvers reply at once: one decides, once; with no text for the others, nobody is told', async () => {
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

test('an answer whose response got lost goes on once, and leaves no webhook', async () => {
	const question = await ask(customers, ana, inChat({ approvers: [ben] }));
	await host.sandbox.post('/_sandbox/faults', { on: 'webhook', kind: 'dropAfter', times: 1 });
	await tap(customers, ana, 'Approve');
	expect((await question.outcome()).items).toMatchObject([answered(true, ana)]);
	await noWebhooks(customers);
});

test('a closed window of one of three: the others are asked, and the hint says so; who was not asked holds nothing', async () => {
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
	// Now the window is open, but there was no question: to whom the service refused it, it is a stranger's word.
	await reply(customers, silent, 'Approve');
	await delivered();
	expect(await question.status()).toBe('waiting');
	const another = await ask(customers, silent, inChat());
	await tap(customers, silent, 'Decline');
	expect((await another.outcome()).items).toMatchObject([answered(false, silent)]);
	await tap(customers, ben, 'Approve');
	expect((await question.outcome()).items).toMatchObject([answered(true, ben)]);
});

test('when nobody can be asked it fails, and leaves no webhook', async () => {
	const { executionId } = await startAsking(
		customers,
		number(6),
		inChat({ approvers: [number(7)] }),
	);
	const { resultData } = await host.client.finishedExecution(executionId);
	expect(resultData.error?.message).toContain('the 24-hour conversation window is closed');
	expect(await listWebhooks(customers)).toEqual([]);
});

test('an approver who is being asked something else is left out, or waited for in the queue', async () => {
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

test('a label that fits no button is refused before anything is sent', async () => {
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

test('by links, each approver has links of their own, which say who answered', async () => {
	const question = await ask(customers, ana, {
		responseType: 'approval',
		approvers: [ben, number(8)],
	});
	const linkTo = async (person: string) =>
		(await textsTo(customers, person)).at(-1)?.match(/https?:\S+/)?.[0] ?? '';
	const [ofAna, ofBen] = [await linkTo(ana), await linkTo(ben)];
	expect(ofAna).not.toBe(ofBen);
	const forged = ofAna.replace('approver=0', 'approver=1');
	expect(forged).not.toBe(ofAna);
	expect((await open(forged, { method: 'POST' })).status).toBe(401);
	expect(await question.status()).toBe('waiting');
	await open(ofBen, { method: 'POST' });
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
		responseType: 'replyInChat',
		choices: { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] },
	};
	const newest = { typeVersion: 1.1 };

	test('are buttons from version 1.1 on, and are asked again with them', async () => {
		const question = await ask(customers, ana, days, newest);
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
		const byNumber = await ask(customers, ana, days, newest);
		await reply(customers, ana, '1');
		expect((await byNumber.outcome()).items).toMatchObject([
			{ data: { choice: 'Monday', choiceNumber: 1 } },
		]);
	});

	test.each([
		['more than three', ['1st', '2nd', '3rd', '4th']],
		['a long one', ['Yes', 'No, the day before is fine']],
	])('are listed with numbers: %s', async (_why, labels) => {
		const choices = { values: labels.map((choice) => ({ choice })) };
		const question = await ask(customers, ana, { ...days, choices }, newest);
		expect((await question.sent()).at(-1)).toBe(
			`May we deliver on Tuesday?\n\n${labels.map((label, at) => `${at + 1}. ${label}`).join('\n')}`,
		);
		await reply(customers, ana, '2');
		expect((await question.outcome()).items).toMatchObject([{ data: { choice: labels[1] } }]);
	});
});
