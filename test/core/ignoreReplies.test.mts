/** Messages of people with an open question of this n8n, at a trigger that ignores replies. */
import { createServer } from 'node:http';

import type { IDataObject } from 'n8n-workflow';
import { WebhookContext } from 'n8n-core';

import { seal } from '#nodes/resources/message/sendAndWait/links.ts';
import { hashOfLink } from '#nodes/resources/message/sendAndWait/links.ts';
import type { ApprovalInChat } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { steadyClock } from '#nodes/shared/tools/clock.ts';
import { until } from '#scripts/until.mts';
import { formsOfLabels } from '#nodes/shared/texts/sameWords.ts';
import { NODE_ATTRIBUTE } from '#nodes/shared/node/nodeMark.ts';
import { markerOf, WAIT_ATTRIBUTE } from '#nodes/replies/questionMark.ts';
import { replyRouter } from '#nodes/replies/router.ts';
import { CHANNEL, SECRET_KEY, URL_SIGNATURE, WEBHOOK_SECRET } from '../support/constants.mts';
import { deliver, messageBody, signed } from './harness/deliveries.mts';
import { type FakeService, startFakeService } from './harness/fakeService.mts';
import { listen } from './harness/listen.mts';
import { logged } from './harness/logged.mts';
import { additionalData, publish, triggerWorkflow, webhookContext } from './harness/n8n.mts';
import { startPublished, urls } from './harness/publishedReceiver.mts';
import type { Receiver } from './harness/receiver.mts';
import { delivered, receive, SENT_BEFORE } from './harness/replies.mts';

/** The sender in `messageBody`. */
const ANA = '5511999990000';
const BEN = '5511999990001';
const IGNORED = { status: 200, body: expect.stringContaining('Filtered out') as string };
const LATER = { status: 503, headers: { 'retry-after': '5' } };
const QUESTION = 'A'.repeat(32);

/** What n8n says at the question's own address. */
const n8nSays = {
	alive: [200, {}],
	another: [200, { question: null }],
	deleted: [404, { code: 404, message: 'The execution "1" does not exist.' }],
	stopped: [409, { code: 409, message: 'The execution "1" has finished with error.' }],
	finished: [409, { code: 409, message: 'The execution "1 has finished already.' }],
	page: [200, '<html><title>No action required</title><a href="https://n8n.io/">n8n</a></html>'],
	running: [409, { code: 409, message: 'The execution "1" is running already.' }],
	notAllowed: [401, { message: 'Unauthorized' }],
	anotherExecution: [404, { code: 404, message: 'The execution "2" does not exist.' }],
	notFound: [404, '<html>Not found</html>'],
	moved: [302, ''],
} satisfies Record<string, [number, unknown]>;

let n8n: { url: string; stop(): Promise<void> };
/** The paths at which n8n was asked. */
let looks: string[];
let says: keyof typeof n8nSays;
/** The process remembers messages and answers, so each test has its own. */
let tests = 0;
const questionId = () => `asked-${tests}`;
const helloId = () => String(tests).padStart(32, 'F');
const hello = () => messageBody({ id: helloId() });
let service: FakeService;
let receiver: Receiver;
let secret: string;
let token: string;
/** The process keeps open questions by credential, so each test has a credential of its own. */
let credentialId: string;
let credentials = 0;

