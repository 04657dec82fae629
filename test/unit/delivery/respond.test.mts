import type { IWebhookFunctions } from 'n8n-workflow';

import { admitOnce, DeliveryMemory, refuse, respond } from '#nodes/delivery/respond.ts';
import { FakeResponse } from '../../support/fakeResponse.mts';
import { settled } from '../../support/clocks.mts';

function request() {
	const response = new FakeResponse();
	const logged: unknown[][] = [];
	const context = {
		getResponseObject: () => response,
		getWorkflow: () => ({ id: 'w1', name: 'Shop', active: true }),
		getNode: () => ({ name: 'On message' }),
		logger: { warn: (...said: unknown[]) => logged.push(said) },
	} as unknown as IWebhookFunctions;
	return { response, logged, context };
}

it('responds once, and sends nothing after a response has begun', () => {
	const { response, context } = request();
	expect(respond(context, 503, { message: 'Later' })).toEqual({ noWebhookResponse: true });
	expect(respond(context, 200, { message: 'Again' })).toEqual({ noWebhookResponse: true });
	expect(response).toMatchObject({ statusCode: 503, body: { message: 'Later' } });
});

it('logs the workflow and the node of a refusal, and does not tell the sender why', () => {
	const { response, logged, context } = request();
	refuse(context, 401, 'Unauthorized', 'the token is wrong');
	expect(logged).toEqual([
		[
			'A delivery was refused with 401: the token is wrong',
			{ workflowId: 'w1', workflow: 'Shop', node: 'On message' },
		],
	]);
	expect(response).toMatchObject({ statusCode: 401, body: { message: 'Unauthorized' } });
});

it('asks to repeat a delivery in flight in five seconds, and confirms a seen one', async () => {
	const memory = new DeliveryMemory();
	const first = request();
	expect(admitOnce(first.context, memory, ['node', 'key'])).toBeUndefined();
	const second = request();
	expect(admitOnce(second.context, memory, ['node', 'key'])).toEqual({ noWebhookResponse: true });
	expect(second.response).toMatchObject({
		statusCode: 503,
		headers: { 'retry-after': '5' },
		body: { message: 'Being processed' },
	});
	first.response.end(200);
	await settled();
	expect(admitOnce(request().context, memory, ['node', 'key'])).toEqual({
		webhookResponse: { message: 'Received before' },
	});
});

it.each([
	[200, 1],
	[500, 0],
])('keeps what a delivery did only after a 2xx response: status %i', async (status, times) => {
	const { response, context } = request();
	let confirmed = 0;
	admitOnce(context, new DeliveryMemory(), ['node', 'key'], () => (confirmed += 1));
	await settled();
	expect(confirmed).toBe(0);
	response.end(status);
	await settled();
	expect(confirmed).toBe(times);
});
