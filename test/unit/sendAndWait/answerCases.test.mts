/** What *Send and Wait* does with requests to the resume URL, case by case. */

import { Pace } from '#nodes/sending/pace.ts';
import { computeSignature, signatureHeader } from '#nodes/service/signature.ts';
import { hashOfLink } from '#nodes/resources/message/sendAndWait/links.ts';
import { seal } from '#nodes/resources/message/sendAndWait/links.ts';
import type {
	ApprovalInChat,
	ApprovalQuestion,
} from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import type { Question } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { receiveReply } from '#nodes/resources/message/sendAndWait/receiveReply.ts';
import { tellOthers } from '#nodes/resources/message/sendAndWait/tellOthers.ts';
import { until } from '#scripts/until.mts';
import { CHANNEL, URL_SIGNATURE, WEBHOOK_SECRET } from '../../support/constants.mts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { type Answering, answeringContext, FakeService, HOUR, waitingWebhook } from './fakes.mts';

const [ANA, BEN, CLEO] = ['5511900000001', '5511900000002', '5511900000003'];

let service: FakeService;
let said: string[];
let asked = 0;
beforeEach(() => {
	service = new FakeService();
	said = [];
	asked += 1;
});
afterEach(() => jest.restoreAllMocks());

/** What all questions have. */
const common = () => {
	const id = `asked-${asked}`;
	return { id, links: [hashOfLink(id, URL_SIGNATURE)], message: 'Which?', answeredText: 'Thanks' };
};
/** Each test has its own, because a channel is swept once a minute. */
const channel = () => `${CHANNEL.slice(0, -4)}${String(asked).padStart(4, '0')}`;
const inChat = () => ({
	...common(),
	channelId: channel(),
	recipient: ANA,
	sent: [{ from: 1, until: 2 }],
	webhookId: 'own',
	sealedSecret: seal(WEBHOOK_SECRET, URL_SIGNATURE),
	deadline: new Date(Date.now() + HOUR).toISOString(),
});
const reply = (): ReplyQuestion => ({
	...inChat(),
	kind: 'replyInChat',
	choices: ['Small', 'Large'],
	buttons: false,
	askAgain: 1,
	askAgainText: 'One of these:',
});
const approval = (): ApprovalQuestion => ({
	...common(),
	kind: 'approval',
	approveLabel: 'Approve',
});

/** Gives the node a request, and sends its response in n8n's way. */
async function receive(question: Question, request: Answering) {
	const response = new FakeResponse();
	const query = { signature: URL_SIGNATURE, ...request.query };
	const context = answeringContext(service, question, { ...request, query }, response, said);
	const result = await receiveReply(context);
	if (!result.noWebhookResponse) {
		response.body = result.webhookResponse;
		response.end(200);
	}
	return { items: result.workflowData, status: response.statusCode, body: response.body };
}

/** A message of Ana's, as the service delivers it. */
function delivery(text: string, secret = WEBHOOK_SECRET): Answering {
	const message = {
		_id: 'm1',
		created: 1779980473342,
		channel_id: channel(),
		metadata: { from_me: false },
		sender: { identifier: ANA, name: 'Ana' },
		contents: [{ type: 'TEXT', message: text }],
	};
	return signed(JSON.stringify({ message }), secret);
}

function signed(body: string, secret = WEBHOOK_SECRET): Answering {
	const timestamp = String(Math.floor(Date.now() / 1000));
	const key = 'messages:0:1';
	const parts = { timestamp, idempotencyKey: key, body: Buffer.from(body) };
	const signature = computeSignature(secret, 'fiveField', parts) ?? '';
	return {
		headers: {
			'x-idempotency-key': key,
			'x-webhook-signature': signatureHeader(timestamp, signature),
		},
		rawBody: Buffer.from(body),
	};
}

