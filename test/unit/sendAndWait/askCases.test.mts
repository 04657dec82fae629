/** What *Send and Wait* does before it waits, case by case. */
import { replyRouter } from '#nodes/replies/router.ts';
import { createServiceClient } from '#nodes/service/client.ts';
import { markerOf } from '#nodes/replies/questionMark.ts';
import { sendAndWait } from '#nodes/resources/message/sendAndWait/sendAndWait.operation.ts';
import { askInChat } from '#nodes/resources/message/sendAndWait/inChat/askInChat.ts';
import { sendQuestion } from '#nodes/resources/message/sendAndWait/sendQuestion.ts';
import { CHANNEL, SECRET_KEY } from '../../support/constants.mts';
import { type Asking, askingContext, FakeService, HOUR, signedUrl } from './fakes.mts';

const ANA = '5511900000001';

let service: FakeService;
let said: string[];
beforeEach(() => {
	service = new FakeService();
	said = [];
});

describe('a question in the chat', () => {
	const ask = async (asking: Asking = {}, message = 'Which size?', more: object = {}) => {
		const context = askingContext(service, asking, said);
		const question = {
			kind: 'replyInChat' as const,
			message: 'Which size?',
			answeredText: '',
			choices: [],
			buttons: false,
			askAgain: 0,
			askAgainText: '',
			...more,
		};
		const settings = {
			channelId: CHANNEL,
			recipients: [ANA],
			limit: { after: HOUR },
			message,
			question,
			queue: 0,
			sendOnceMemory: 100,
			tellOthers: 'told',
		};
		const client = await createServiceClient(context);
		return await askInChat(context, client, settings, 'q1');
	};

	const SIZES = { choices: ['S', 'M'], buttons: true };
	it.each<[string, string, object, RegExp]>([
		['a text', 'x'.repeat(4097), {}, /"Message" has 4097 characters.*room for 4096/],
		[
			'a text with its choices',
			'x'.repeat(4090),
			{ choices: ['S', 'M'] },
			/"Message" with its choices has 4101 characters.*room for 4096/,
		],
		[
			'a text with buttons',
			'x'.repeat(1025),
			SIZES,
			/"Message" has 1025 characters.*with buttons has room for 1024/,
		],
		[
			'a text that asks again',
			'Which size?',
			{ ...SIZES, askAgain: 2, askAgainText: 'x'.repeat(1025) },
			/"Ask Again With" has 1025 characters/,
		],
	])('is not asked if no channel takes %s of its length', async (_what, message, more, words) => {
		await expect(ask({}, message, more)).rejects.toThrow(words);
		expect(service.requests).toEqual([]);
	});

	it('is asked if its text is as long as it may be', async () => {
		await expect(ask({}, 'x'.repeat(1024), SIZES)).resolves.toMatchObject(SIZES);
	});

	it('is certainly not asked if the service cannot reach n8n', async () => {
		await expect(ask({ root: 'http://localhost:5678' })).rejects.toMatchObject({
			reason: 'n8n_unreachable',
			failure: { effect: 'none' },
		});
		expect(service.requests).toEqual([]);
	});

	it('is known at once to the triggers of this process', async () => {
		const read = jest.fn(async () => ({ questions: [], marker: markerOf(SECRET_KEY) }));
		const { account } = await createServiceClient(askingContext(service));
		const hear = async (messageId: string) =>
			await replyRouter.fateOf({
				place: { account, channelId: CHANNEL },
				receiver: 'trigger',
				message: { messageId, identifier: ANA, text: 'Hi', author: null, raw: {} },
				read,
				look: jest.fn(),
				instanceId: 'here',
				thisN8n: jest.fn(),
				warn: jest.fn(),
				until: Infinity,
			});
		await hear('1');
		await hear('2');
		expect(read).toHaveBeenCalledTimes(1);
		await ask();
		await hear('3');
		expect(read).toHaveBeenCalledTimes(2);
	});
});