beforeEach(async () => {
	service = await startFakeService();
	tests += 1;
	looks = [];
	says = 'alive';
	const server = createServer(({ url = '', method }, response) => {
		looks.push(`${method} ${url}`);
		const [status, given] = n8nSays[says];
		const body = says === 'alive' ? { question: questionId() } : given;
		response.writeHead(status, status === 302 ? { location: '/webhook-waiting/elsewhere' } : {});
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	n8n = await listen(server);
	// Waits are over twenty times as fast.
	let time = Math.round(performance.now());
	jest.spyOn(steadyClock, 'now').mockImplementation(() => time);
	jest.spyOn(steadyClock, 'sleep').mockImplementation(async (milliseconds) => {
		await new Promise((wake) => setTimeout(wake, milliseconds / 20));
		time += milliseconds;
	});
	// Time does not move, so no list ages while a busy machine works.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
});
afterEach(async () => {
	jest.restoreAllMocks();
	await receiver.stop();
	await n8n.stop();
	await service.close();
});

const ownUrls = () => ({ production: `${n8n.url}/webhook`, test: `${n8n.url}/webhook-test` });
async function receiving(parameters = {}): Promise<void> {
	credentialId = `credential ${++credentials}`;
	({ receiver, secret, token } = await startPublished(service, parameters, {
		credentialId,
		urls: ownUrls(),
	}));
	service.requests.length = 0;
}

const data = (to = urls) => additionalData({ baseUrl: service.url, secretKey: SECRET_KEY }, to);
const context = () => webhookContext(triggerWorkflow(), data());

/** Registers the webhook of a question. */
const question = ({
	recipient = ANA,
	instanceId = context().getInstanceId(),
	wait = 60_000,
	id = QUESTION,
	sent = [SENT_BEFORE] as Array<object | null>,
	url = `${n8n.url}/webhook-waiting/1/node?question=${questionId()}&signature=${URL_SIGNATURE}`,
	labels = undefined as string[] | undefined,
	takesOnlyWords = undefined as true | undefined,
	more = {},
	marker = markerOf(SECRET_KEY),
} = {}) =>
	service.add(CHANNEL, {
		id,
		url,
		customAttributes: {
			[NODE_ATTRIBUTE]: { instanceId },
			[WAIT_ATTRIBUTE]: {
				version: 4,
				executionId: '1',
				key: marker.key,
				takes: {
					question: questionId(),
					...(labels
						? {
								words: formsOfLabels(labels)
									.flat()
									.map((form) => marker.words(questionId(), form)),
							}
						: {}),
					...{ takesOnlyWords, takesBareTaps: labels === undefined },
					tapsCarryIds: true,
					messageIds: [null],
				},
				recipient: marker.person(CHANNEL, recipient),
				deadline: new Date(Date.now() + wait).toISOString(),
				wrongAnswers: 0,
				sent,
				...more,
			},
		},
	});
const approval = (changes: Parameters<typeof question>[0] = {}) =>
	question({ labels: ['approve', 'decline'], ...changes });

/** The same question, as its waiting execution has it. */
const common = () => ({
	id: questionId(),
	links: [hashOfLink(questionId(), URL_SIGNATURE)],
	message: 'Which size?',
	answeredText: '',
	channelId: CHANNEL,
	recipient: ANA,
	sent: [SENT_BEFORE],
	webhookId: QUESTION,
	sealedSecret: seal(WEBHOOK_SECRET, URL_SIGNATURE),
	deadline: new Date(Date.now() + 60_000).toISOString(),
});
const askedReply = (): ReplyQuestion => ({
	...common(),
	...{ kind: 'replyInChat', choices: [], buttons: false, askAgain: 0, askAgainText: '' },
});
const askedApproval = (): ApprovalInChat => ({
	...common(),
	...{ kind: 'approvalInChat', choices: ['Approve', 'Decline'], buttons: true, tellOthers: '' },
});
/** Delivers to the question's webhook. */
const sendToQuestion = async (asked: ChatQuestion, body: unknown = hello(), isLost = false) =>
	await receive(asked, service.url, {
		isLost,
		...delivered(signed(body, { secret: WEBHOOK_SECRET })),
		credentialId,
	});

let messages = 0;
const newId = () => String(++messages).padStart(32, '0');

/** A message, by its delivery's number. */
const send = async (number: number, body: unknown = hello()) =>
	await deliver(
		receiver.url,
		signed(body, {
			secret,
			key: `messages:0:${number}`,
			headers: { authorization: `Bearer ${token}` },
		}),
	);

/** The message of a person, which is another one each time. */
const saying = (text: string, by = ANA, more: object = {}) => {
	const { message, ...rest } = messageBody({ text, id: newId() });
	return { ...rest, message: { ...message, sender: { identifier: by, name: 'X' }, ...more } };
};
const writtenAt = (at: number, text: string) =>
	saying(text, ANA, { created: at, metadata: { from_me: false, moment: at } });
const tapping = (id: string, title = 'Approve') =>
	saying(title, ANA, { contents: [{ type: 'INTERACTIVE_BUTTON', id, title, message: title }] });
const picture = (caption?: string) =>
	saying('', ANA, { contents: [], attachments: [{ type: 'IMAGE', caption }] });
const approve = () => `n8n-question:${questionId()}:1`;

const named = (said: unknown[][], what: string) =>
	said.filter(([words]) => String(words).includes(what));
const sentMessages = () => service.requests.filter(({ path }) => path.endsWith('/messages'));
const requests = () => service.requests.map(({ method, path }) => `${method} ${path}`);
const LIST = `GET /v1/channels/${CHANNEL}/webhooks`;
const started = () => receiver.executions.map((items) => items.map(({ json }) => json.text));

describe('a message that a question takes', () => {
	it.each([
		['the question gets it first', 0],
		['the trigger gets it first', 1000],
	])('starts nothing: %s', async (_order, questionAt) => {
		await receiving();
		question();
		const body = saying('Large');
		const late = steadyClock.sleep(questionAt);
		const answered = late.then(async () => await sendToQuestion(askedReply(), body));
		if (questionAt === 0) await answered;
		expect(await send(1, body)).toMatchObject(IGNORED);
		expect((await answered).item).toMatchObject({ data: { text: 'Large', outcome: 'answered' } });
		expect(started()).toEqual([]);
		expect(looks).toEqual([]);
	});

	it('starts nothing if another process took it while the trigger waited', async () => {
		await receiving();
		const body = saying('Large');
		const { id } = question();
		const sent = send(1, body);
		await steadyClock.sleep(2000);
		service.webhooks(CHANNEL).splice(0);
		question({ id, more: { took: body.message._id } });
		says = 'finished';
		expect(await sent).toMatchObject(IGNORED);
		expect(started()).toEqual([]);
	});

	it('starts nothing if only a list that was read for it names it', async () => {
		await receiving();
		const body = saying('Large');
		question();
		await send(7, saying('Hello!', BEN));
		service.webhooks(CHANNEL).splice(0);
		question({ more: { lastWrong: body.message._id } });
		const before = steadyClock.now();
		expect(await send(1, body)).toMatchObject(IGNORED);
		expect([started(), steadyClock.now(), looks]).toEqual([[['Hello!']], before, []]);
	});

	it('starts nothing if the webhook says that another process took it, or asked again for it', async () => {
		await receiving();
		for (const by of ['lastWrong', 'askedFor', 'took']) {
			service.webhooks(CHANNEL).splice(0);
			const body = saying('Large');
			question({ more: { [by]: body.message._id } });
			await steadyClock.sleep(2000);
			expect(await send(by.length, body)).toMatchObject(IGNORED);
		}
		// What was taken waits for nothing more.
		await send(1, saying('please'));
		expect(started()).toEqual([['please']]);
		expect(looks).toEqual([]);
	});
});

describe('a message that no question would take starts the workflow at once', () => {
	it.each<[string, () => object]>([
		['a tap on the button of another question', () => tapping('n8n-question:another:1')],
		['a picture while choices wait', picture],
		['a location while choices wait', () => saying('', ANA, { contents: [{ type: 'LOCATION' }] })],
	])('%s', async (what, body) => {
		await receiving();
		if (what.endsWith('choices wait')) question({ takesOnlyWords: true });
		else approval();
		const before = steadyClock.now();
		expect(await send(1, body())).toMatchObject({ status: 200 });
		expect(started()).toHaveLength(1);
		expect(steadyClock.now() - before).toBe(0);
		expect(requests()).toEqual([LIST]);
		expect(looks).toEqual([]);
	});

	it.each<[string, object]>([
		['of another n8n', { instanceId: 'another' }],
		['whose time is over', { wait: -1000 }],
	])('there is only a question %s', async (_what, changes) => {
		await receiving();
		question(changes);
		await send(1);
		expect(started()).toEqual([['Hello!']]);
		expect(requests()).toEqual([LIST]);
	});
});

describe('a message that a question would take, but does not', () => {
	it.each(['deleted', 'stopped', 'finished', 'page', 'another'] as const)(
		'starts the workflow after the question had its time, because nobody waits: %s',
		async (answer) => {
			await receiving();
			approval();
			says = answer;
			const before = steadyClock.now();
			expect(await send(1, saying('Approve'))).toMatchObject({ status: 200 });
			expect(started()).toEqual([['Approve']]);
			expect(steadyClock.now() - before).toBeGreaterThanOrEqual(5000);
			expect(steadyClock.now() - before).toBeLessThan(12_000);
			expect(looks).toEqual([
				`GET /webhook-waiting/1/node?question=${questionId()}&signature=${URL_SIGNATURE}`,
			]);
			// It is remembered.
			const then = steadyClock.now();
			await send(2, saying('approve'));
			expect(started()).toHaveLength(2);
			expect(steadyClock.now()).toBe(then);
		},
	);

	it.each([
		['alive', 2],
		['anotherExecution', 2],
		['notFound', 2],
		['moved', 2],
		['running', 2],
		// This n8n cannot ask itself, which is remembered after the second time.
		['notAllowed', 1],
	] as const)(
		'comes again, and then starts the workflow, and the question leaves it alone: %s, %i times',
		async (answer, times) => {
			await receiving();
			question();
			says = answer;
			const body = saying('Large');
			for (let time = 0; time < times; time += 1) expect(await send(1, body)).toMatchObject(LATER);
			await send(1, body);
			expect(started()).toEqual([['Large']]);
			expect(await sendToQuestion(askedReply(), body)).toMatchObject({
				status: 200,
				item: undefined,
			});
		},
	);

	it('is asked for no longer if this n8n cannot reach itself, and the log says so once', async () => {
		await receiving();
		question();
		const said = logged('warn');
		says = 'notAllowed';
		const [first, second, third] = [1, 2, 3].map((number) => saying(`Large ${number}`));
		await send(1, first);
		await send(1, first);
		await send(2, second);
		await send(3, third);
		expect(started()).toEqual([['Large 1'], ['Large 2'], ['Large 3']]);
		expect(looks).toHaveLength(2);
		expect(named(said, 'n8n cannot reach the address')).toHaveLength(1);
	});

	it('starts the workflow in the end if it is a picture with words, which may have named a choice', async () => {
		await receiving();
		question({ takesOnlyWords: true });
		const body = picture('It broke');
		for (const _time of [1, 2]) expect(await send(1, body)).toMatchObject(LATER);
		await send(1, body);
		expect(started()).toEqual([['It broke']]);
	});

	it('comes again if the execution runs: it may be about to wait', async () => {
		await receiving();
		question();
		says = 'running';
		const body = saying('Large');
		expect(await send(1, body)).toMatchObject(LATER);
		expect((await sendToQuestion(askedReply(), body)).item).toMatchObject({ text: 'Large' });
		expect(await send(1, body)).toMatchObject(IGNORED);
		expect(started()).toEqual([]);
	});

	it('starts the workflow after its time if another secret key made the mark', async () => {
		await receiving();
		approval({ marker: markerOf('an earlier key') });
		const before = steadyClock.now();
		expect(await send(1, saying('Approve'))).toMatchObject({ status: 200 });
		expect(steadyClock.now() - before).toBeGreaterThanOrEqual(5000);
		expect(started()).toEqual([['Approve']]);
		const body = saying('Large');
		await sendToQuestion(askedReply(), body);
		expect(await send(2, body)).toMatchObject(IGNORED);
	});

	it("is a workflow's only once its execution is stored, and the question waits for that", async () => {
		await receiving();
		question();
		const body = saying('Large');
		for (const _time of [1, 2]) expect(await send(1, body)).toMatchObject(LATER);
		let during: unknown;
		receiver.store = async () => {
			during = await sendToQuestion(askedReply(), body);
			throw new Error('the disk is full');
		};
		expect(await send(1, body)).toMatchObject({ status: 500 });
		expect(during).toMatchObject({ status: 503, item: undefined });
		await steadyClock.sleep(100);
		expect((await sendToQuestion(askedReply(), body)).item).toMatchObject({ text: 'Large' });
		receiver.store = async () => {};
		expect(await send(1, body)).toMatchObject(IGNORED);
		expect(started()).toEqual([]);
	});
});

it("is a question's only once its execution is stored", async () => {
	await receiving();
	const body = saying('Large');
	expect(await sendToQuestion(askedReply(), body, true)).toMatchObject({ status: 500 });
	expect(await send(1, body)).toMatchObject({ status: 200 });
	expect(started()).toEqual([['Large']]);
});

describe("a tap on a question's own button", () => {
	it.each(['alive', 'running', 'notFound', 'notAllowed'] as const)(
		'is its while it waits, and starts nothing, at once: %s',
		async (answer) => {
			await receiving();
			approval();
			says = answer;
			const body = tapping(approve());
			const before = steadyClock.now();
			expect(await send(1, body)).toMatchObject(IGNORED);
			expect(steadyClock.now()).toBe(before);
			expect((await sendToQuestion(askedApproval(), body)).item).toMatchObject({
				data: { approved: true },
			});
			expect(await send(1, body)).toMatchObject(
				expect.objectContaining({ body: expect.stringContaining('Received before') as string }),
			);
			expect(started()).toEqual([]);
		},
	);

	it('is its though a workflow claimed it: the list came too late twice', async () => {
		await receiving();
		approval();
		service.intercept = ({ path }) =>
			path.endsWith('/webhooks') ? { status: 500, body: { error: 500, message: 'No' } } : undefined;
		const body = tapping(approve());
		expect(await send(1, body)).toMatchObject(LATER);
		expect(await send(1, body)).toMatchObject(LATER);
		expect(await send(1, body)).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Approve']]);
		expect((await sendToQuestion(askedApproval(), body)).item).toMatchObject({
			data: { approved: true },
		});
	});

	it.each<[string, () => unknown]>([
		['is over', () => approval({ wait: -1000 })],
		['was answered by another message', () => approval({ more: { took: 'another' } })],
		['is gone from the list', () => undefined],
	])('starts the workflow, and says that it is late, if the question %s', async (_what, ask) => {
		await receiving();
		ask();
		const button = { id: approve(), title: 'Approve' };
		const body = saying('Approve', ANA, {
			contents: [{ type: 'TEXT', message: 'Approve', button }],
		});
		expect(await send(1, body)).toMatchObject({ status: 200 });
		expect(receiver.executions).toMatchObject([[{ json: { reply: { ...button, isLate: true } } }]]);
		expect(looks).toEqual([]);
	});

	it.each([
		['raw', { options: { output: 'raw' } }],
		['grouped', { grouping: 'customer', quietTime: 0 }],
		['grouped and raw', { grouping: 'customer', quietTime: 0, options: { output: 'raw' } }],
	])(
		'says that it is late in %s output, too, and of no other message',
		async (which, parameters) => {
			await receiving(parameters);
			await send(1, tapping(approve()));
			await send(2, saying('Hello!'));
			await until('both executions', () => receiver.executions.length === 2, 5000);
			const [late, other] = receiver.executions.map(([item]) => item!.json);
			const [inGroup] = (late!.messages ?? [late]) as IDataObject[];
			for (const shown of [late, inGroup]) expect(shown).toMatchObject({ reply: { isLate: true } });
			expect(which.endsWith('raw') ? Object.keys(inGroup!.reply as object) : []).toHaveLength(
				which.endsWith('raw') ? 1 : 0,
			);
			expect(JSON.stringify(other)).not.toContain('isLate');
		},
	);

	it('by somebody whom it did not ask starts the workflow, and the question logs it', async () => {
		await receiving();
		approval({ recipient: BEN });
		const body = tapping(approve());
		expect(await send(1, body)).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Approve']]);
		const said = logged('warn');
		const asked = { ...askedApproval(), recipient: BEN };
		expect(await sendToQuestion(asked, body)).toMatchObject({ status: 200, item: undefined });
		expect(named(said, 'did not ask who tapped')).toHaveLength(1);
	});

	it('is its if another secret key made the mark', async () => {
		await receiving();
		approval({ marker: markerOf('an earlier key') });
		const body = tapping(approve());
		expect(await send(1, body)).toMatchObject(IGNORED);
		expect((await sendToQuestion(askedApproval(), body)).item).toBeDefined();
	});
});

describe("a question's deadline goes by the message's own time, for trigger and question", () => {
	const ENDS = SENT_BEFORE.until + 10_000;
	/** By the later of its two times. */
	const at = (time: number | null, isTap: boolean) => {
		const body = isTap ? tapping(approve()) : saying('Approve');
		const times = { metadata: { from_me: false, moment: time }, created: time && time - 5000 };
		return { ...body, message: { ...body.message, ...times } };
	};
	/** By n8n's clock it is over, unless another time is given: n8n has not resumed it yet. */
	const ask = (wait = -1, more: { ends?: number } = { ends: ENDS }) => {
		approval({ wait, more });
		return { ...askedApproval(), deadline: new Date(Date.now() + wait).toISOString(), ...more };
	};
	const LATE = [[{ json: { reply: { isLate: true } } }]];
	const both = describe.each([
		['a tap', true],
		['words', false],
	]);

	both('%s', (_what, isTap) => {
		it.each([-1, -38_000, 60_000])(
			'later than it are the workflow’s, by whatever n8n’s clock says: %i',
			async (wait) => {
				await receiving();
				const asked = ask(wait);
				const body = at(ENDS + 1, isTap);
				expect(await sendToQuestion(asked, body)).toMatchObject({ status: 200, item: undefined });
				const before = steadyClock.now();
				expect(await send(1, body)).toMatchObject({ status: 200 });
				expect(receiver.executions).toMatchObject(LATE);
				expect([steadyClock.now(), looks]).toEqual([before, []]);
			},
		);

		it('at it are the question’s, whoever gets them first', async () => {
			await receiving();
			const asked = ask();
			const body = at(ENDS, isTap);
			const sent = send(1, body);
			await steadyClock.sleep(1000);
			const { item } = await sendToQuestion(asked, body);
			expect(item).toMatchObject({ data: { approved: true } });
			expect(await sent).toMatchObject(IGNORED);
			expect(started()).toEqual([]);
		});

		it('at it start the workflow if the question is gone, or could not go on', async () => {
			await receiving();
			const asked = ask();
			const body = at(ENDS, isTap);
			expect(await sendToQuestion(asked, body, true)).toMatchObject({ status: 500 });
			says = 'stopped';
			expect(await send(1, body)).toMatchObject({ status: 200 });
			expect(receiver.executions).toMatchObject(LATE);
			expect(await sendToQuestion(asked, body)).toMatchObject({ status: 200, item: undefined });
		});

		// A question that was asked before has no such time.
		it.each<[string, number | null, { ends?: number }]>([
			...(isTap ? [['without a time', null, { ends: ENDS }] satisfies [string, null, object]] : []),
			['whose question has no time', ENDS, {}],
		])('%s are of whoever claims them first', async (_which, time, more) => {
			await receiving();
			const asked = ask(-1, more);
			const [first, second] = [at(time, isTap), at(time, isTap)];
			expect(await send(1, first)).toMatchObject({ status: 200 });
			expect(receiver.executions).toMatchObject(LATE);
			expect((await sendToQuestion(asked, first)).item).toBeUndefined();
			expect((await sendToQuestion(asked, second)).item).toMatchObject({ text: 'Approve' });
			expect(await send(2, second)).toMatchObject(IGNORED);
		});
	});

	it('lets words pass as any others if a mark does not tell whom the question asked', async () => {
		await receiving();
		approval({ wait: -1, marker: markerOf('an earlier key') });
		await send(1, saying('Approve'));
		expect(JSON.stringify(receiver.executions)).not.toContain('isLate');
		expect(started()).toEqual([['Approve']]);
	});
});

describe('an answered question', () => {
	const own = () => service.webhooks(CHANNEL).find(({ id }) => id === QUESTION);

	it('tells other processes for ten seconds what it took, and is then removed', async () => {
		await receiving();
		question();
		const body = saying('Large');
		await sendToQuestion(askedReply(), body);
		await steadyClock.sleep(2000);
		expect(own()).toMatchObject({
			status: 'DISABLED',
			customAttributes: { n8nWait: { version: 4, took: body.message._id, executionId: '7' } },
		});
		await until('its removal', () => own() === undefined, 30_000);
	});

	it('tells whoever may answer it that it waits, without a word in the log', async () => {
		await receiving();
		const said = logged('warn');
		const asked = await receive(askedReply(), service.url, { method: 'GET' });
		expect(asked).toMatchObject({ status: 200, body: { question: questionId() }, item: undefined });
		const query = { question: 'an earlier one' };
		const headers = { accept: 'application/json' };
		const other = await receive(askedReply(), service.url, { method: 'GET', query, headers });
		expect(other).toMatchObject({ status: 200, body: { question: null }, item: undefined });
		expect(said).toEqual([]);
	});
});

it.each<[string, () => Promise<unknown>]>([
	['with a message', async () => expect(await send(1)).toMatchObject({ status: 200 })],
	['in publishing', async () => await publish(triggerWorkflow(), data(ownUrls()))],
])(
	'a trigger removes, %s, questions of this n8n that are over by a minute, and no others',
	async (_when, read) => {
		await receiving();
		const ids = [...'ABCD'].map((letter) => letter.repeat(32));
		const [over, , , elsewhere] = ids;
		question({ id: over, wait: -60_000 });
		question({ id: ids[1], wait: -59_000 });
		question({ id: ids[2], wait: -60_000, instanceId: 'another' });
		const url = 'https://copy.example.com/webhook-waiting/1/node';
		question({ id: elsewhere, wait: -60_000, url });
		await read();
		const left = () => service.webhooks(CHANNEL).map(({ id }) => id);
		await until('it to be removed', () => !left().includes(over!), 5000);
		expect(left()).toEqual(expect.arrayContaining(ids.slice(1, 4)));
	},
);

it('knows a person however their number is written, and reads one list for all', async () => {
	await receiving();
	question({ recipient: '+5511999990000' });
	says = 'running';
	const [one, other] = await Promise.all([send(1), send(2, saying('Hi', '551199990000'))]);
	expect([one, other]).toMatchObject([LATER, LATER]);
	const before = requests().length;
	await send(3, saying('from Ben', BEN));
	expect(started()).toEqual([['from Ben']]);
	expect(requests().length - before).toBeLessThanOrEqual(1);
});

it('reads the credential once in two seconds, and not for a delivery that needs none', async () => {
	await receiving();
	question({ recipient: BEN });
	const read = jest.spyOn(WebhookContext.prototype, 'getCredentials');
	await send(1, messageBody({ fromMe: true, text: 'ours', state: 'READ' }));
	expect(read).not.toHaveBeenCalled();
	await Promise.all([2, 3, 4].map(async (number) => await send(number, saying('Hello!'))));
	await steadyClock.sleep(1999);
	await send(5, saying('Hello!'));
	expect(read).toHaveBeenCalledTimes(1);
	await steadyClock.sleep(1);
	await send(6, saying('Hello!'));
	expect(read).toHaveBeenCalledTimes(2);
	expect(receiver.executions.length).toBeGreaterThanOrEqual(5);
});

it('a question reads the credential once in two seconds, too, to answer and to tell the others', async () => {
	await receiving();
	approval();
	const read = jest.spyOn(WebhookContext.prototype, 'getCredentials');
	const asked = { ...askedApproval(), approvers: [BEN, '5511999990002'], tellOthers: 'Done' };
	await sendToQuestion(asked, saying('perhaps'));
	const { item } = await sendToQuestion(asked, saying('Approve'));
	expect(item).toMatchObject({ data: { approved: true } });
	await until('both to be told', () => sentMessages().length === 2, 5000);
	expect(read).toHaveBeenCalledTimes(1);
});

it('ignores an ignored message again when it is redelivered, also after the question', async () => {
	await receiving();
	question();
	await sendToQuestion(askedReply());
	await send(1);
	service.webhooks(CHANNEL).splice(0);
	expect(await send(1)).toMatchObject({
		status: 200,
		body: expect.stringContaining('Received before') as string,
	});
	expect(receiver.executions).toEqual([]);
});

it('starts for the other messages and events of a body with several', async () => {
	await receiving({ channelEvents: ['RECEIVED_STATUS'] });
	question();
	await sendToQuestion(askedReply());
	await send(1, [
		hello(),
		saying('from Ben', BEN),
		messageBody({ fromMe: true, text: 'ours', state: 'READ', type: 'MESSAGE_STATUS' }),
	]);
	expect(started()).toEqual([['from Ben', 'ours']]);
});

it('claims nothing any longer if a later message of the body could not be judged', async () => {
	await receiving();
	const [body, other] = [saying('Large'), saying('Small')];
	const fateOf = replyRouter.fateOf.bind(replyRouter);
	jest
		.spyOn(replyRouter, 'fateOf')
		.mockImplementationOnce(fateOf)
		.mockRejectedValueOnce(new Error('no'));
	expect(await send(1, [body, other])).toMatchObject({ status: 503 });
	await steadyClock.sleep(100);
	expect((await sendToQuestion(askedReply(), body)).item).toMatchObject({ text: 'Large' });
});

it.each(['simplified', 'raw'])(
	'in the %s output, starts for an event that is no message beside an ignored reply',
	async (output) => {
		await receiving({ options: { output } });
		question();
		await sendToQuestion(askedReply());
		await send(1, [hello(), { battery: 80 }]);
		expect(receiver.executions).toHaveLength(1);
		expect(receiver.executions[0]).toHaveLength(1);
		expect(JSON.stringify(receiver.executions)).toContain('"battery":80');
	},
);

it('keeps no message waiting in a group only to ignore it', async () => {
	await receiving({ grouping: 'customer', quietTime: 10, options: { longestWait: 10 } });
	question();
	await sendToQuestion(askedReply());
	expect(await send(1)).toMatchObject(IGNORED);
});

it.each<[string, object, object]>([
	['every message with the option off', { options: { ignoreReplies: false } }, {}],
	[
		"the business's own messages",
		{ channelEvents: ['MESSAGE_RECEIVED', 'MESSAGE_STATUS'] },
		{ fromMe: true },
	],
])('starts for %s, and reads no list', async (_what, parameters, written) => {
	await receiving(parameters);
	question();
	await send(1, messageBody(written));
	expect(started()).toEqual([['Hello!']]);
	expect(requests()).toEqual([]);
});

it.each<[string, null[]]>([
	['even if nobody knows when it asked', [null]],
	['while it is being sent', []],
])('starts for words from before the webhook, %s', async (_when, sent) => {
	// The fake service's first day was long ago.
	await receiving({ options: { ignoreOlderThan: 0 } });
	const { createdAt } = question({ sent });
	await send(1, writtenAt(Date.parse(createdAt) - 1, 'before the webhook'));
	expect(started()).toEqual([['before the webhook']]);
	expect(looks).toEqual([]);
});

describe('while a question is being sent', () => {
	it('asks for words again later, and asks n8n nothing', async () => {
		await receiving();
		const { id } = question({ sent: [] });
		const words = saying('yes');
		expect(await send(1, words)).toMatchObject({
			...LATER,
			body: expect.stringContaining('A question may take it') as string,
		});
		expect(await send(2, tapping('n8n-question:another:1'))).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Approve']]);
		service.webhooks(CHANNEL).splice(0);
		question({ id });
		await sendToQuestion(askedReply(), words);
		expect(await send(1, words)).toMatchObject(IGNORED);
		expect(looks).toEqual([]);
	});

	it('starts for their words if it takes too long, or the sending failed', async () => {
		await receiving();
		question({ sent: [] });
		for (const _time of [1, 2]) expect(await send(1)).toMatchObject(LATER);
		expect(await send(1)).toMatchObject({ status: 200 });
		const words = saying('Hi again');
		expect(await send(2, words)).toMatchObject(LATER);
		service.webhooks(CHANNEL).splice(0);
		expect(await send(2, words)).toMatchObject({ status: 200 });
		expect(started()).toEqual([['Hello!'], ['Hi again']]);
		expect(looks).toEqual([]);
	});
});

it('starts for everything while the list is unavailable, and logs why', async () => {
	await receiving();
	question();
	const said: string[] = [];
	jest.spyOn(context().logger, 'warn').mockImplementation((text) => void said.push(text));
	service.intercept = () => ({ status: 500, body: { error: 500, message: 'Internal error' } });
	await send(1, saying('one'));
	await send(2, saying('two'));
	expect(started()).toEqual([['one'], ['two']]);
	expect(requests()).toEqual([LIST]);
	expect(said).toEqual([
		expect.stringMatching(
			/^Replies to questions are not ignored: Could not list the webhooks.*Internal error/,
		),
	]);
});
