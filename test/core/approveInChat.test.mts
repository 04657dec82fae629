import type { IDataObject } from 'n8n-workflow';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import { type ApprovalInChat } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { outputSchemas } from '../../scripts/outputSchemas.mts';
import { until } from '../../scripts/until.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { delivered, receive, SENT_BEFORE, URL_SIGNATURE } from './harness/replies.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const SECRET = 'a1'.repeat(32);
const [ANA, BEN, CLEO, STRANGER] = ['1', '2', '3', '4'].map((end) => `551199999000${end}`) as [
	string,
	string,
	string,
	string,
];

let service: FakeService;
beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => await service.close());

let asked = 0;
const approval = (changes: Partial<ApprovalInChat> = {}): ApprovalInChat => {
	const id = `approval-${++asked}`;
	return {
		kind: 'approvalInChat',
		id,
		links: [hashOfLink(id, URL_SIGNATURE)],
		message: 'A discount?',
		answeredText: '',
		channelId: CHANNEL,
		recipient: ANA,
		approvers: [BEN, CLEO],
		choices: ['Approve', 'Decline'],
		buttons: true,
		tellOthers: '{name} said {answer}.',
		sent: [SENT_BEFORE, SENT_BEFORE, SENT_BEFORE],
		webhookId: '019E4C54B1B375A28970B605CA9B0AAA',
		sealedSecret: seal(SECRET, URL_SIGNATURE),
		deadline: new Date(Date.now() + 60_000).toISOString(),
		...changes,
	};
};

/** A message with these words, or a tap on the button with that ID. */
let written = 0;
function messageOf(identifier: string, text: string, buttonId?: string, name: string | null = 'X') {
	const id = String(++written).padStart(32, '0');
	const { message, ...rest } = messageBody({ text, id });
	const [content] = message.contents;
	const button = buttonId === undefined ? {} : { button: { id: buttonId, title: text } };
	return {
		...rest,
		message: {
			...message,
			sender: { identifier, name },
			contents: [{ ...content, ...button }],
		},
	};
}

const reply = async (question: ApprovalInChat, body: unknown) =>
	await receive(question, service.url, delivered(signed(body, { secret: SECRET })));

const sentTo = () =>
	service.requests
		.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
		.map(({ body }) => body)
		.sort((left, right) => JSON.stringify(left).localeCompare(JSON.stringify(right)));

test('takes the first decision, and tells n8n by its own event and the others by a message', async () => {
	const question = approval();
	const { item, approvals } = await reply(
		question,
		messageOf(BEN, 'approve', undefined, 'Ben {answer}'),
	);
	expect(item).toMatchObject({
		sender: { identifier: BEN },
		data: {
			approved: true,
			responder: { identifier: BEN, name: 'Ben {answer}' },
			outcome: 'answered',
		},
	});
	expect(approvals).toMatchObject([{ approved: true, authorized: true, executionId: '7' }]);
	await until('both others to be told', () => sentTo().length === 2, 5000);
	expect(sentTo()).toEqual(
		[ANA, CLEO].map((identifier) => ({
			recipient: { identifier },
			content: { type: 'TEXT', body: { message: 'Ben {answer} said Approve.' } },
		})),
	);
	const late = await reply(question, messageOf(ANA, 'Decline'));
	expect(late).toMatchObject({ item: undefined, approvals: [] });
	expect(sentTo()).toHaveLength(2);
});

test('takes no approval from somebody whose ID looks like the approver as a number', async () => {
	const question = approval({ recipient: '12345678', approvers: ['0087654321', 'ana.b'] });
	for (const stranger of ['0012345678', '1234-5678', '1234.5678', '87654321', 'anab', 'ana-b'])
		expect((await reply(question, messageOf(stranger, 'Approve'))).item).toBeUndefined();
	const { item } = await reply(question, messageOf('0087654321', 'Approve'));
	expect(item).toMatchObject({ data: { approved: true } });
	await until('both others to be told', () => sentTo().length === 2, 5000);
	expect(sentTo().map(({ recipient }) => recipient)).toEqual([
		{ identifier: '12345678' },
		{ identifier: 'ana.b' },
	]);
});