describe('the operation', () => {
	const ask = async (parameters: object, asking: Asking = {}) => {
		const given = { channelId: CHANNEL, recipient: ANA, message: 'Ship it?', ...parameters };
		const context = askingContext(service, { ...asking, parameters: given });
		const [item] = await sendAndWait.executeAll(context, await createServiceClient(context));
		return item?.json;
	};

	it.each([
		['when it asks', new Set<string>()],
		['when it asked before', undefined],
	])('says of several items that only the first is asked, %s', async (_what, memory) => {
		const options = { sendOnceKey: 'order 9' };
		const known = memory ?? new Set<string>();
		if (!memory) await ask({ options }, { memory: known });
		const hints: unknown[] = [];
		const more = {
			addExecutionHints: (hint: unknown) => void hints.push(hint),
			getInputData: (_at?: number, type?: string) =>
				type === 'ai_tool' ? [] : Array.from({ length: 10 }, () => ({ json: {} })),
		};
		await ask({ options }, { memory: known, more });
		expect(hints).toEqual([
			{
				location: 'outputPane',
				message: expect.stringMatching(/^Only the first of 10 items .*Loop Over Items/),
			},
		]);
		expect(service.messages).toHaveLength(1);
	});

	it('treats the same question to other people as another one under its key, and names them', async () => {
		const memory = new Set<string>();
		const options = { sendOnceKey: 'order 7' };
		expect(await ask({ recipient: '1', approvers: ['23'], options }, { memory })).toEqual({
			data: { outcome: 'waiting' },
		});
		expect(await ask({ recipient: '12', approvers: ['3'], options }, { memory })).toMatchObject({
			error: expect.stringMatching(/^Could not send the question to 12, 3: its Send Once Key was/),
			details: { reason: 'key_reused' },
		});
		expect(await ask({ recipient: '1', approvers: ['23'], options }, { memory })).toEqual({
			data: { outcome: 'alreadyAsked', approved: false },
		});
	});

	const INVITED = { recipient: ANA, approvers: ['5511900000002'], askIn: 'chat' };
	const DAYS = { values: [{ choice: 'Monday' }, { choice: 'Friday' }] };
	const CHOOSES = { askIn: 'chat', responseType: 'replyInChat', choices: DAYS };
	const BEGUN = 'sb3CNtDDahesj0TPKZ-P4Y3mW0YhXRUCp8UaXlTHUD0';

	it.each<[object, entries: string[], same: object[], other: object[]]>([
		[
			INVITED,
			[
				'sxXlurVaaduQPyOcbMqIG2mPURG65XsZ78VLDofZ_io',
				'duUEKJP9GgFBDxxy1R-veJ7QgZ9Bao9nBETG4w5OH-4',
			],
			[{ recipient: '5511900000002', approvers: [ANA] }, { options: { tapsCarryIds: false } }],
			[{ approvers: [] }, { approvalOptions: { values: { approveLabel: 'Ship' } } }],
		],
		[
			CHOOSES,
			[
				'1LJRtYi5Ybu5WbsTvxS5ySvZrRCknc3z_igmxqhBdtQ',
				'9S1MhJ4i-N-i-ASn7unfgIT1E-KgsQSfkEgO0mSKteM',
			],
			[{ options: { askAgain: 5, askAgainText: 'Say again', answeredText: 'Thanks' } }],
			[{ message: 'Which day?' }, { choices: { values: [{ choice: 'Monday' }] } }],
		],
		[
			{ responseType: 'freeText' },
			[
				'xmekOQnLglyqCO_UMVwq3btAY70agFglkyt1jgNfBe4',
				'NTpInaFjXACbVtmX6rJHd74_USZoZhv1ZA8K9xGz1Ug',
			],
			[{ options: { answeredText: 'Thanks', responseFormTitle: 'Ship' } }],
			[{ responseType: 'approval' }],
		],
	])(
		'is the same under its key with other options, and as recorded before: %#',
		async (parameters, entries, same, other) => {
			const askWith = async (more: object, memory: Set<string>) => {
				const { options = {} } = more as { options?: object };
				const given = { ...parameters, ...more, options: { sendOnceKey: 'order 5', ...options } };
				const { data, details } = (await ask(given, { memory })) as Record<
					string,
					{ [name: string]: string }
				>;
				return data?.outcome ?? details?.reason;
			};
			const memory = new Set<string>();
			expect(await askWith({}, memory)).toBe('waiting');
			for (const more of [{}, ...same]) expect(await askWith(more, memory)).toBe('alreadyAsked');
			for (const more of other) expect(await askWith(more, memory)).toBe('key_reused');
			// Entries of an earlier version, whose fingerprint held the options, too.
			const recorded = new Set([BEGUN, ...entries]);
			expect(await askWith({}, recorded)).toBe('alreadyAsked');
			expect(await askWith({ message: 'Another?' }, recorded)).toBe('key_reused');
			expect(recorded).toEqual(new Set([BEGUN, ...entries]));
		},
	);

	it.each([
		['link', 'https://example.com/n8n', 'https://example.com/n8n/', 'https://example.com/'],
		['chat', 'https://example.com/a/b', 'https://example.com/a/b/', 'https://example.com/'],
	])(
		'sends nothing by %s if the WEBHOOK_URL has a path, where n8n refuses its own links',
		async (askIn, root, base, remedy) => {
			expect(await ask({ askIn }, { root })).toMatchObject({
				error: `Could not ask the question: this n8n would refuse every reply, because its WEBHOOK_URL has a path, ${base}`,
				details: {
					reason: 'n8n_unreachable',
					hint: expect.stringContaining(`environment variable WEBHOOK_URL to ${remedy},`),
				},
			});
			expect(service.requests).toEqual([]);
		},
	);

	it.each(['link', 'chat'])(
		'does not send by %s what would leave after its own deadline, because the service asks to wait',
		async (askIn) => {
			const headers = { 'retry-after': '4' };
			service.intercept = ({ path }) =>
				path.endsWith('/messages') && service.messages.length === 1
					? { status: 429, headers, body: { error: 429, message: 'Slow' } }
					: undefined;
			const at = new Date(Date.now() + 2000).toISOString();
			const values = { limitType: 'atSpecifiedTime', maxDateAndTime: at };
			// A pause of a channel holds for the whole process.
			const channelId = `${CHANNEL.slice(0, -4)}000${askIn === 'chat' ? 1 : 2}`;
			const options = { limitWaitTime: { values } };
			expect(await ask({ askIn, channelId, options })).toMatchObject({
				error: expect.stringMatching(/^Could not send .*after the time in "Limit Wait Time"/),
				details: { reason: 'late', retryAt: expect.any(String) },
			});
			expect([service.messages.length, service.webhooks]).toEqual([1, []]);
		},
	);

	it('asks if only the endpoint of links is below a path', async () => {
		const getSignedResumeUrl = (says: Record<string, string>) =>
			signedUrl(says, 'https://n8n.example.com/hooks');
		expect(await ask({}, { more: { getSignedResumeUrl } })).toEqual({
			data: { outcome: 'waiting' },
		});
	});

	it('asks n8n 1 to check the signatures of its links before it sends them', async () => {
		const sentBefore: number[] = [];
		const setSignatureValidationRequired = () => void sentBefore.push(service.requests.length);
		expect(await ask({}, { more: { setSignatureValidationRequired } })).toEqual({
			data: { outcome: 'waiting' },
		});
		expect(sentBefore).toEqual([0]);
	});
});

describe('the messages of a question', () => {
	const people = Array.from({ length: 15 }, (_, index) => `55119000000${index + 10}`);
	const messages = people.map((recipient, index) => ({
		index,
		channelId: CHANNEL,
		recipient,
		content: { type: 'TEXT' as const, body: { message: 'Ship it?' } },
	}));

	it('go out again for a later question of the same run', async () => {
		const context = askingContext(service);
		const client = await createServiceClient(context);
		await sendQuestion(context, client, messages);
		await sendQuestion(context, client, messages);
		expect(service.messages).toHaveLength(2 * people.length);
	});

	it('count as failed if a cancelled execution did not send them', async () => {
		const context = askingContext(service, { signal: AbortSignal.abort() });
		await expect(
			sendQuestion(context, await createServiceClient(context), messages),
		).rejects.toThrow('The execution was cancelled before the question was sent.');
		expect(service.messages).toEqual([]);
	});
});
