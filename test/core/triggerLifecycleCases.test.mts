/** What the lifecycle methods say, in errors and in n8n's log. In n8n-core's HookContext. */
import type { INodeParameters } from 'n8n-workflow';

import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { CHANNEL, SECRET_KEY } from '../support/constants.mts';
import { fakeServiceOfEachTest } from './harness/fakeService.mts';
import { logged } from './harness/logged.mts';
import {
	additionalData,
	callLifecycle,
	publish,
	triggerWorkflow,
	type TriggerOptions,
	WEBHOOK_ID,
} from './harness/n8n.mts';
import { urls } from './harness/publishedReceiver.mts';

const productionUrl = `${urls.production}/${WEBHOOK_ID}/webhook`;
const manual = { registration: 'manual' };
const template = { source: 'template' };
const isTest = true;

const service = fakeServiceOfEachTest();

const data = (credential: object = {}, to = urls) =>
	additionalData({ baseUrl: service.url, secretKey: SECRET_KEY, ...credential }, to);
const onChannel = () => service.webhooks(CHANNEL);
const answering = (status: number, message: string, only?: string) => {
	service.intercept = ({ method }) =>
		(only ?? method) === method ? { status, body: { error: status, message } } : undefined;
};

describe('an error of publishing', () => {
	const chooseChannel =
		'Choose one in the field "Channel", or enter its ID there: 32 hexadecimal characters, with or without hyphens.';
	const atChannel = (value: string) => ({
		parameters: { channelId: { __rl: true, mode: 'id', value } },
	});

	it.each<[string, TriggerOptions, object, string]>([
		['no channel', atChannel(''), {}, `no channel is chosen. ${chooseChannel}`],
		[
			'an ID that is none',
			atChannel(' ../webhooks '),
			{},
			`"Channel" is not an ID of the service: "../webhooks". ${chooseChannel}`,
		],
		[
			'no events',
			{ parameters: { channelEvents: [] } },
			{},
			'no events are chosen. Choose at least one in the field "Events".',
		],
		[
			'a tolerance of zero',
			{ parameters: { options: { timestampTolerance: 0 } } },
			{},
			'the timestamp tolerance is not a number of seconds above zero. Correct the option "Timestamp Tolerance (Seconds)", or remove it.',
		],
		[
			'an expression that finds no number',
			{ parameters: { options: { ignoreOlderThan: '={{ $vars.nothing }}' } } },
			{},
			'"Ignore Older Than (Hours)" is empty, because its expression finds nothing. Correct the expression, or enter a number.',
		],
		...['', 7].map((secretKey): [string, TriggerOptions, object, string] => [
			`the secret key ${secretKey}`,
			{},
			{ secretKey },
			'the credential has no secret key. Enter the Secret Key in the credential "Test".',
		]),
		[
			'no webhook URL',
			{ nodeType: withoutWebhooks() },
			{},
			'n8n gave no webhook URL for this node. Save the workflow and publish it again.',
		],
	])('says what is missing and what to do, and sends nothing: %s', async (_what, ...given) => {
		const [options, credential, sentence] = given;
		await expect(publish(triggerWorkflow(options), data(credential))).rejects.toMatchObject({
			message: `Could not publish: ${sentence}`,
			description: undefined,
		});
		expect(service.requests).toEqual([]);
	});

	it.each<[string, { isTest?: boolean }]>([
		['publish', {}],
		['listen for a test event', { isTest }],
	])(
		"is n8n's error of a request, and says all in its message: Could not %s",
		async (act, mode) => {
			answering(401, 'Unauthorized');
			await expect(publish(triggerWorkflow(), data(), mode)).rejects.toMatchObject({
				name: 'NodeApiError',
				httpCode: '401',
				message: expect.stringMatching(
					`^Could not ${act}: the service refused the secret key\\. Check the Secret Key in the`,
				),
				description: null,
			});
		},
	);

	it.each([
		[422, 'See api.example first', /: See api\.example first\. Check /],
		[422, 'Not now.', /: Not now\. Check /],
		[422, 'This action requires ENTERPRISE role', /: the account lacks the ENTERPRISE role\. /],
		[500, 'Out of order', /: the service failed \(Out of order\)\./],
	])('gives the remedy as a sentence of its own: %i %s', async (status, message, sentence) => {
		answering(status, message);
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(sentence);
	});

	it.each([
		['URL of the vault is wrong', 'Could not publish: URL of the vault is wrong'],
		['The vault is locked', 'Could not publish: the vault is locked'],
	])('continues after the colon, also from outside: %s', async (message, sentence) => {
		const credential = data();
		jest.spyOn(credential.credentialsHelper, 'getDecrypted').mockRejectedValue(new Error(message));
		await expect(publish(triggerWorkflow(), credential)).rejects.toThrow(sentence);
		await expect(publish(triggerWorkflow(), data({ baseUrl: '' }))).rejects.toThrow(
			/^Could not publish: the Base URL in the credential "Test" is/,
		);
	});

	it('names an address that the service cannot reach, and the variable', async () => {
		const remote = data({ baseUrl: 'https://api.messaging.example' });
		await expect(callLifecycle('create', triggerWorkflow(), remote)).rejects.toThrow(
			/^Could not publish: the service cannot reach http:\/\/127\.0\.0\.1:5678\/.* Set the environment variable WEBHOOK_URL/,
		);
	});

	it('says that the service gave no secret, or took no token', async () => {
		const made = { id: 'C'.repeat(32), url: productionUrl, events: [], status: 'ENABLED' };
		service.intercept = ({ method }) =>
			method === 'POST' ? { status: 201, body: made } : undefined;
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
			'Could not publish: the service registered the webhook without giving a signing secret',
		);
		const auth = { type: 'NONE', configured: false };
		service.intercept = ({ method }) =>
			method === 'GET'
				? { status: 200, body: onChannel().map((listed) => ({ ...listed, auth })) }
				: undefined;
		await expect(publish(triggerWorkflow(), data())).rejects.toThrow(
			'Could not publish: the webhook did not settle',
		);
	});

	it('says of a test that is refused that webhooks may be in the way, and changes nothing', async () => {
		await publish(triggerWorkflow(), data());
		service.add(CHANNEL, { url: 'https://stranger.example/hook?token=s3cret', events: [] });
		const before = structuredClone(onChannel());
		answering(422, 'Webhook limit reached', 'POST');
		await expect(publish(triggerWorkflow(), data(), { isTest })).rejects.toThrow(
			"Could not listen for a test event: Webhook limit reached. Check the values of the node's fields. If the service allows no more webhooks here, delete those that nobody needs.",
		);
		expect(onChannel()).toEqual(before);
	});

	it("keeps the webhook's secret out of messages, if the service repeats its own record", async () => {
		const workflow = triggerWorkflow();
		await publish(workflow, data());
		const secret = service.secretOf(onChannel()[0]?.id);
		answering(400, `Bad: ${JSON.stringify({ ...onChannel()[0], secret })}`);
		for (const act of ['checkExists', 'delete'] as const) {
			const failure = await callLifecycle(act, workflow, data()).catch((error: unknown) => error);
			expect(String(failure)).toContain('Bad: ');
			expect(secret).toMatch(/^.{16}/);
			expect(JSON.stringify(failure) + String(failure)).not.toContain(secret);
		}
	});
});

