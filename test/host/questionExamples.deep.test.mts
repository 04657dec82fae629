import type { StoredWorkflow } from '../../scripts/n8n/types.mts';
import { until } from '../../scripts/until.mts';
import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import {
	newestButtons,
	newestLinkButton,
	open,
	submit,
	tap,
	textsTo,
	untilWordsCount,
	waiting,
} from './harness/questions.mts';
import { addTemplate } from './harness/stages.mts';

const [approver, ana, ben, stranger] = [
	number(700),
	number(701),
	number(702),
	number(703),
] as const;

let host: Host;
let channelId: string;
let secretKey: string;
let tenantId: string;

beforeAll(async () => {
	const account = await ownAccount(['Examples']);
	({ host, secretKey } = account);
	[channelId = ''] = account.channels;
	({ tenantId } = account);
	await addTemplate(account);
	// The stranger has never written, so no window is open.
	for (const from of [approver, ana, ben]) await writes(from, 'Hello');
});
afterAll(async () => await host?.cleanUp());

const writes = async (from: string, text: string) =>
	await host.sandbox.customerWrites({ channelId, from, name: 'Somebody', text });
const newestTo = async (customer: string): Promise<string> =>
	(await textsTo({ host, channelId }, customer)).at(-1) ?? '';

/** Starts it by hand with a node's pinned data, and waits until it waits. */
async function start(workflow: StoredWorkflow, trigger: string): Promise<string> {
	const executionId = (await host.client.runManually(workflow, trigger)) ?? '';
	await waiting(host, executionId);
	await untilWordsCount({ host, channelId, secretKey });
	return executionId;
}

describe('approve before broadcast', () => {
	const broadcast = async (name: string): Promise<StoredWorkflow> => {
		const { workflow } = await Example.import(host, 'approve-before-broadcast', channelId);
		const values = {
			name,
			text: 'Hello all!',
			approver,
			customers: JSON.stringify([ana, stranger, ben]),
		};
		const nodes = workflow.nodes.map((node) => {
			if (node.name !== 'The Broadcast') return node;
			const assignments = Object.entries(values).map(([field, value]) => ({
				id: field,
				name: field,
				type: field === 'customers' ? 'array' : 'string',
				value,
			}));
			return { ...node, parameters: { ...node.parameters, assignments: { assignments } } };
		});
		return await host.client.updateWorkflow({ ...workflow, nodes });
	};
	/** The service refuses the next message, for whomever it is. */
	const failOnce = async () =>
		await host.sandbox.post('/_sandbox/faults', {
			...{ on: 'route', operation: 'sendMessage', kind: 'status', status: 422, times: 1 },
			tenant: tenantId,
		});
	/** The approver opens the newest question's link, and presses a button on its page. */
	const press = async (approved: string): Promise<void> => {
		const { url } = await newestLinkButton({ host, channelId }, approver);
		await submit(url, { approved });
	};

	test('sends to every customer after a yes, and a second run sends only to those it missed', async () => {
		const workflow = await broadcast('Garden');
		const executionId = await start(workflow, 'When Clicking Execute');
		const { text, url } = await newestLinkButton({ host, channelId }, approver);
		expect(text).toBe('Shall this go to 3 customers?\n\n"Hello all!"');
		expect((await open(url)).body).toMatch(/>Send it<\/button>.*>Do not send<\/button>/s);
		for (const customer of [ana, ben])
			expect(await textsTo({ host, channelId }, customer)).toEqual([]);
		await failOnce();
		await press('true');
		const execution = await host.client.finishedExecution(executionId);
		expect(execution.status).toBe('success');
		const first = itemsOf(execution, 'Send to Each');
		const missed = first.filter(({ error }) => error !== undefined);
		expect(missed).toMatchObject([{ details: { reason: 'rejected' } }]);

		const again = await start(workflow, 'When Clicking Execute');
		await press('true');
		const second = itemsOf(await host.client.finishedExecution(again), 'Send to Each');
		expect(second.filter(({ alreadySent }) => alreadySent)).toHaveLength(2);
		expect(second.filter(({ messageId }) => messageId !== null)).toMatchObject([
			{ recipient: missed[0]?.recipient, messageId: expect.any(String) as string },
		]);
		for (const customer of [ana, ben])
			expect(await textsTo({ host, channelId }, customer)).toEqual(['Hello all!']);
		expect(await textsTo({ host, channelId }, stranger)).toEqual(['Hello! How can we help you?']);
	});

	test('sends nothing after a no', async () => {
		const before = await textsTo({ host, channelId }, ana);
		const executionId = await start(await broadcast('Refused'), 'When Clicking Execute');
		await press('false');
		const execution = await host.client.finishedExecution(executionId);
		expect(itemsOf(execution, 'Not Sent')).toMatchObject([
			{ data: { approved: false, outcome: 'answered' } },
		]);
		expect(await textsTo({ host, channelId }, ana)).toEqual(before);
	});
});

