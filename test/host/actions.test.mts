import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DEMO_BUSINESS_NUMBER, DEMO_CHANNEL_ID, DEMO_CHANNEL_NAME } from '../../sandbox/seed.mts';
import { ACTION, byId, Host } from './harness/host.mts';

const host = new Host();
const { credential } = host.underTest;
const channelId = byId(DEMO_CHANNEL_ID);
const ID = expect.stringMatching(/^[0-9A-Fa-f]{32}$/) as string;

afterEach(async () => await host.cleanUp());

async function succeed(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const run = await host.runAction(parameters, { items });
	expect(run.error).toBeUndefined();
	return run.items;
}

async function onlyItem(parameters: INodeParameters): Promise<IDataObject & { id: string }> {
	const [item, ...more] = await succeed(parameters);
	expect(more).toEqual([]);
	return item as IDataObject & { id: string };
}

/** What the editor offers in a list. */
async function listed(
	parameter: string,
	methodName: string,
	parameters: INodeParameters,
	filter?: string,
): Promise<unknown[]> {
	const node = { type: ACTION, typeVersion: 2, parameters };
	return (await host.client.searchList({ parameter, methodName, node, credential, filter }))
		.results;
}

const create = { resource: 'channel', operation: 'create', name: 'Host Test' };

test('Channel: Create makes a channel of the chosen type. Get Many lists it without its token, and the list search finds it', async () => {
	expect(await listed('type', 'searchChannelTypes', create, 'official')).toContainEqual(
		expect.objectContaining({ value: 'OFFICIAL_CHATAPP' }),
	);
	// n8n 1 itself refuses an empty field, before the node runs.
	const none = await host.runAction({ ...create, type: byId('={{ "" }}') });
	expect(none.error?.message).toContain('"Type" is empty.');
	const created = await onlyItem({ ...create, type: byId('OFFICIAL_CHATAPP') });
	expect(created).toEqual({ id: ID, name: 'Host Test', type: 'OFFICIAL_CHATAPP' });

	const getAll = { resource: 'channel', operation: 'getAll', returnAll: true, filters: {} };
	const channels = await succeed(getAll);
	expect(channels.map(({ id }) => id)).toEqual(
		expect.arrayContaining([created.id, DEMO_CHANNEL_ID]),
	);
	for (const channel of channels) expect(channel).not.toHaveProperty('token');

	const sendText = { resource: 'message', operation: 'sendText' };
	expect(await listed('channelId', 'searchChannels', sendText, 'Host')).toEqual([
		expect.objectContaining({
			name: 'Host Test (Official chat app, not connected)',
			value: created.id,
		}),
	]);
	expect(await listed('channelId', 'searchChannels', sendText)).toContainEqual(
		expect.objectContaining({
			name: `${DEMO_CHANNEL_NAME} (${DEMO_BUSINESS_NUMBER}, Official chat app)`,
			value: DEMO_CHANNEL_ID,
		}),
	);
});

test('Message: Send Text sends one message per item, in order, and the error output gets a failed one, with the reason and its input', async () => {
	const from = '5511912340000';
	const sendText = {
		...{ resource: 'message', operation: 'sendText', channelId, options: {} },
		...{ recipient: '={{ $json.to }}', text: '={{ $json.text }}' },
	};
	const message = { channelId: DEMO_CHANNEL_ID, from, name: 'Dora', text: 'Hello' };
	await host.sandbox.customerWrites(message);
	const [late, ...inTime] = ['Too late', 'One', 'Two', 'Three'].map((text, index) => ({
		...{ to: index === 0 ? '5511900000099' : from, text },
	}));
	const { items, execution } = await host.runAction(sendText, {
		items: [late!, ...inTime],
		settings: { onError: 'continueErrorOutput' },
	});
	expect(execution.status).toBe('success');
	const sentTo = { channelId: DEMO_CHANNEL_ID, recipient: from };
	expect(items).toEqual(inTime.map(() => ({ messageId: ID, ...sentTo })));
	const sent = (await host.sandbox.messages(DEMO_CHANNEL_ID)).filter(
		({ customer, direction }) => customer === from && direction === 'out',
	);
	expect(sent.map(({ id }) => id)).toEqual(items.map(({ messageId }) => messageId));
	expect(sent.map(({ content }) => JSON.stringify(content))).toEqual(
		inTime.map(({ text }) => expect.stringContaining(text) as string),
	);
	const failed = execution.resultData.runData.Action?.[0]?.data?.main[1]?.map(({ json }) => json);
	const reason = expect.stringMatching(/24.hour/) as string;
	expect(failed).toEqual([
		{
			...{ ...late, ...sentTo, recipient: late!.to, error: reason, message: reason },
			details: expect.objectContaining({ reason: 'window_closed' }) as object,
		},
	]);
});