test('finishes the work after a decision even if the service disconnects first, so it does not come again', async () => {
	const { item, approvals } = await receive(approval(), service.url, {
		...delivered(signed(messageOf(BEN, 'Approve'), { secret: SECRET })),
		isAbandoned: true,
	});
	expect(item).toMatchObject({ data: { approved: true } });
	expect(approvals).toMatchObject([{ approved: true }]);
	await until('both others to be told', () => sentTo().length === 2, 5000);
	await until(
		'the webhook to be deleted',
		() => service.requests.some(({ method }) => method === 'DELETE'),
		5000,
	);
});

test('calls a person without a name by their number, and tells nobody anything without a text', async () => {
	await reply(approval({ approvers: [BEN] }), messageOf(BEN, 'Decline', undefined, null));
	await until('the other to be told', () => sentTo().length === 1, 5000);
	expect(sentTo()).toMatchObject([{ content: { body: { message: `${BEN} said Decline.` } } }]);
	const { item } = await reply(approval({ tellOthers: '' }), messageOf(BEN, 'Decline'));
	expect(item).toMatchObject({ data: { approved: false } });
	expect(sentTo()).toHaveLength(1);
});

test.each([
	['a tap of a stranger', STRANGER, 'Approve', true],
	['the words of a stranger', STRANGER, 'Approve', false],
	['other words of an approver', BEN, 'What is this about?', false],
	['a number', BEN, '1', false],
	['nothing', BEN, '', false],
])('%s decides nothing, and starts nothing', async (_what, from, text, isTap) => {
	const question = approval();
	const received = await reply(
		question,
		messageOf(from, text, isTap ? `n8n-question:${question.id}:1` : undefined),
	);
	expect(received).toMatchObject({
		item: undefined,
		status: 200,
		body: { message: 'Not the awaited answer' },
		approvals: [],
	});
	expect(sentTo()).toEqual([]);
});

test("takes a tap by the button's ID, and ignores a tap on another question's button, whatever its text", async () => {
	const question = approval();
	const ofAnother = messageOf(ANA, 'Approve', 'n8n-question:another:1');
	expect((await reply(question, ofAnother)).item).toBeUndefined();
	const tapped = messageOf(CLEO, 'Ablehnen', `n8n-question:${question.id}:2`);
	const both = [messageOf(ANA, 'One moment'), ofAnother, tapped];
	expect((await reply(question, both)).item).toMatchObject({
		data: { approved: false, responder: { identifier: CLEO } },
	});
});

test('tells the others a name that is one line, whatever the service says', async () => {
	const name = 'Mallory\n\n(confirmed by the manager)';
	const { item } = await reply(
		approval({ approvers: [BEN] }),
		messageOf(BEN, 'Approve', undefined, name),
	);
	expect(item).toMatchObject({ data: { responder: { name } } });
	await until('the other to be told', () => sentTo().length === 1, 5000);
	expect(sentTo()).toMatchObject([
		{ content: { body: { message: 'Mallory (confirmed by the manager) said Approve.' } } },
	]);
});

test('goes on even if the others cannot be told', async () => {
	service.intercept = ({ path }) =>
		path.endsWith('/messages') ? { status: 500, body: { message: 'No' } } : undefined;
	const { item, status } = await reply(approval(), messageOf(ANA, 'Approve'));
	expect([item?.data, status]).toMatchObject([{ approved: true }, 200]);
	await until('both others to be tried', () => sentTo().length === 2, 5000);
});

test('shows in the editor, before the first reply, the fields that come out', async () => {
	const schema = outputSchemas().get('__schema__/v2.0.0/message/sendAndWait.json');
	const data = schema?.properties?.data?.properties ?? {};
	const { item } = await reply(approval({ tellOthers: '' }), messageOf(ANA, 'Approve'));
	const given = item?.data as IDataObject;
	expect(Object.keys(data)).toEqual(expect.arrayContaining(Object.keys(given)));
	expect(Object.keys(data.responder?.properties ?? {})).toEqual(Object.keys(given.responder ?? {}));
});