describe('appointment confirmation', () => {
	/** The texts on the buttons. A test's reply that equals one is a tap. Any other is written. */
	const CHOICES = ['Yes', 'I need another time', 'Please cancel it'];
	const appointment = async (customer: string): Promise<StoredWorkflow> => {
		const { workflow } = await Example.import(host, 'appointment-confirmation', channelId);
		const pinData = {
			'When an Appointment Comes Up': [
				{ json: { customer, name: 'Ana', when: 'Tuesday at 10:00' } },
			],
		};
		return host.adopt(
			await host.client.createWorkflow({
				name: 'An appointment',
				nodes: workflow.nodes,
				connections: workflow.connections,
				pinData,
			}),
		);
	};

	test.each([
		['Yes', 'Confirm', 'Thank you! See you on Tuesday at 10:00.'],
		['1', 'Confirm', 'Thank you! See you on Tuesday at 10:00.'],
		[
			'I need another time',
			'Offer Another Time',
			'No problem. A colleague will write to you to find another time.',
		],
		[
			'please cancel it.',
			'Confirm the Cancellation',
			'Your appointment on Tuesday at 10:00 is cancelled.',
		],
	])('takes the reply %j to %s', async (text, node, next) => {
		const executionId = await start(await appointment(ana), 'When an Appointment Comes Up');
		const { text: question, buttons } = await newestButtons({ host, channelId }, ana);
		expect(await newestTo(ana)).toBe(question);
		expect(question).toBe('Hello Ana! Your appointment is on Tuesday at 10:00. Will you come?');
		expect(buttons.map(({ title }) => title)).toEqual(CHOICES);
		if (CHOICES.includes(text)) await tap({ host, channelId }, ana, text);
		else await writes(ana, text);
		const execution = await host.client.finishedExecution(executionId);
		expect({ status: execution.status, error: execution.resultData.error }).toEqual({
			status: 'success',
			error: undefined,
		});
		expect(itemsOf(execution, node)).toHaveLength(1);
		expect(await newestTo(ana)).toBe(next);
	});

	test('has a customer called after three wrong replies', async () => {
		const executionId = await start(await appointment(ben), 'When an Appointment Comes Up');
		for (const [index, text] of ['Maybe', 'Perhaps', 'Who knows'].entries()) {
			const asked = (await textsTo({ host, channelId }, ben)).length;
			await writes(ben, text);
			if (index < 2)
				await until(
					'to be asked again',
					async () => (await textsTo({ host, channelId }, ben)).length > asked,
					30_000,
				);
		}
		const execution = await host.client.finishedExecution(executionId);
		expect(itemsOf(execution, 'Call the Customer')).toMatchObject([
			{ data: { outcome: 'invalid', text: 'Who knows' } },
		]);
	});

	test('leaves nothing behind', async () => {
		await until(
			'no webhook',
			async () =>
				(await host.callService<unknown[]>(`/v1/channels/${channelId}/webhooks`, secretKey))
					.length === 0,
			30_000,
		);
	});
});
