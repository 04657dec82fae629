/** Taps on the buttons of other messages. They decide nothing. In n8n's own contexts. */
import type { IDataObject } from 'n8n-workflow';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import {
	type ApprovalInChat,
	type ChatQuestion,
	type ReplyQuestion,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { WAIT_ATTRIBUTE } from '../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { delivered, receive, URL_SIGNATURE } from './harness/replies.mts';

const SECRET = 'a1'.repeat(32);
const WEBHOOK = '019E4C54B1B375A28970B605CA9B0AAA';
const [ANA, BEN] = ['5511999990001', '5511999990002'] as const;
const SENT = { from: 1_700_000_000_000, until: 1_700_000_002_000 };
const FIRST = 'A'.repeat(32);
const AGAIN = 'B'.repeat(32);
const OTHER = 'C'.repeat(32);
const NOT_AWAITED = { item: undefined, status: 200, body: { message: 'Not the awaited answer' } };
const ASKED_AGAIN = { item: undefined, status: 200, body: { message: 'Asked again' } };

let service: FakeService;
let tests = 0;
let channel: string;
beforeEach(async () => {
	service = await startFakeService();
	service.intercept = ({ path }) =>
		path.endsWith('/messages') ? { status: 200, body: { messageId: AGAIN } } : undefined;
	channel = `019E4C54B1B375A28970B605CA9C${String(++tests).padStart(4, '0')}`;
});
afterEach(async () => await service.close());

let asked = 0;
function common(deadline = new Date(Date.now() + 3_600_000).toISOString()) {
	const id = `tapped-${++asked}`;
	const mark = { executionId: '7', recipient: 'v2:a', approvers: ['v2:b'], deadline };
	service.add(channel, { id: WEBHOOK, customAttributes: { n8n: {}, [WAIT_ATTRIBUTE]: mark } });
	return {
		id,
		links: [hashOfLink(id, URL_SIGNATURE)],
		message: 'Refund 900 EUR?',
		answeredText: '',
		channelId: channel,
		recipient: ANA,
		approvers: [BEN],
		sent: [SENT, SENT],
		messageIds: [FIRST, null],
		webhookId: WEBHOOK,
		sealedSecret: seal(SECRET, URL_SIGNATURE),
		deadline,
	};
}
const approval = (changes: Partial<ApprovalInChat> = {}): ApprovalInChat => ({
	...common(changes.deadline),
	kind: 'approvalInChat',
	choices: ['Approve', 'Decline'],
	buttons: true,
	tellOthers: '',
	...changes,
});
const replyQuestion = (changes: Partial<ReplyQuestion> = {}): ReplyQuestion => ({
	...common(changes.deadline),
	kind: 'replyInChat',
	choices: [],
	buttons: false,
	askAgain: 1,
	askAgainText: 'One of these, please:',
	...changes,
});

let written = 0;
interface Tapped {
	/** Fields of the content beside its text. */
	content?: IDataObject;
	/** Fields of the message. */
	message?: IDataObject;
	at?: number;
	from?: string;
}
const tap = async (
	question: ChatQuestion,
	{ content = {}, message = {}, at, from }: Tapped = {},
) => {
	const { message: whole, ...rest } = messageBody({
		text: 'Approve',
		id: String(++written).padStart(32, '0'),
	});
	const time = at ?? SENT.until + 1;
	const body = {
		...rest,
		message: {
			...whole,
			...{ channel_id: channel, created: time, metadata: { ...whole.metadata, moment: time } },
			sender: { identifier: from ?? ANA, name: 'X' },
			contents: [{ ...whole.contents[0], type: 'INTERACTIVE_BUTTON', ...content }],
			...message,
		},
	};
	return await receive(question, service.url, delivered(signed(body, { secret: SECRET })));
};
const sent = () =>
	service.requests.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);
const again = (person = 0) => {
	const mark = service.webhooks(channel)[0]?.customAttributes[WAIT_ATTRIBUTE] as IDataObject;
	return (mark.again as Record<string, { until: number; messageId: string } | null>)[person];
};
/** The time after the second sending. */
const afterwards = () => ({ at: again()!.until + 1 });

const BARE = { button: { id: 'Approve', title: 'Approve' } };