describe('the log', () => {
	const fields = {
		...{ workflowId: 'workflow-1', workflow: 'Answer customers' },
		node: 'Business Messaging Trigger',
	};

	it('says that the address works only on this machine, and nothing of one that works', async () => {
		const said = logged('warn');
		await publish(triggerWorkflow(), data());
		const onlyHere =
			/^The webhook URL http:\S+ works only because the service runs on this machine\. Set the environment variable WEBHOOK_URL/;
		expect(said.splice(0)).toEqual([[expect.stringMatching(onlyHere), fields]]);
		const production = 'https://n8n.example.com/webhook';
		await publish(triggerWorkflow(), data({}, { ...urls, production }));
		expect(said).toEqual([]);
	});

	it('says that the first template events take a while, and nothing like it for a channel', async () => {
		const said = logged('info');
		await publish(triggerWorkflow(), data());
		expect(said).toEqual([]);
		await publish(triggerWorkflow({ parameters: template }), data());
		expect(said).toEqual([[expect.stringMatching(/up to about 5 minutes/), fields]]);
	});

	it.each<[string, INodeParameters, object | undefined, boolean, boolean?]>([
		['not connected', {}, { phoneConnected: false }, true],
		['not connected, of a webhook registered by hand', manual, { phoneConnected: false }, true],
		['connected', {}, { phoneConnected: true }, false],
		['of which the service does not tell', {}, {}, false],
		['that cannot be read', {}, undefined, false],
		['that the templates do not need', template, { phoneConnected: false }, false],
		['of a test, which waits for a message', {}, { phoneConnected: false }, false, isTest],
	])('says that nothing arrives from a channel: %s', async (_what, parameters, ...more) => {
		const [channel, is, inTest = false] = more;
		const said = logged('warn');
		logged('info');
		service.intercept = ({ path }) =>
			path === `/v1/channels/${CHANNEL}`
				? channel
					? { status: 200, body: { id: CHANNEL, ...channel } }
					: { status: 500, body: {} }
				: undefined;
		service.add(CHANNEL, { url: productionUrl, events: ['MESSAGE_RECEIVED'] });
		const credential = data({ webhookToken: 'by-hand' });
		await publish(triggerWorkflow({ parameters }), credential, { isTest: inTest });
		const words =
			'The workflow is published on a channel that is not connected, so no message arrives. Connect it with the operation Channel → Connect';
		expect(said.filter(([line]) => /connected/.test(String(line)))).toEqual(
			is ? [[words, fields]] : [],
		);
	});

	it('says what failed in cleaning up after a test, which n8n would show in place of why it did not start', async () => {
		const said = logged('warn');
		const workflow = triggerWorkflow();
		answering(500, 'Out of order');
		await expect(publish(workflow, data(), { isTest })).rejects.toThrow(
			'Could not listen for a test event: the service failed (Out of order).',
		);
		// n8n removes the webhook of a test in a mode of production.
		await callLifecycle('delete', workflow, data(), { isTest, activation: 'update' });
		expect(said).toEqual([
			[
				'The webhook of a test could not be removed: Could not list the webhooks: the service failed (Out of order). The next test takes it over',
				fields,
			],
		]);
	});
});

/** A trigger to which n8n gives no URL. */
function withoutWebhooks() {
	const trigger = new BusinessMessagingTrigger();
	trigger.description.webhooks = [];
	return trigger;
}
