import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ENTERED, off, published } from '../support/sentKinds.mts';
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
		expect(items).toEqual([
			{
				...{ messageId: expect.any(String), channelId: account.channelId, recipient: customer },
				// What the customer reads, because the template can be read.
				...(entered.operation === 'sendTemplate' ? { text: expect.any(String) } : {}),
			},
		]);
	},
);

test.each(Object.entries(off).filter(([, { recipient }]) => recipient))(
	'refuses what is off by one thing: %s',
	async (_what, { content }) => {
		const { items } = await run(
			message({
				operation: 'sendOther',
				// A content without a type does not leave the node.
				content: JSON.stringify({ type: 'UNKNOWN', ...content }),
			}),
			{ onError: 'continueRegularOutput' },
		);
		expect(sent).toHaveLength(1);
		expect(items).toMatchObject([
			{ error: expect.stringMatching(/^Could not send/), details: { status: 400 } },
		]);
		expect(['invalid_request', 'media_rejected']).toContain(
			(items[0] as { details: { reason: string } }).details.reason,
		);
	},
);

test('Retry On Fail: the 7th of 10 images fails twice, and each is accepted once, in order', async () => {
	let failures = 2;
	failureOf = (body) =>
		body.includes('image 6"') && failures-- > 0
			? {
					status: 502,
					body: {
						timestamp: '2026-07-13T18:20:00Z',
						code: 'MEDIA_ERROR',
						subCode: 'MEDIA_DOWNLOAD_FAILED',
						message: 'Could not download the file',
					},
				}
			: undefined;
	const captions = Array.from({ length: 10 }, (_, index) => `image ${index}`);
	const { error, items } = await run(
		message({
			operation: 'sendMedia',
			mediaUrl: 'https://files.example.com/image.png',
			caption: '={{ $json.caption }}',
		}),
		{ retryOnFail: true, maxTries: 3, waitBetweenTries: 50 },
		captions.map((caption) => ({ caption })),
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(10);
	const { messages } = await host.sandbox.get<{
		messages: Array<{ direction: string; content: { type: string; caption?: string } }>;
	}>(`/_sandbox/messages?channelId=${account.channelId}`);
	expect(
		messages
			.filter(({ content }) => content.caption?.startsWith('image '))
			.map(({ content }) => content.caption),
	).toEqual(captions);
});

test('a template reaches a customer with a closed window; a text does not, and says why', async () => {
	const stranger = { recipient: number(77) };
	const text = await run(message({ operation: 'sendText', text: 'Hello!', ...stranger }), {
		onError: 'continueRegularOutput',
	});
	expect(text.items).toMatchObject([
		{
			error: `Could not send the text to ${number(77)}: the 24-hour conversation window is closed`,
			details: { reason: 'window_closed', hint: expect.stringContaining('Send Template') },
		},
	]);
	const template = await run(message({ ...ENTERED.TEMPLATE, ...stranger }));
	expect(template.error).toBeUndefined();
	expect(template.items).toMatchObject([{ recipient: number(77) }]);
	const again = await run(message({ operation: 'sendText', text: 'Hello!', ...stranger }), {
		onError: 'continueRegularOutput',
	});
	// A template does not open the window. Only the customer does.
	expect(again.items).toMatchObject([{ details: { reason: 'window_closed' } }]);
});
