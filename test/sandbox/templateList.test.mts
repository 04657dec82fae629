import {
	businessesSchema,
	type ListedTemplate,
	templatePageSchema,
} from '#nodes/service/contract/index.ts';
import { CHANNEL, CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { templateContent } from './helpers.mts';

const PATH = '/chatapp/businesses';

const sandbox = testSandbox();

const businesses = async (key?: string) =>
	businessesSchema.parse((await sandbox.call(PATH, key ? { key } : {})).body);
const business = async () => (await businesses())[0]!.businessId;
const list = async (businessId: string, query = '') =>
	await sandbox.call(`${PATH}/${businessId}/templates${query}`);
const page = async (businessId: string, query = '') =>
	templatePageSchema.parse((await list(businessId, query)).body);
const namesOf = (templates: ListedTemplate[]) => templates.map(({ name }) => name);
const make = (body: object) =>
	sandbox.control<{ id: string }>('/message-templates', { body: { body: 'Hello', ...body } });

it("lists the account's business and counts its channels", async () => {
	await sandbox.call('/v1/channels', { body: { name: 'New', type: 'OFFICIAL_CHATAPP' } });
	expect((await sandbox.call(PATH)).body).toEqual([
		{
			businessId: expect.stringMatching(/^8\d{14}$/),
			name: 'Demo Company',
			...{ channelsCount: 1, connectedCount: 1, disconnectedCount: 0 },
		},
	]);
	await sandbox.call(`${CHANNEL}/disconnect`, { method: 'PUT' });
	expect(await businesses()).toEqual([
		expect.objectContaining({ channelsCount: 1, connectedCount: 0, disconnectedCount: 1 }),
	]);
});

it("is the business of the account's connected channels, in the list and one by one", async () => {
	const businessId = await business();
	const { body } = await sandbox.call(CHANNEL);
	expect(body).toMatchObject({ businessId });
	const channels = await sandbox.call('/v1/channels');
	expect(channels.body).toMatchObject({ content: [{ businessId }] });
});

it('lists a template in the published form, without the ids of the sandbox', async () => {
	const businessId = await business();
	const { data } = await page(businessId);
	expect(data[0]).toEqual({
		id: expect.stringMatching(/^1\d{15}$/),
		...{ name: 'order_update', status: 'APPROVED', category: 'UTILITY', language: 'en_US' },
		parameter_format: 'POSITIONAL',
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, your order {{2}} is on its way.',
				example: { body_text: [['Ana', '1042']] },
			},
		],
	});
	expect(data[1]?.components?.[1]).toEqual({
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'My orders' },
			{ type: 'QUICK_REPLY', text: 'Talk to us' },
		],
	});
});

it('gives pages by cursor, forward and backward', async () => {
	const businessId = await business();
	for (let number = 1; number <= 5; number += 1) await make({ name: `t${number}` });
	const first = await page(businessId, '?limit=5');
	expect(namesOf(first.data)).toEqual([
		...['order_update', 'welcome', 'spring_sale', 'appointment_reminder', 'hand_over'],
	]);
	const after = first.paging?.cursors?.after;
	const second = await page(businessId, `?limit=4&after=${after}`);
	expect(namesOf(second.data)).toEqual(['t1', 't2', 't3', 't4']);
	const third = await page(businessId, `?limit=4&after=${second.paging?.cursors?.after}`);
	expect(namesOf(third.data)).toEqual(['t5']);
	const end = await list(businessId, `?limit=4&after=${third.paging?.cursors?.after}`);
	expect(end.body).toEqual({ data: [] });
	const { before } = third.paging?.cursors as { before: string };
	const back = await page(businessId, `?limit=4&before=${before}`);
	expect(namesOf(back.data)).toEqual(['t1', 't2', 't3', 't4']);
});

it('lists the templates of one status', async () => {
	const businessId = await business();
	expect(namesOf((await page(businessId, '?status=PENDING')).data)).toEqual(['spring_sale']);
	expect((await page(businessId, '?status=REJECTED')).data).toEqual([]);
});

it.each([
	['no such business', '', '1', /businessId: there is no business account 1/],
	['a limit of 0', '?limit=0', undefined, /limit/],
	['a limit over 100', '?limit=101', undefined, /limit/],
	['an unknown status', '?status=LOST', undefined, /status/],
	['a cursor of its own', '?after=5', undefined, /after: must be a cursor/],
	['two cursors', '?after=cGxhY2U6MQ&before=cGxhY2U6MQ', undefined, /not both/],
])('refuses %s in shape D, whose description helps', async (_what, query, id, description) => {
	const businessId = await business();
	const { status, body } = await list(id ?? businessId, query);
	const words = expect.stringMatching(description);
	const name = 'InvalidParameter';
	const error = { message: 'Invalid parameter', code: '100', name, description: words };
	expect([status, body]).toEqual([422, { error: { errors: [error] } }]);
});

it.each([PATH, `${PATH}/1/templates`])('refuses a wrong key at %s with 401 (A)', async (path) => {
	for (const key of ['sandbox_sk_wrong', null])
		expect(await sandbox.call(path, { key })).toMatchObject({
			status: 401,
			body: { error: 401, message: 'Unauthorized' },
		});
});

it('needs no role', async () => {
	await sandbox.control('/role', { body: { enterprise: false } });
	expect((await sandbox.call(PATH)).status).toBe(200);
});

describe('an account with two businesses', () => {
	const keys = { secretKey: 'sandbox_sk_two', publicKey: 'sandbox_pk_two' };
	const channels = [
		{ name: 'Shop', business: 'Shop' },
		{ name: 'Bakery', business: 'Bakery' },
		{ name: 'Closed', business: 'Bakery', connected: false },
		{ name: 'Main' },
	];

	it('keeps the templates of each apart, and sends those of the channel', async () => {
		const { tenants } = await sandbox.control<{
			tenants: Array<{ id: string; channels: string[] }>;
		}>('/seed', { body: { tenants: [{ name: 'Two', ...keys, channels }] } });
		const { id: tenant, channels: ids } = tenants[0]!;
		const listed = await businesses(keys.secretKey);
		expect(listed).toMatchObject([
			{ name: 'Two', channelsCount: 1 },
			{ name: 'Shop', channelsCount: 1, connectedCount: 1 },
			{ name: 'Bakery', channelsCount: 2, connectedCount: 1, disconnectedCount: 1 },
		]);
		for (const business of ['Shop', 'Bakery'])
			await make({ ...{ tenant, business, name: 'hello' }, status: 'APPROVED', body: business });
		await make({ tenant, name: 'main', status: 'APPROVED' });
		for (const [index, names] of [['main'], ['hello'], ['hello']].entries()) {
			const path = `${PATH}/${listed[index]!.businessId}/templates`;
			const { body } = await sandbox.call(path, { key: keys.secretKey });
			expect(namesOf(templatePageSchema.parse(body).data)).toEqual(names);
		}
		const content = templateContent('hello', [{ type: 'body' }]);
		const send = (channelId: string) =>
			sandbox.call(`/v1/channels/${channelId}/messages`, {
				...{ key: keys.secretKey, body: { recipient: { identifier: CUSTOMER }, content } },
			});
		const statuses = [];
		for (const index of [0, 1, 3]) statuses.push((await send(ids[index]!)).status);
		expect(statuses).toEqual([200, 200, 400]);
		expect((await sandbox.messages()).map(({ content }) => content.text)).toEqual([
			'Shop',
			'Bakery',
		]);
	});
});
