/** Questions that wait in the chat, with their webhooks at a service, and messages to them. */
import type { IDataObject } from 'n8n-workflow';

import { hashOfLink } from '#nodes/resources/message/sendAndWait/links.ts';
import { seal } from '#nodes/resources/message/sendAndWait/links.ts';
import type { ApprovalInChat } from '#nodes/resources/message/sendAndWait/kinds/approval.ts';
import type { ChatQuestion } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import type { ReplyQuestion } from '#nodes/resources/message/sendAndWait/kinds/reply.ts';
import { WAIT_ATTRIBUTE } from '#nodes/replies/questionMark.ts';
import { URL_SIGNATURE, WEBHOOK_SECRET } from '../../support/constants.mts';
import { messageBody, signed } from './deliveries.mts';
import { type FakeService, startFakeService } from './fakeService.mts';
import { delivered, receive } from './replies.mts';
import type { FakeResponse } from './webhookStore.mts';

/** The first is the sender in `messageBody`. */
export const [ANA, BEN, CLEO, STRANGER] = ['0', '1', '2', '3'].map(
	(end) => `551199999000${end}`,
) as [string, string, string, string];
/** When questions were sent: long before the times of webhooks, which begin in 2026. */
export const SENT = { from: 1_700_000_000_000, until: 1_700_000_002_000 };
/** What a node responds to a delivery while its execution waits on. */
const waitsOn = (status: number, message: string) => ({
	...{ item: undefined, status },
	body: { message },
});
export const NOT_AWAITED = waitsOn(200, 'Not the awaited answer');
export const ASKED_AGAIN = waitsOn(200, 'Asked again');
export const RECEIVED_BEFORE = waitsOn(200, 'Received before');
export const LATER = waitsOn(503, 'Could not ask again');

export interface Written {
	text?: string;
	id?: string;
	from?: string | undefined;
	name?: string | null;
	/** Milliseconds by the service's clock. */
	at?: number | null;
	/** Fields of the content beside the text. */
	content?: IDataObject;
	/** Fields of the message. */
	message?: IDataObject;
}

/** Made once in a test file, for all its tests. */
export class WaitingInChat {
	service!: FakeService;
	/** Each test has its own, because a pause of a channel holds for the whole process. */
	channel = '';
	/** The service's response to messages. */
	onMessage!: FakeResponse;
	private tests = 0;
	private asked = 0;
	private written = 0;

	constructor() {
		beforeEach(async () => {
			this.service = await startFakeService();
			this.onMessage = { status: 200, body: { messageId: '0'.repeat(32) } };
			this.service.intercept = ({ path }) =>
				path.endsWith('/messages') ? this.onMessage : undefined;
			this.channel = `019E4C54B1B375A28970B605${String(++this.tests).padStart(8, '0')}`;
		});
		afterEach(async () => {
			jest.restoreAllMocks();
			await this.service.close();
		});
	}

	/** @param counted fields of the webhook's mark */
	readonly approval = (
		changes: Partial<ApprovalInChat> = {},
		counted: object = {},
	): ApprovalInChat => ({
		...this.common(changes, counted),
		...{ kind: 'approvalInChat', choices: ['Approve', 'Decline'], buttons: true, tellOthers: '' },
		...changes,
	});

	readonly replyQuestion = (
		changes: Partial<ReplyQuestion> = {},
		counted: object = {},
	): ReplyQuestion => ({
		...this.common(changes, counted),
		...{ kind: 'replyInChat', choices: [], buttons: false, askAgain: 1 },
		askAgainText: 'One of these, please:',
		...changes,
	});

	/** What all questions have. Registers the webhook. */
	private common({ deadline: end }: { deadline?: string }, counted: object) {
		const id = `question-${++this.asked}`;
		const deadline = end ?? new Date(Date.now() + 3_600_000).toISOString();
		const mark = { executionId: '7', recipient: 'v2:a', approvers: ['v2:b'], deadline };
		const { id: webhookId } = this.service.add(this.channel, {
			customAttributes: {
				n8n: { nodeId: 'node' },
				[WAIT_ATTRIBUTE]: { ...mark, wrongAnswers: 0, ...counted },
			},
		});
		return {
			...{ id, message: 'A discount?', answeredText: '', channelId: this.channel, recipient: ANA },
			links: [hashOfLink(id, URL_SIGNATURE)],
			sent: [SENT, SENT, SENT] as ChatQuestion['sent'],
			webhookId,
			sealedSecret: seal(WEBHOOK_SECRET, URL_SIGNATURE),
			deadline,
		};
	}

	readonly newId = (): string => String(++this.written).padStart(32, '0');

	readonly messageOf = ({ text, id = this.newId(), at, ...given }: Written = {}) => {
		const { message, ...rest } = messageBody({ id, ...(text === undefined ? {} : { text }) });
		const time = at === undefined ? message.created : at;
		return {
			...rest,
			message: {
				...message,
				...{ channel_id: this.channel, created: time },
				metadata: { ...message.metadata, moment: time },
				sender: { identifier: 'from' in given ? given.from : ANA, name: given.name ?? null },
				contents: [{ ...message.contents[0], ...given.content }],
				...given.message,
			},
		};
	};

	/** Delivers a body to the question's webhook. */
	readonly deliver = async (question: ChatQuestion, body: unknown, secret = WEBHOOK_SECRET) =>
		await receive(
			question,
			this.service.url,
			delivered(signed(body, { secret, key: `messages:0:${this.written}` })),
		);

	readonly reply = async (question: ChatQuestion, written: Written) =>
		await this.deliver(question, this.messageOf(written));

	/** The last question's. */
	readonly webhook = () => this.service.webhooks(this.channel).at(-1);
	readonly mark = () => this.webhook()?.customAttributes[WAIT_ATTRIBUTE] as IDataObject;
	readonly calls = () => this.service.requests.map(({ method }) => method);
	/** The messages that were sent. */
	readonly messages = () =>
		this.service.requests.filter(({ path }) => path.endsWith('/messages')).map(({ body }) => body);
}
