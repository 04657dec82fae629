import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import {
	seal,
	type ChatQuestion,
	type ReplyQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { delivered, receive, URL_SIGNATURE } from './harness/replies.mts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';

const CHANNEL = '019E4C54B1B375A28970B605CA9B03C3';
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
/** Who writes in `messageBody`. */
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
	links: [hashOfLink(id, {}, URL_SIGNATURE)],
	message: 'Which size?',
	answeredText: 'Thank you',
	channelId: CHANNEL,
	recipient: CUSTOMER,
	choices: [],
	askAgain: 0,
	askAgainText: 'Please answer with one of these:',
	webhookId: WEBHOOK,
	sealedSecret: seal(SECRET, URL_SIGNATURE),
	deadline: new Date(Date.now() + 60_000).toISOString(),
	...changes,
});

const reply = async (waiting: ChatQuestion, body: unknown, secret = SECRET) =>
	await receive(waiting, service.url, delivered(signed(body, { secret })));

/** A message of a customer, from whom and on which channel. */
function messageFrom(identifier: string | undefined, channel: string | undefined = CHANNEL) {
	const body = messageBody({ text: 'Large' });
	return {
		...body,
		message: { ...body.message, channel_id: channel, sender: { identifier, name: 'Ana' } },
	};
}

test("the recipient's reply goes on with the execution", async () => {
	const { item, status } = await reply(question(), messageFrom(CUSTOMER));
	expect(status).toBe(200);
	expect(item).toMatchObject({
		sender: { identifier: CUSTOMER },
		data: { text: 'Large', choice: null, choiceNumber: null, outcome: 'answered' },
	});
});

test('the item begins with the text, what it means and who wrote it, so that a table shows them without scrolling', async () => {
	const { item } = await reply(question(), messageFrom(CUSTOMER));
	expect(Object.keys(item ?? {}).slice(0, 3)).toEqual(['text', 'data', 'sender']);
});

test.each(['+55 11 99999-0000', '(55) 11 99999.0000', '5511999990000 ', '551199990000'])(
	'the recipient may be entered as %j',
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
])(
	"a reply from %s is not the recipient's, and the execution waits on",
	async (_who, identifier) => {
		const { item, status, body } = await reply(question(), messageFrom(identifier));
		expect(item).toBeUndefined();
		expect([status, body]).toEqual([200, { message: 'Not the awaited answer' }]);
	},
);

test("a message on another channel is no reply; the case of a channel's ID does not count, and one without a channel came by its webhook", async () => {
	expect((await reply(question(), messageFrom(CUSTOMER, 'F'.repeat(32)))).item).toBeUndefined();
	expect(
		(await reply(question(), messageFrom(CUSTOMER, CHANNEL.toLowerCase()))).item,
	).toBeDefined();
	const { channel_id: _channel, ...message } = messageFrom(CUSTOMER).message;
	expect((await reply(question(), { message })).item).toBeDefined();
});

test("of several messages in a delivery the recipient's is the reply", async () => {
	const { item } = await reply(question(), [messageFrom('5511999990001'), messageFrom(CUSTOMER)]);
	expect(item).toMatchObject({ sender: { identifier: CUSTOMER } });
});

test('what the business writes to the recipient is no reply', async () => {
	const body = messageFrom(CUSTOMER);
	const { item } = await reply(question(), {
		...body,
		message: { ...body.message, metadata: { ...body.message.metadata, from_me: true } },
	});
	expect(item).toBeUndefined();
});

test("a reply that is not signed with the webhook's secret is refused", async () => {
	expect(await reply(question(), messageFrom(CUSTOMER), 'b2'.repeat(32))).toMatchObject({
		item: undefined,
		status: 401,
	});
	expect(await reply(question(), messageFrom(CUSTOMER), '')).toMatchObject({
		item: undefined,
		status: 401,
	});
});
