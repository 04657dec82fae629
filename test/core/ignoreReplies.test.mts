/** Messages of people with an open question of this n8n, at a trigger that ignores replies. */
import { WebhookContext } from 'n8n-core';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import { seal } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/inChat/seal.ts';
import { type ReplyQuestion } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { OWNER_ATTRIBUTE } from '../../nodes/BusinessMessaging/shared/ownerMark.ts';
import { steadyClock } from '../../nodes/BusinessMessaging/shared/clock.ts';
import {
	recipientMarker,
	WAIT_ATTRIBUTE,
} from '../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { deliver, messageBody, signed, withIds } from './harness/deliveries.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import { additionalData, CHANNEL_ID, triggerWorkflow, webhookContext } from './harness/n8n.mts';
import { startPublished, urls } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';
import { delivered, receive, SENT_BEFORE, URL_SIGNATURE } from './harness/replies.mts';

/** The sender in `messageBody`. */
const ANA = '5511999990000';
const BEN = '5511999990001';
const IGNORED = { status: 200, body: expect.stringContaining('Filtered out') as string };

let service: FakeService;
let receiver: Receiver;
let secret: string;
let token: string;
/** The process keeps open questions by credential, so each test has a credential of its own. */
let credentialId: string;
let credentials = 0;

beforeEach(async () => {
	service = await startFakeService();
	// Time does not move, so no list ages while a busy machine works.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterEach(async () => {
	jest.restoreAllMocks();
	await receiver.stop();
	await service.close();
});

async function receiving(parameters = {}): Promise<void> {
	credentialId = `credential ${++credentials}`;
	({ receiver, secret, token } = await startPublished(service, parameters, { credentialId }));
	service.requests.length = 0;
}

const context = () =>
	webhookContext(
		triggerWorkflow(),
		additionalData({ baseUrl: service.url, secretKey: SECRET_KEY }, urls),
	);

/** Registers the webhook of a question. */
const question = ({
	recipient = ANA,
	instanceId = context().getInstanceId(),
	wait = 60_000,
	id = 'A'.repeat(32),
	sent = [null] as Array<object | null>,
} = {}) =>
	service.add(CHANNEL_ID, {
		id,
		customAttributes: {
			[OWNER_ATTRIBUTE]: { instanceId },
			[WAIT_ATTRIBUTE]: {
				executionId: '1',
				recipient: recipientMarker(SECRET_KEY)(CHANNEL_ID, recipient),
				deadline: new Date(Date.now() + wait).toISOString(),
				wrongAnswers: 0,
				sent,
			},
		},
	});

/** A message, by its delivery's number. */
const send = async (number: number, body: unknown = messageBody()) =>
	await deliver(
		receiver.url,
		signed(withIds(body, number), {
			secret,
			key: `messages:0:${number}`,
			headers: { authorization: `Bearer ${token}` },
		}),
	);

function messageOf(identifier: string, text = 'Hello!') {
	const { message, ...rest } = messageBody({ text });
	return { ...rest, message: { ...message, sender: { identifier, name: 'X' } } };
}

function writtenAt(at: number, text: string) {
	const { message, ...rest } = messageBody({ text });
	const metadata = { ...message.metadata, moment: at };
	return { ...rest, message: { ...message, created: at, metadata } };
}

/** Lets time pass for the process's memory. */
function elapse(milliseconds: number): void {
	const passed = steadyClock.now() + milliseconds;
	jest.spyOn(steadyClock, 'now').mockReturnValue(passed);
}

const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const LIST = `GET /v1/channels/${CHANNEL_ID}/webhooks`;
const started = () => receiver.executions.map((items) => items.map(({ json }) => json.text));

it('ignores a person with an open question, however the number is written, and reads one list for all', async () => {
	await receiving();
	question({ recipient: '+5511999990000' });
	expect(await send(1)).toMatchObject(IGNORED);
	expect(await send(2, messageOf('551199990000'))).toMatchObject(IGNORED);
	expect(await send(3, messageOf(BEN, 'from Ben'))).toMatchObject({ status: 200 });
	expect(started()).toEqual([['from Ben']]);
	expect(requests()).toEqual([LIST]);
});

