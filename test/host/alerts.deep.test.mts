import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';

let host: Host;
let channelId: string;
let tenant: string;
let settings: object;

beforeAll(async () => {
	const account = await ownAccount(['Alerts']);
	({ host, tenantId: tenant } = account);
	[channelId = ''] = account.channels;
	({ settings } = await host.sandbox.get<{ settings: object }>('/_sandbox/state'));
});
afterAll(async () => {
	// Other files share the sandbox.
	await host?.sandbox.patch('/_sandbox/settings', settings);
});
afterEach(async () => await host?.cleanUp());

describe('delivery-failure-alert', () => {
	const sendsTo = async (customer: string, text: string): Promise<string> => {
		await host.sandbox.customerWrites({ channelId, from: customer, name: 'Ana', text: 'Hello' });
		const { items } = await host.runAction({
			resource: 'message',
			operation: 'sendText',
			channelId: { __rl: true, mode: 'id', value: channelId },
			recipient: customer,
			text,
			options: {},
		});
		return String(items[0]?.messageId);
	};

	test('reports a failed message, and does not run for any other status', async () => {
		// The sandbox delivers no status by itself. The test sets the status of each message.
		await host.sandbox.patch('/_sandbox/settings', { progression: { upTo: 'SENT', stepMs: 1 } });
		const example = await Example.import(host, 'delivery-failure-alert', channelId);
		await example.publish();
		const customer = number(400);
		const [arrives, fails] = [
			await sendsTo(customer, 'This one arrives'),
			await sendsTo(customer, 'This one fails'),
		];
		for (const status of ['DELIVERED', 'READ'])
			await host.sandbox.post(`/_sandbox/messages/${arrives}/status`, { status });
		await host.sandbox.post(`/_sandbox/messages/${fails}/status`, { status: 'FAILED' });

		const executions = await example.executions(1);
		expect(executions.flatMap((execution) => itemsOf(execution, 'Alert'))).toEqual([
			{
				title: expect.stringContaining('was not delivered') as string,
				customer,
				text: 'This one fails',
				status: 'FAILED',
				sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
				messageId: fails,
				channelId,
			},
		]);
	});

	test('shows an example alert with its pinned event', async () => {
		const example = await Example.import(host, 'delivery-failure-alert', channelId);
		expect(await example.run('When a Delivery Fails', 'Alert')).toEqual([
			expect.objectContaining({
				title: 'A message to Ana Example was not delivered',
				text: 'Your order is on its way.',
				status: 'FAILED',
			}),
		]);
	});
});

describe('template-approval-watcher', () => {
	const templateChanges = async (change: object) =>
		await host.sandbox.post('/_sandbox/templates', {
			tenant,
			name: 'order_update',
			language: 'en',
			...change,
		});

	test('tells the team what happened to a template, and what to do', async () => {
		await host.sandbox.patch('/_sandbox/settings', { templateRoutingLag: 0 });
		const example = await Example.import(host, 'template-approval-watcher', channelId);
		await example.publish();
		await templateChanges({ field: 'status', status: 'APPROVED' });
		await example.executions(1);
		await templateChanges({ field: 'status', status: 'REJECTED', reason: 'INVALID_FORMAT' });
		await example.executions(2);
		await templateChanges({ field: 'status', status: 'PAUSED' });
		await example.executions(3);
		await templateChanges({
			field: 'category',
			previousCategory: 'UTILITY',
			newCategory: 'MARKETING',
		});
		const told = (await example.executions(4)).flatMap((execution) =>
			itemsOf(execution, 'Tell the Team'),
		);
		expect(told.map(({ title, action }) => ({ title, action }))).toEqual([
			{
				title: 'Template order_update (en) was approved',
				action: 'None: it can be used from now on',
			},
			{
				title: 'Template order_update (en) is now REJECTED',
				action: 'Change the template: INVALID_FORMAT',
			},
			{
				title: 'Template order_update (en) is now PAUSED',
				action: 'Look at the template in the dashboard of the service',
			},
			{
				title: 'Template order_update (en) moved from UTILITY to MARKETING',
				action: 'Check what messages of this category cost',
			},
		]);
	});

	test('shows an example of its message with its pinned events', async () => {
		const example = await Example.import(host, 'template-approval-watcher', channelId);
		const told = await example.run('When a Template Changes', 'Tell the Team');
		expect(told.map(({ title }) => title)).toEqual([
			'Template order_update (en) was approved',
			'Template summer_offer (en) is now REJECTED',
			'Template order_update (en) moved from UTILITY to MARKETING',
		]);
	});
});
