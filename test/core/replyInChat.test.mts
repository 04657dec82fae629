import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import {
	type ChatQuestion,
	type ReplyQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { delivered, receive, SENT_BEFORE, URL_SIGNATURE } from './harness/replies.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
/** The sender in `messageBody`. */
const CUSTOMER = '5511999990000';
const SECRET = 'a1'.repeat(32);

let service: FakeService;
beforeEach(async () => {
	service = await startFakeService();
});
afterEach(async () => await service.close());

let asked = 0;
const question = (
	changes: Partial<ReplyQuestion> = {},
	id = `question-${++asked}`,
): ReplyQuestion => ({
	kind: 'replyInChat',
	id,
	links: [hashOfLink(id, URL_SIGNATURE)],
	message: 'Which size?',
	answeredText: 'Thank you',
	channelId: CHANNEL,
	recipient: CUSTOMER,
	choices: [],
	buttons: false,
	askAgain: 0,
	askAgainText: 'Please answer with one of these:',
	sent: [SENT_BEFORE],
	webhookId: WEBHOOK,
	sealedSecret: seal(SECRET, URL_SIGNATURE),
	deadline: new Date(Date.now() + 60_000).toISOString(),
	...changes,
});

const reply = async (waiting: ChatQuestion, body: unknown, secret = SECRET) =>
	await receive(waiting, service.url, delivered(signed(body, { secret })));

/** A customer's message, with its sender and channel. */
let written = 0;
function messageFrom(identifier: string | undefined, channel: string | undefined = CHANNEL) {
	const body = messageBody({ text: 'Large', id: String(++written).padStart(32, '0') });
	return {
		...body,
		message: { ...body.message, channel_id: channel, sender: { identifier, name: 'Ana' } },
	};
}

test("goes on with the recipient's reply", async () => {
	const { item, status } = await reply(question(), messageFrom(CUSTOMER));
	expect(status).toBe(200);
	expect(item).toMatchObject({
		sender: { identifier: CUSTOMER },
		data: { text: 'Large', choice: null, choiceNumber: null, outcome: 'answered' },
	});
});

test.each([
	'application/json; charset=utf-8',
	'application/octet-stream',
	'application/cloudevents+json',
	'text/plain',
	[],
])('takes a reply in a body of any type, also one that n8n does not read: %j', async (type) => {
	const headers = { 'content-type': type };
	const delivery = signed(messageFrom(CUSTOMER), { secret: SECRET, headers });
	const { item, status } = await receive(question(), service.url, delivered(delivery));
	expect(status).toBe(200);
	expect(item).toMatchObject({ data: { text: 'Large', outcome: 'answered' } });
});

test('puts the text, its meaning and its writer first in the item, so a table shows them without scrolling', async () => {
	const { item } = await reply(question(), messageFrom(CUSTOMER));
	expect(Object.keys(item ?? {}).slice(0, 3)).toEqual(['text', 'data', 'sender']);
});

test.each(['+55 11 99999-0000', '(55) 11 99999.0000', '5511999990000 ', '551199990000'])(
	'accepts the recipient as %j',
	async (recipient) => {
		expect((await reply(question({ recipient }), messageFrom(CUSTOMER))).item).toBeDefined();
	},
);

test.each([
	['another number of the same length', '5511999990001'],
	["a number that begins like the recipient's", `${CUSTOMER}1`],
	["the end of the recipient's number", CUSTOMER.slice(2)],
	['nobody who is named', undefined],
	['an empty name', ''],
	['a landline that looks like it', '551139990000'],
])('ignores a reply from %s, and waits on', async (_who, identifier) => {
	const { item, status, body } = await reply(question(), messageFrom(identifier));
	expect(item).toBeUndefined();
	expect([status, body]).toEqual([200, { message: 'Not the awaited answer' }]);
});

test('ignores a message on another channel; the channel may be missing, or in lower case', async () => {
	expect((await reply(question(), messageFrom(CUSTOMER, 'F'.repeat(32)))).item).toBeUndefined();
	expect(
		(await reply(question(), messageFrom(CUSTOMER, CHANNEL.toLowerCase()))).item,
	).toBeDefined();
	const { channel_id: _channel, ...message } = messageFrom(CUSTOMER).message;
	expect((await reply(question(), { message })).item).toBeDefined();
});

test("takes the recipient's reply out of a delivery with several messages", async () => {
	const { item } = await reply(question(), [messageFrom('5511999990001'), messageFrom(CUSTOMER)]);
	expect(item).toMatchObject({ sender: { identifier: CUSTOMER } });
});

test('ignores what the business writes to the recipient', async () => {
	const body = messageFrom(CUSTOMER);
	const { item } = await reply(question(), {
		...body,
		message: { ...body.message, metadata: { ...body.message.metadata, from_me: true } },
	});
	expect(item).toBeUndefined();
});

test("refuses a reply that is not signed with the webhook's secret", async () => {
	expect(await reply(question(), messageFrom(CUSTOMER), 'b2'.repeat(32))).toMatchObject({
		item: undefined,
		status: 401,
	});
	expect(await reply(question(), messageFrom(CUSTOMER), '')).toMatchObject({
		item: undefined,
		status: 401,
	});
});