it('reads the credential once per list, and not for a delivery that needs none', async () => {
	await receiving();
	question({ recipient: BEN });
	const read = jest.spyOn(WebhookContext.prototype, 'getCredentials');
	for (const number of [1, 2, 3]) await send(number);
	expect(receiver.executions).toHaveLength(3);
	expect(read).toHaveBeenCalledTimes(1);
});

it('ignores an ignored message again when it is redelivered, also after the question', async () => {
	await receiving();
	question();
	await send(1);
	service.webhooks(CHANNEL_ID).splice(0);
	expect(await send(1)).toMatchObject({
		status: 200,
		body: expect.stringContaining('Received before') as string,
	});
	expect(receiver.executions).toEqual([]);
});

it('starts for the other messages and events of a body with several', async () => {
	await receiving({ channelEvents: ['RECEIVED_STATUS'] });
	question();
	await send(1, [
		messageBody(),
		messageOf(BEN, 'from Ben'),
		messageBody({ fromMe: true, text: 'ours', state: 'READ', type: 'MESSAGE_STATUS' }),
	]);
	expect(started()).toEqual([['from Ben', 'ours']]);
});

it.each(['simplified', 'raw'])(
	'in the %s output, starts for an event that is no message beside an ignored reply',
	async (output) => {
		await receiving({ output });
		question();
		await send(1, [messageBody(), { battery: 80 }]);
		expect(receiver.executions).toHaveLength(1);
		expect(receiver.executions[0]).toHaveLength(1);
		expect(JSON.stringify(receiver.executions)).toContain('"battery":80');
	},
);

it('ignores by sender in the raw output, too', async () => {
	await receiving({ options: { output: 'raw' } });
	question();
	expect(await send(1)).toMatchObject(IGNORED);
});

it('keeps no message waiting in a group only to ignore it', async () => {
	await receiving({ grouping: 'customer', quietTime: 10, options: { longestWait: 10 } });
	question();
	expect(await send(1)).toMatchObject(IGNORED);
});

it.each<[string, object]>([
	['of another n8n', { instanceId: 'another' }],
	['whose time is over', { wait: -1000 }],
	['to somebody else', { recipient: BEN }],
])('does not ignore a message for a question %s', async (_what, changes) => {
	await receiving();
	question(changes);
	await send(1);
	expect(started()).toEqual([['Hello!']]);
	expect(requests()).toEqual([LIST]);
});

it('starts for every message with the option off, and reads no list', async () => {
	await receiving({ options: { ignoreReplies: false } });
	question();
	await send(1);
	expect(started()).toEqual([['Hello!']]);
	expect(requests()).toEqual([]);
});

it("reads no list for the business's own messages", async () => {
	await receiving({ options: { includeOwnMessages: true } });
	question();
	await send(1, messageBody({ fromMe: true, text: 'ours' }));
	expect(started()).toEqual([['ours']]);
	expect(requests()).toEqual([]);
});

it("starts for words from before the question, by its own time, or else by its webhook's", async () => {
	await receiving();
	const { createdAt } = question();
	const registered = Date.parse(createdAt);
	await send(1, writtenAt(registered - 1, 'before the webhook'));
	expect(await send(2, writtenAt(registered, 'with the webhook'))).toMatchObject(IGNORED);
	service.webhooks(CHANNEL_ID).splice(0);
	await receiver.stop();
	await receiving();
	question({ sent: [{ from: registered + 4000, until: registered + 6000 }] });
	const before = started();
	await send(3, writtenAt(registered + 3999, 'before the text'));
	expect(await send(4, writtenAt(registered + 4000, 'with the text'))).toMatchObject(IGNORED);
	expect([before, started()]).toEqual([[], [['before the text']]]);
});