describe('a tap on a quick reply of a template, which names no question', () => {
	it.each<[string, IDataObject]>([
		['with its title as ID', BARE],
		['with its title as payload', { payload: 'Approve' }],
		['directly on the content', { id: 'Approve', title: 'Approve' }],
		['without an ID', {}],
		['without an ID, in an object', { button: { title: 'Approve' } }],
		['without an ID, as a text', { type: 'TEXT', button: { title: 'Approve' } }],
		['in a content of a type that nobody knows', { type: 'BUTTON' }],
	])(
		'does not approve: the question comes with its own buttons, once: %s',
		async (_how, content) => {
			const question = approval();
			expect(await tap(question, { content })).toMatchObject(ASKED_AGAIN);
			expect(sent()).toMatchObject([
				{
					recipient: { identifier: ANA },
					content: {
						body: { message: 'Refund 900 EUR?' },
						attachments: [{ id: `n8n-question:${question.id}:1` }, {}],
					},
				},
			]);
			expect(again()).toMatchObject({ messageId: AGAIN });
			expect(await tap(question, { content })).toMatchObject(NOT_AWAITED);
			expect(await tap(question, { content, ...afterwards() })).toMatchObject(NOT_AWAITED);
			expect(sent()).toHaveLength(1);
		},
	);

	it('then approves by a tap on the buttons that came', async () => {
		const question = approval();
		await tap(question, { content: BARE });
		const own = { button: { id: `n8n-question:${question.id}:1`, title: 'Approve' } };
		expect((await tap(question, { content: own })).item).toMatchObject({
			data: { approved: true },
		});
	});

	it('counts after that sending only if it quotes it', async () => {
		const question = approval();
		await tap(question, { content: BARE });
		const quoting = (id: string) => ({
			content: { ...BARE, context: { id } },
			...afterwards(),
		});
		expect(await tap(question, quoting(OTHER))).toMatchObject(NOT_AWAITED);
		expect(await tap(question, quoting(FIRST))).toMatchObject(NOT_AWAITED);
		expect(await tap(question, { ...quoting(AGAIN), at: again()!.until })).toMatchObject(
			NOT_AWAITED,
		);
		expect((await tap(question, quoting(AGAIN))).item).toMatchObject({ data: { approved: true } });
	});

	it('counts after that sending if the service gives no IDs, but never if it quotes another', async () => {
		const question = approval({ tapsCarryIds: false });
		expect(await tap(question, { content: BARE })).toMatchObject(ASKED_AGAIN);
		expect(await tap(question, { content: BARE })).toMatchObject(NOT_AWAITED);
		const quoting = { content: { ...BARE, quoted: { _id: OTHER } }, ...afterwards() };
		expect(await tap(question, quoting)).toMatchObject(NOT_AWAITED);
		const { item } = await tap(question, { content: BARE, ...afterwards() });
		expect(item).toMatchObject({ data: { approved: true } });
	});

	it('asks each approver once', async () => {
		const question = approval();
		for (const from of [ANA, BEN, ANA, BEN]) await tap(question, { content: BARE, from });
		expect(sent().map(({ recipient }) => recipient)).toEqual([
			{ identifier: ANA },
			{ identifier: BEN },
		]);
	});

	it('makes no request in the last minute before the deadline', async () => {
		const question = approval({ deadline: new Date(Date.now() + 59_000).toISOString() });
		expect(await tap(question, { content: BARE })).toMatchObject(NOT_AWAITED);
		expect(sent()).toEqual([]);
	});

	it('is ignored if it was made before the question', async () => {
		expect(await tap(approval(), { content: BARE, at: SENT.from - 1 })).toMatchObject(NOT_AWAITED);
		expect(service.requests).toEqual([]);
	});

	it('replies to a Reply in Chat, unless it quotes another message', async () => {
		const content = { ...BARE, quoted_message: { _id: OTHER, text: 'News' } };
		expect(await tap(replyQuestion(), { content })).toMatchObject(NOT_AWAITED);
		const ofThis = { ...BARE, quoted_message: { _id: FIRST } };
		expect((await tap(replyQuestion(), { content: ofThis })).item).toMatchObject({
			data: { text: 'Approve' },
		});
		expect((await tap(replyQuestion(), { content: BARE })).item).toBeDefined();
	});
});

describe('a tap with an ID', () => {
	const kinds: Array<[string, (changes?: object) => ChatQuestion]> = [
		['an approval', approval],
		['a reply', replyQuestion],
	];

	it.each(
		kinds.flatMap(([kind, question]) =>
			[
				{ button: { id: 'approve-refund', title: 'Approve' } },
				{ type: 'TEXT', button: { id: 'approve-refund', title: 'Approve' } },
				{ type: 'TEXT', id: 'approve-refund', title: 'Approve' },
				{ payload: 'n8n-question:another:1' },
				{ ...BARE, more: [{ deep: { postback: '{"id":"n8n-question:another:1"}' } }] },
			].map((content) => [kind, JSON.stringify(content), question, content] as const),
		),
	)(
		'of another message never answers %s, whatever it says: %s',
		async (_kind, _how, question, content) => {
			expect(await tap(question(), { content })).toMatchObject(NOT_AWAITED);
			expect(service.requests).toEqual([]);
		},
	);

	it.each<[string, (id: string) => Tapped]>([
		['as the payload', (payload) => ({ content: { payload } })],
		['beside a button that repeats its title', (id) => ({ content: { ...BARE, payload: id } })],
		['deep in the content', (id) => ({ content: { more: [{ deep: { id } }] } })],
		['in the metadata', (id) => ({ message: { metadata: { from_me: false, postback: id } } })],
		['in a text of JSON', (id) => ({ content: { data: JSON.stringify({ id }) } })],
	])('of this question decides by it alone, %s, whenever it was made', async (_where, of) => {
		const question = approval();
		const tapped = of(`n8n-question:${question.id}:2`);
		expect((await tap(question, { at: 1, ...tapped })).item).toMatchObject({
			data: { approved: false },
		});
	});

	it('does not count by an ID that it only quotes', async () => {
		const question = approval();
		const quoted = { buttons: [{ id: `n8n-question:${question.id}:1`, title: 'Approve' }] };
		expect(await tap(question, { content: { ...BARE, quoted } })).toMatchObject(ASKED_AGAIN);
	});

	it('does not count by a forwarded offer of the buttons', async () => {
		const question = approval();
		const buttons = [{ id: `n8n-question:${question.id}:1`, title: 'Approve' }];
		expect(await tap(question, { content: { buttons } })).toMatchObject(ASKED_AGAIN);
	});
});

it('typed words decide by their time, also if they hold an ID', async () => {
	const words = { type: 'TEXT' };
	expect(await tap(approval(), { content: words, at: SENT.from - 1 })).toMatchObject(NOT_AWAITED);
	expect((await tap(approval(), { content: words })).item).toMatchObject({
		data: { approved: true },
	});
	const message = 'n8n-question:another:1';
	expect((await tap(replyQuestion(), { content: { ...words, message } })).item).toMatchObject({
		data: { text: message },
	});
});
