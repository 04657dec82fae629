import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import type { ServiceClient } from '#nodes/service/client.ts';
import { nameFormer } from '#nodes/trigger/registration/warnings.ts';
import {
	addFormer,
	clearState,
	readFormer,
	readState,
	writeFormer,
	writeState,
} from '#nodes/trigger/registration/state.ts';

const webhookId = 'A'.repeat(32);
const proofs = { secret: 'secret', secretVersion: 'version', tokenHash: 'hash' };
const webhookUrl = 'https://n8n.example/webhook/1';
const webhook = { id: webhookId, url: webhookUrl, ...proofs };
const stored = { webhookId, webhookUrl, ...proofs, channelId: 'C1' };
const ofChannel = { kind: 'channel', channelId: 'C1' } as const;
const ofTemplate = { kind: 'template' } as const;

test('reads what it wrote, and writes nothing else', () => {
	const data: IDataObject = {};
	writeState(data, webhook, ofChannel);
	expect(data).toStrictEqual(stored);
	expect(readState(data)).toStrictEqual({ webhook, owner: ofChannel });
});

test('does not write unknown values, and removes earlier ones', () => {
	const data: IDataObject = { ...stored, ofSomebodyElse: 1 };
	writeState(data, { id: 'B' }, ofTemplate);
	expect(data).toStrictEqual({ webhookId: 'B', ofSomebodyElse: 1 });
	expect(readState(data)).toStrictEqual({ webhook: { id: 'B' }, owner: ofTemplate });
});

test.each([{}, { webhookId: '' }, { webhookId: 7 }])('%j holds no webhook', (data) => {
	expect(readState(data)).toBeUndefined();
});

test.each([7, null, {}])('reads only texts, and no empty secret: %j', (odd) => {
	const names = Object.keys(stored);
	const data = { ...Object.fromEntries(names.map((name) => [name, odd])), webhookId };
	const bare = { webhook: { id: webhookId }, owner: ofTemplate };
	expect(readState(data as IDataObject)).toStrictEqual(bare);
	expect(readState({ webhookId, secret: '' })).toStrictEqual(bare);
});

test('clears everything of its own and nothing else, because n8n stores what changed', () => {
	const data: IDataObject = { ...stored, ofSomebodyElse: 1 };
	clearState(data);
	expect(data).toStrictEqual({ ofSomebodyElse: 1 });
});

test('remembers the five latest former webhooks beside its own, each once', () => {
	const data: IDataObject = { ...stored };
	const formerOf = (id: number) => ({
		id: `F${id}`,
		url: `https://n${id}.example`,
		owner: ofChannel,
	});
	for (const id of [1, 2, 3, 4, 5, 6, 3]) addFormer(data, formerOf(id));
	expect(readFormer(data)).toEqual([2, 4, 5, 6, 3].map(formerOf));
	const former = { id: 'T', url: 'https://t.example', owner: ofTemplate };
	addFormer(data, former);
	expect(readFormer(data).at(-1)).toEqual(former);
	clearState(data);
	expect(Object.keys(data)).toEqual(['formerWebhooks']);
	writeFormer(data, []);
	expect(data).toEqual({});
	for (const formerWebhooks of ['x', 7, null, [null, 'x', { id: 'A' }, { id: 1, url: 'u' }]])
		expect(readFormer({ formerWebhooks })).toEqual([]);
});

test.each([true, false])(
	'forgets former webhooks that are gone, if its state is the newest: %s',
	async (mayStore) => {
		const data: IDataObject = {};
		const left = { id: 'L', url: 'https://l.example' };
		for (const former of [left, { id: 'G', url: 'https://g.example' }])
			addFormer(data, { ...former, owner: ofChannel });
		const warn = jest.fn();
		const context = {
			getActivationMode: () => 'activate',
			getWorkflowStaticData: () => data,
			...{ getNode: () => ({ name: 'a' }), getWorkflow: () => ({}), logger: { warn } },
		} as unknown as IHookFunctions;
		const client = { request: async () => [left] } as unknown as ServiceClient;
		await nameFormer(context, client, webhookUrl, mayStore);
		expect(readFormer(data).map(({ id }) => id)).toEqual(mayStore ? ['L'] : ['L', 'G']);
		expect(warn).toHaveBeenCalledTimes(1);
	},
);
