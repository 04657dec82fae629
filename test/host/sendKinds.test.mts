import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ENTERED, published } from '../support/sentKinds.mts';
import { clearFaults, number, openConversations } from './harness/conversations.mts';
import { startFront } from './harness/frontedService.mts';
import { byId, Host } from './harness/host.mts';

const host = new Host();
const customer = number(0);

let account: Awaited<ReturnType<typeof openConversations>>;
/** Bodies of the sends that left n8n. */
const sent: unknown[] = [];
/** The response in place of the sandbox's, by the text in the request body. */
let failureOf: (body: string) => { status: number; body: unknown } | undefined = () => undefined;
let front: Awaited<ReturnType<typeof startFront>>;

const message = (parameters: IDataObject): INodeParameters => ({
	resource: 'message',
	channelId: byId(account.channelId),
	recipient: customer,
	...(parameters as INodeParameters),
});
const run = async (
	parameters: INodeParameters,
	settings: object = {},
	items: IDataObject[] = [{}],
) =>
	await host.runAction(parameters, {
		items,
		credential: await account.credentialFor(front.url),
		settings,
	});

beforeAll(async () => {
	account = await openConversations(host, [customer]);
	front = await startFront(host.underTest.sandboxUrl, (body) => {
		if (body) sent.push(JSON.parse(body));
		return failureOf(body);
	});
	for (const name of ['TEMPLATE', 'TEMPLATE_without_parameters']) {
		const { template } = published(name).attachments![0] as unknown as {
			template: { name: string; components: Array<{ parameters: object[] }> };
		};
		const places = template.components[0]!.parameters.map((_, index) => `{{${index + 1}}}`);
		await host.sandbox.post('/_sandbox/message-templates', {
			name: template.name,
			body: ['News:', ...places].join(' '),
			status: 'APPROVED',
			tenant: account.tenantId,
		});
	}
}, 120_000);

afterEach(async () => {
	sent.length = 0;
	failureOf = () => undefined;
	await clearFaults(host);
	await host.cleanUp();
});
afterAll(async () => await front?.close());

test.each(Object.entries(ENTERED))(
	'%s leaves n8n in its published form, and the service takes it',
	async (name, entered) => {
		const { error, items } = await run(message(entered));
		expect(error).toBeUndefined();
		expect(sent).toEqual([{ recipient: { identifier: customer }, content: published(name) }]);
		// It is there if an earlier execution read the template.
		expect(items.map(({ textReadAt: _remembered, ...item }) => item)).toEqual([
			{
				...{ messageId: expect.any(String), channelId: account.channelId, recipient: customer },
				// What the customer reads, because the template can be read.
				...(entered.operation === 'sendTemplate' ? { text: expect.any(String) } : {}),
			},
		]);
	},
);