describe('a delivery', () => {
	it.each<[string, Answering, number, string, string]>([
		[
			'by another address',
			{ ...delivery('Large'), query: { signature: 'a' } },
			401,
			'Unauthorized',
			'the signature is not the one of a link that was sent with the question',
		],
		[
			'whose headers came twice',
			{
				...delivery('Large'),
				headersDistinct: { ...delivery('Large').headers, 'x-webhook-signature': ['a', 'b'] },
			},
			401,
			'Unauthorized',
			'the x-webhook-signature header came more than once',
		],
	])('%s is refused, and the log says why', async (_what, request, status, message, reason) => {
		expect(await receive(reply(), request)).toEqual({
			items: undefined,
			status,
			body: { message },
		});
		expect(said).toHaveLength(1);
		expect(said[0]).toContain(`warn: A delivery was refused with ${status}: ${reason}`);
	});

	it("removes this n8n's ended questions", async () => {
		const over = { deadline: -1000 };
		service.webhooks = [
			waitingWebhook('over', { ...over, owner: { instanceId: 'here' } }),
			waitingWebhook('others', over),
			waitingWebhook('copys', {
				...over,
				owner: { instanceId: 'here' },
				url: 'https://copy.example.com/webhook-waiting/42/n',
			}),
			waitingWebhook('nobodys', { ...over, owner: {} }),
			waitingWebhook('waits', { owner: { instanceId: 'here' } }),
		];
		await receive(reply(), delivery('Large'));
		await until('one to be removed', () => service.webhooks.length === 4, 2000);
		expect(service.webhooks.map(({ id }) => id)).toEqual(['others', 'copys', 'nobodys', 'waits']);
	});

	it('counts as the reply, and the log says so, if n8n cannot tell its own address', async () => {
		const evaluateExpression = (expression: string) => {
			if (expression.includes('resumeUrl')) throw new Error('no isolate is free');
			return JSON.stringify(question);
		};
		const question = reply();
		const { items } = await receive(question, {
			...delivery('Large'),
			more: { evaluateExpression },
		});
		expect(items?.[0]?.[0]?.json).toMatchObject({ data: { choice: 'Large' } });
		await until('the log', () => said.some((words) => words.includes('no isolate')), 2000);
	});

	it('counts as the reply, even without a choice, if its webhook lost its mark', async () => {
		const { customAttributes: _marks, ...webhook } = waitingWebhook('own');
		service.webhooks = [webhook];
		const { items } = await receive(reply(), delivery('What?'));
		expect(items?.[0]?.[0]?.json).toMatchObject({ data: { text: 'What?', outcome: 'invalid' } });
	});

	it('with a decision is told to the others, also by n8n 1, which counts no approvals', async () => {
		const question: ApprovalInChat = {
			...inChat(),
			kind: 'approvalInChat',
			approvers: [BEN],
			choices: ['Approve'],
			buttons: false,
			tellOthers: '{name}: {answer}',
		};
		const { items } = await receive(question, delivery('approve'));
		expect(items?.[0]?.[0]?.json).toMatchObject({ data: { approved: true } });
		await until('the other to be told', () => service.messages.length > 0, 2000);
		expect(service.messages).toEqual([[BEN, 'Ana: Approve']]);
	});
});

describe('a page', () => {
	it.each([
		'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
		'ChatPreview/2.0',
		undefined,
	])('is the same for every program that opens it, and takes its reply: %j', async (agent) => {
		const headers = { 'user-agent': agent };
		for (const method of ['GET', 'HEAD'])
			expect(await receive(approval(), { method, headers })).toMatchObject({
				items: undefined,
				status: 200,
				body: expect.stringContaining('>Approve</button>') as string,
			});
		const { items } = await receive(approval(), { headers, data: { approved: 'true' } });
		expect(items).toHaveLength(1);
	});

	it('of a link that was not sent is refused, and the log says why', async () => {
		const request = { query: { signature: 'a' } };
		expect((await receive(approval(), request)).status).toBe(401);
		expect(said).toEqual([
			'warn: A reply was refused with 401: the signature is not the one of a link that was sent with the question',
		]);
	});

	it('that fails asks to try again, and the log says why', async () => {
		const evaluateExpression = () => {
			throw new Error('no such node');
		};
		expect(await receive(approval(), { more: { evaluateExpression } })).toEqual({
			items: undefined,
			status: 503,
			body: { message: 'Temporarily unavailable' },
		});
		expect(said).toEqual(['error: A reply could not be received: no such node']);
	});

	it('with several approvers, and none that the question knows, names nobody and tells nobody', async () => {
		const people = { 0: ANA, 1: BEN };
		const links = [hashOfLink(`asked-${asked}`, URL_SIGNATURE, '7')];
		const several = { channelId: CHANNEL, people, tellOthers: '{name}: {answer}' };
		const { items } = await receive(
			{ ...approval(), links, several },
			{ query: { approver: '7' }, data: { approved: 'true' } },
		);
		expect(items?.[0]?.[0]?.json).toEqual({
			data: { approved: true, outcome: 'answered', respondedAt: expect.any(String) as string },
		});
	});
});

describe('the others', () => {
	const people = [BEN, ANA, CLEO];
	const tell = async (name: string | null, text = '{name}: {answer}') =>
		await tellOthers(answeringContext(service, approval(), {}, undefined, said), {
			...{ approved: true, label: 'Approve', responder: { identifier: ANA, name } },
			...{ channelId: CHANNEL, people, first: ANA, text },
		});

	it.each([
		[' Ana ', 'Ana'],
		['  ', ANA],
		[null, ANA],
		['😀'.repeat(101), '😀'.repeat(100)],
	])('are told who decided: %j', async (name, who) => {
		await tell(name);
		expect(service.messages).toEqual([
			[BEN, `${who}: Approve`],
			[CLEO, `${who}: Approve`],
		]);
		expect(said).toEqual([]);
	});

	it('are told nothing without a text', async () => {
		await tell('Ana', '');
		expect(service.requests).toEqual([]);
	});

	it('are logged once each if they could not be told', async () => {
		service.intercept = ({ body }) =>
			JSON.stringify(body).includes(BEN)
				? { status: 422, body: { error: 422, message: 'Not now' } }
				: undefined;
		await tell('Ana');
		expect(said).toEqual(['warn: An approver was not told: Could not send the text: Not now']);
	});

	it.each([200, 422])(
		'are freed on the channel, whatever the service responds: %d',
		async (status) => {
			jest.spyOn(Pace.prototype, 'enter').mockImplementation(async (message) => {
				message.leaves(await Promise.resolve(1));
			});
			let left = 0;
			jest.spyOn(Pace.prototype, 'leave').mockImplementation((message) => {
				left += message.number;
				message.returns();
			});
			service.intercept = () => ({ status, body: { messageId: 'm', message: 'Not now' } });
			await tell('Ana');
			expect(left).toBe(2);
		},
	);
});
