/** Messages of people whom a question of this n8n asks, at a trigger that ignores replies. */
import { WebhookContext } from 'n8n-core';

import { hashOfLink } from '../../nodes/BusinessMessaging/resources/message/sendAndWait/links.ts';
import {
	type ReplyQuestion,
	seal,
} from '../../nodes/BusinessMessaging/resources/message/sendAndWait/question.ts';
import { OWNER_ATTRIBUTE } from '../../nodes/BusinessMessaging/shared/ownerMark.ts';
import {
	recipientMarker,
	WAIT_ATTRIBUTE,
} from '../../nodes/BusinessMessaging/shared/waitingQuestion.ts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, SECRET_KEY, startFakeService } from './harness/fakeService.mts';
import { additionalData, CHANNEL_ID, triggerWorkflow, webhookContext } from './harness/n8n.mts';
import { startPublished, urls } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';
import { delivered, receive, URL_SIGNATURE } from './harness/replies.mts';

/** Who writes in `messageBody`. */
const ANA = '5511999990000';
const BEN = '5511999990001';
const IGNORED = { status: 200, body: expect.stringContaining('Filtered out') as string };

let service: FakeService;
let receiver: Receiver;
let secret: string;
let token: string;
/** The process knows who is asked by the credential, so each test has one of its own. */
let credentialId: string;
let credentials = 0;

beforeEach(async () => {
	service = await startFakeService();
	// Time stands still: no list grows old while a busy machine takes its time.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterEach(async () => {
	jest.restoreAllMocks();
	await receiver.stop();
	await service.close();
});

async function receiving(parameters = {}, version = 1.2): Promise<void> {
	credentialId = `credential ${++credentials}`;
	const options = { version, credentialId };
	({ receiver, secret, token } = await startPublished(service, parameters, options));
	service.requests.length = 0;
}

const context = () =>
	webhookContext(
		triggerWorkflow(),
		additionalData({ baseUrl: service.url, secretKey: SECRET_KEY }, urls),
	);

/** Puts the webhook of a question there. */
const question = ({
	recipient = ANA,
	instanceId = context().getInstanceId(),
	wait = 60_000,
	id = 'A'.repeat(32),
} = {}) =>
	service.add(CHANNEL_ID, {
		id,
		customAttributes: {
			[OWNER_ATTRIBUTE]: { instanceId },
			[WAIT_ATTRIBUTE]: {
				executionId: '1',
				recipient: recipientMarker(SECRET_KEY)(CHANNEL_ID, recipient).mark,
				deadline: new Date(Date.now() + wait).toISOString(),
				wrongAnswers: 0,
			},
		},
	});

/** A message, by the number of its delivery. */
const send = async (number: number, body: unknown = messageBody()) =>
	await deliver(
		receiver.url,
		signed(body, {
			secret,
			key: `messages:0:${number}`,
			headers: { authorization: `Bearer ${token}` },
		}),
	);

function messageOf(identifier: string, text = 'Hello!') {
	const { message, ...rest } = messageBody({ text });
	return { ...rest, message: { ...message, sender: { identifier, name: 'X' } } };
}

const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const LIST = `GET /v1/channels/${CHANNEL_ID}/webhooks`;
const started = () => receiver.executions.map((items) => items.map(({ json }) => json.text));

it('whoever is asked starts nothing, however the number is written; others do, for one list', async () => {
	await receiving();
	question({ recipient: '+55 (11) 99999-0000' });
	expect(await send(1)).toMatchObject(IGNORED);
	expect(await send(2, messageOf('551199990000'))).toMatchObject(IGNORED);
	expect(await send(3, messageOf(BEN, 'from Ben'))).toMatchObject({ status: 200 });
	expect(started()).toEqual([['from Ben']]);
	expect(requests()).toEqual([LIST]);
});

it('the credential is read once for a list, and not for a delivery that needs none', async () => {
	await receiving();
	question({ recipient: BEN });
	const read = jest.spyOn(WebhookContext.prototype, 'getCredentials');
	for (const number of [1, 2, 3]) await send(number);
	expect(receiver.executions).toHaveLength(3);
	expect(read).toHaveBeenCalledTimes(1);
});

it('what was ignored stays ignored when it is delivered again, also once nobody is asked any more', async () => {
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

it('in a body with several, what others wrote and other events start it', async () => {
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
	'in the %s output, what is no message starts it beside a reply that does not',
	async (output) => {
		await receiving({ output });
		question();
		await send(1, [messageBody(), { battery: 80 }]);
		expect(receiver.executions).toHaveLength(1);
		expect(receiver.executions[0]).toHaveLength(1);
		expect(JSON.stringify(receiver.executions)).toContain('"battery":80');
	},
);

it('the raw output goes by the sender, too', async () => {
	await receiving({ output: 'raw' });
	question();
	expect(await send(1)).toMatchObject(IGNORED);
});

it('nothing waits in a group to be ignored', async () => {
	await receiving({ grouping: 'customer', options: { quietTime: 10, longestWait: 10 } });
	question();
	expect(await send(1)).toMatchObject(IGNORED);
});

it.each<[string, object]>([
	['of another n8n', { instanceId: 'another' }],
	['whose time is over', { wait: -1000 }],
	['to somebody else', { recipient: BEN }],
])('a question %s is no reason to ignore a message', async (_what, changes) => {
	await receiving();
	question(changes);
	await send(1);
	expect(started()).toEqual([['Hello!']]);
	expect(requests()).toEqual([LIST]);
});

it.each<[string, object, number]>([
	['with the option off', { options: { ignoreReplies: false } }, 1.2],
	['in version 1.1', {}, 1.1],
	['in version 1', {}, 1],
])('%s, every message starts it, and no list is read', async (_how, parameters, version) => {
	await receiving(parameters, version);
	question();
	await send(1);
	expect(started()).toEqual([['Hello!']]);
	expect(requests()).toEqual([]);
});

it("for the business's own messages no list is read", async () => {
	await receiving({ options: { includeOwnMessages: true } });
	question();
	await send(1, messageBody({ fromMe: true, text: 'ours' }));
	expect(started()).toEqual([['ours']]);
	expect(requests()).toEqual([]);
});

it('while the list cannot be had, everything starts it, and the log says why', async () => {
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

it('after the reply that this process got, what its writer adds is ignored, though the question is gone', async () => {
	await receiving();
	const hooked = 'a1'.repeat(32);
	const asked: ReplyQuestion = {
		kind: 'replyInChat',
		id: 'asked',
		links: [hashOfLink('asked', {}, URL_SIGNATURE)],
		message: 'Which size?',
		answeredText: '',
		channelId: CHANNEL_ID,
		recipient: ANA,
		choices: [],
		askAgain: 0,
		askAgainText: '',
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
