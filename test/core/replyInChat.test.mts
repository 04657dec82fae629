import { replyRouter } from '#nodes/replies/router.ts';
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { WEBHOOK_SECRET } from '../support/constants.mts';
import { signed } from './harness/deliveries.mts';
import { delivered, receive } from './harness/replies.mts';
import { ANA, BEN, NOT_AWAITED, WaitingInChat } from './harness/waitingInChat.mts';

const chat = new WaitingInChat();
const { messageOf, replyQuestion: question } = chat;
const reply = async (changes: Partial<ReplyQuestion>, from: string | undefined = ANA) =>
	await chat.reply(question(changes), { text: 'Large', from });

test("goes on with the recipient's reply, its text, meaning and writer first in the item", async () => {
	const { item, status } = await reply({});
	expect(status).toBe(200);
	expect(item).toMatchObject({
		sender: { identifier: ANA },
		data: { text: 'Large', choice: null, choiceNumber: null, outcome: 'answered' },
	});
	expect(Object.keys(item ?? {}).slice(0, 3)).toEqual(['text', 'data', 'sender']);
});

test.each(['application/octet-stream', 'application/cloudevents+json', 'text/plain', []])(
	'takes a reply in a body of any type, also one that n8n does not read: %j',
	async (type) => {
		const headers = { 'content-type': type };
		const delivery = signed(messageOf({ text: 'Large' }), { secret: WEBHOOK_SECRET, headers });
		const { item, status } = await receive(question(), chat.service.url, delivered(delivery));
		expect(status).toBe(200);
		expect(item).toMatchObject({ data: { text: 'Large', outcome: 'answered' } });
	},
);

test.each(['Ask {{name}}', '}} Ask {{ "$name" \\', 'Ask\u2028Ana\u2029', "{{ $json['a'] }}"])(
	'takes a reply at a node with the name %j',
	async (nodeName) => {
		const delivery = delivered(signed(messageOf({ text: 'Large' }), { secret: WEBHOOK_SECRET }));
		const { item } = await receive(question(), chat.service.url, { ...delivery, nodeName });
		expect(item).toMatchObject({ data: { text: 'Large' } });
	},
);

test.each(['+55 11 99999-0000', '(55) 11 99999.0000', '5511999990000 ', '551199990000'])(
	'accepts the recipient as %j',
	async (recipient) => expect((await reply({ recipient })).item).toBeDefined(),
);

test.each([
	['another number of the same length', BEN],
	["a number that begins like the recipient's", `${ANA}1`],
	["the end of the recipient's number", ANA.slice(2)],
	['nobody who is named', null],
	['an empty name', ''],
	['a landline that looks like it', '551139990000'],
])('ignores a reply from %s, and waits on', async (_who, from) => {
	const written = { text: 'Large', from: from ?? undefined };
	expect(await chat.reply(question(), written)).toMatchObject(NOT_AWAITED);
});

test.each<[string, (own: string) => string | undefined, boolean]>([
	['another channel', () => 'F'.repeat(32), false],
	['its channel in lower case', (own) => own.toLowerCase(), true],
	['no named channel', () => undefined, true],
])('a message on %s', async (_which, channelOf, counts) => {
	const message = { channel_id: channelOf(chat.channel) };
	expect((await chat.reply(question(), { message })).item !== undefined).toBe(counts);
});

test("takes the recipient's reply out of a delivery with several messages", async () => {
	const { item } = await chat.deliver(question(), [messageOf({ from: BEN }), messageOf()]);
	expect(item).toMatchObject({ sender: { identifier: ANA } });
});

test('prefers what certainly replies to words in doubt before it in a delivery', async () => {
	const words = [messageOf({ text: 'Small', at: null }), messageOf({ text: 'Large' })];
	expect((await chat.deliver(question(), words)).item).toMatchObject({ text: 'Large' });
	expect(chat.messages()).toEqual([]);
});

test('takes the next reply in a delivery if a workflow has the first', async () => {
	jest.spyOn(replyRouter, 'claim').mockReturnValueOnce({ state: 'counted' });
	const both = [messageOf({ text: 'Small' }), messageOf({ text: 'Large' })];
	expect((await chat.deliver(question(), both)).item).toMatchObject({ text: 'Large' });
});

test('ignores what the business writes to the recipient', async () => {
	const message = { metadata: { ...messageOf().message.metadata, from_me: true } };
	expect(await chat.reply(question(), { message })).toMatchObject(NOT_AWAITED);
});

test.each(['b2'.repeat(32), ''])(
	"refuses a reply that is not signed with the webhook's secret: %j",
	async (secret) => {
		const refused = await chat.deliver(question(), messageOf(), secret);
		expect(refused).toMatchObject({ item: undefined, status: 401 });
	},
);