describe('while a question is being sent', () => {
	const tapBy = (identifier: string, id: string) => {
		const { message, ...rest } = messageOf(identifier, 'Approve');
		return {
			...rest,
			message: { ...message, id, contents: [{ type: 'TEXT', id, title: 'Approve' }] },
		};
	};

	it('ignores a tap of a person with an open question', async () => {
		await receiving();
		question({ sent: [] });
		expect(await send(1, tapBy(ANA, 'n8n-question:another:1'))).toMatchObject(IGNORED);
		await send(2, tapBy(BEN, 'n8n-question:another:1'));
		expect(started()).toEqual([['Approve']]);
	});

	it('asks for their words again later, once it is known whether they reply', async () => {
		await receiving();
		const { id } = question({ sent: [] });
		const words = messageOf(ANA, 'yes');
		expect(await send(1, words)).toMatchObject({
			status: 503,
			headers: { 'retry-after': '5' },
			body: expect.stringContaining('A question is being sent') as string,
		});
		expect(started()).toEqual([]);
		service.webhooks(CHANNEL_ID).splice(0);
		question({ id, sent: [null] });
		elapse(2000);
		expect(await send(1, words)).toMatchObject(IGNORED);
	});

	it('starts for what they wrote before the question was registered', async () => {
		await receiving();
		const { createdAt } = question({ sent: [] });
		await send(1, writtenAt(Date.parse(createdAt) - 1, 'before the webhook'));
		expect(started()).toEqual([['before the webhook']]);
	});

	it('starts for their words after a minute of sending', async () => {
		await receiving();
		question({ sent: [] });
		elapse(0);
		expect(await send(1)).toMatchObject({ status: 503 });
		elapse(59_999);
		expect(await send(1)).toMatchObject({ status: 503 });
		elapse(1);
		expect(await send(1)).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Hello!']]);
		expect(await send(2, tapBy(ANA, 'n8n-question:another:1'))).toMatchObject(IGNORED);
	});

	it('starts for their words if the sending failed', async () => {
		await receiving();
		question({ sent: [] });
		expect(await send(1)).toMatchObject({ status: 503 });
		service.webhooks(CHANNEL_ID).splice(0);
		elapse(2000);
		expect(await send(1)).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Hello!']]);
	});
});

it('starts for everything while the list is unavailable, and logs why', async () => {
	await receiving();
	question();
	const said: string[] = [];
	jest.spyOn(context().logger, 'warn').mockImplementation((text) => void said.push(text));
	service.intercept = () => ({ status: 500, body: { error: 500, message: 'Internal error' } });
	await send(1, messageOf(ANA, 'one'));
	await send(2, messageOf(ANA, 'two'));
	expect(started()).toEqual([['one'], ['two']]);
	expect(requests()).toEqual([LIST]);
	expect(said).toEqual([
		expect.stringMatching(
			/^Replies to questions are not ignored: Could not list the webhooks.*Internal error/,
		),
	]);
});

it('ignores what the writer adds after a reply to this process, though the question is gone', async () => {
	await receiving();
	const hooked = 'a1'.repeat(32);
	const asked: ReplyQuestion = {
		kind: 'replyInChat',
		id: 'asked',
		links: [hashOfLink('asked', URL_SIGNATURE)],
		message: 'Which size?',
		answeredText: '',
		channelId: CHANNEL_ID,
		recipient: ANA,
		choices: [],
		buttons: false,
		askAgain: 0,
		askAgainText: '',
		sent: [SENT_BEFORE],
		webhookId: 'A'.repeat(32),
		sealedSecret: seal(hooked, URL_SIGNATURE),
		deadline: new Date(Date.now() + 60_000).toISOString(),
	};
	const { item } = await receive(asked, service.url, {
		...delivered(signed(messageBody({ text: 'Large' }), { secret: hooked })),
		credentialId,
	});
	expect(item).toMatchObject({ data: { text: 'Large', outcome: 'answered' } });
	expect(await send(1, messageOf(ANA, 'please'))).toMatchObject(IGNORED);
	await send(2, messageOf(BEN, 'from Ben'));
	expect(started()).toEqual([['from Ben']]);
});
