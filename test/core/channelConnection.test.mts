/** What connects a channel is secret: no record of an execution has it beside the node's input. */
import { CHANNEL } from '../support/constants.mts';
import { runInEngine } from './harness/engine.mts';
import { respondJson, startScriptedService } from './harness/scriptedService.mts';

const OBJECT = {
	success: true,
	channelId: CHANNEL,
	accessToken: 'access-token/that must not show',
	pageId: '178414000012345',
	more: { botToken: ['bot-token-that-must-not-show'] },
};
const SECRETS = [OBJECT.accessToken, OBJECT.pageId, 'bot-token-that-must-not-show'];

test.each<[string, number, (sent: string) => unknown]>([
	['accepted', 200, () => ({ success: true })],
	['refused', 200, () => ({ success: false })],
	['refused with what was sent', 422, (sent) => ({ error: 422, message: `Wrong: ${sent}` })],
	[
		'refused with what was sent, encoded',
		400,
		(sent) => ({ error: encodeURIComponent((JSON.parse(sent) as typeof OBJECT).accessToken) }),
	],
	['answered by a proxy with what was sent', 500, (sent) => sent],
	['answered with what was sent', 200, (sent) => ({ sent: JSON.parse(sent) as unknown })],
])('if it is %s', async (_how, status, answer) => {
	const service = await startScriptedService(({ body }, response) =>
		respondJson(response, status, answer(body)),
	);
	for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
		const { run, items, errorItems, error } = await runInEngine({
			baseUrl: service.url,
			parameters: {
				resource: 'channel',
				operation: 'connect',
				connectionData: 'object',
				// Not from the input, which n8n keeps.
				sdkObject: JSON.stringify(OBJECT),
			},
			settings: { onError },
		});
		const outcome = { run: run.data.resultData.runData['Business Messaging'], items, errorItems };
		const record = JSON.stringify([outcome, error, error?.context, run.data.executionData]);
		const withoutFields = record.replaceAll(JSON.stringify(JSON.stringify(OBJECT)), '');
		for (const secret of SECRETS) {
			expect(withoutFields).not.toContain(secret);
			expect(withoutFields).not.toContain(encodeURIComponent(secret));
		}
	}
	expect(service.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([OBJECT, OBJECT]);
	await service.close();
});

test('an error can still name the channel', async () => {
	const service = await startScriptedService((_request, response) =>
		respondJson(response, 404, { error: 404, message: `Channel not found: ${CHANNEL}` }),
	);
	const { error } = await runInEngine({
		baseUrl: service.url,
		parameters: {
			...{ resource: 'channel', operation: 'connect', connectionData: 'object' },
			sdkObject: JSON.stringify(OBJECT),
		},
	});
	await service.close();
	expect(error?.message).toBe(`Could not connect the channel: not found (status 404): ${CHANNEL}`);
});
