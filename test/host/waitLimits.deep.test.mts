/**
 * Questions whose time is over. n8n checks for those once a minute, so the tests ask them all
 * first, then wait together.
 */
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import {
	ask,
	type Customers,
	limitSeconds,
	listWebhooks,
	noWebhooks,
	press,
	openCustomers,
	type Question,
	reply,
	tap,
	TIMEOUT_LIMIT_MS,
} from './harness/questions.mts';

const [ana, ben] = [number(1), number(2)] as const;
const inChat = { askIn: 'chat', responseType: 'replyInChat' };
const choices = { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] };
const byLinks = {
	responseType: 'approval',
	approvalOptions: { values: { approvalType: 'double' } },
};
const approvalInChat = {
	responseType: 'approval',
	askIn: 'chat',
	approvalOptions: { values: { approvalType: 'double' } },
};
const options = limitSeconds(2);

/** One account each. */
const accounts: Customers[] = [];
/** Asked on the first account, and still waiting when the others' time is over. */
let other: Question;
let chosen: Question;
let byLink: Question;
let approval: Question;

beforeAll(async () => {
	for (const channel of ['Replies', 'Links', 'Approvals'])
		accounts.push(await openCustomers(channel, [ana, ben]));
	const [replies, links, approvals] = accounts as [Customers, Customers, Customers];
	other = await ask(replies, ben, inChat);
	chosen = await ask(replies, ana, { ...inChat, choices, options });
	byLink = await ask(links, ana, { ...byLinks, options });
	approval = await ask(approvals, ana, { ...approvalInChat, approvers: [ben], options });
}, TIMEOUT_LIMIT_MS);
afterAll(async () => {
	for (const { host } of accounts) await host.cleanUp();
});

const over = async (question: Question) =>
	void (await until(
		'the time to be over',
		async () => (await question.status()) !== 'waiting',
		TIMEOUT_LIMIT_MS,
	));

test(
	'a reply in the chat: the time limit has its own outcome, and the next reply to a question removes the webhook',
	async () => {
		const { customers } = chosen;
		await over(chosen);
		expect((await chosen.outcome()).items).toEqual([
			{
				data: {
					text: null,
					choice: null,
					choiceNumber: null,
					outcome: 'timedOut',
					respondedAt: null,
				},
			},
		]);
		expect(await listWebhooks(customers)).toHaveLength(2);
		// She has no open question any more, so her message makes no request.
		await reply(customers, ana, 'Too late');
		expect(await listWebhooks(customers)).toHaveLength(2);
		await reply(customers, ben, 'Yes');
		expect((await other.outcome()).status).toBe('success');
		await noWebhooks(customers);
	},
	2 * TIMEOUT_LIMIT_MS,
);

test(
	'an approval by link: the time limit has its own outcome, never an approval, and closes the link',
	async () => {
		const link = await byLink.link();
		await over(byLink);
		// The input has `approved: true`, which must not come through.
		expect(await byLink.outcome()).toEqual({
			status: 'success',
			items: [{ data: { approved: false, outcome: 'timedOut', respondedAt: null } }],
		});
		await press(link, true);
		expect((await byLink.finished()).resultData.runData.After).toHaveLength(1);
	},
	2 * TIMEOUT_LIMIT_MS,
);

test(
	'an approval in the chat: the time limit never approves, and the next question removes the webhook',
	async () => {
		const { customers } = approval;
		await over(approval);
		expect((await approval.outcome()).items).toEqual([
			{ data: { approved: false, outcome: 'timedOut', respondedAt: null } },
		]);
		await tap(customers, ana, 'Approve');
		const next = await ask(customers, ben, approvalInChat);
		expect(await listWebhooks(customers)).toHaveLength(1);
		await tap(customers, ben, 'Approve');
		expect((await next.outcome()).items).toMatchObject([
			{
				data: {
					approved: true,
					responder: { identifier: ben, name: 'Customer' },
					outcome: 'answered',
					respondedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
				},
			},
		]);
	},
	2 * TIMEOUT_LIMIT_MS,
);
