import type { IDataObject } from 'n8n-workflow';

import {
	addFormer,
	clearState,
	readFormer,
	readState,
	writeFormer,
	writeState,
} from '../../../../nodes/BusinessMessaging/trigger/registration/state.ts';

const webhook = {
	id: 'A'.repeat(32),
	url: 'https://n8n.example/webhook/1',
	secret: 'secret',
	secretVersion: 'version',
	tokenHash: 'hash',
};
const stored = {
	webhookId: webhook.id,
	webhookUrl: webhook.url,
	secret: 'secret',
	secretVersion: 'version',
	tokenHash: 'hash',
	channelId: 'C1',
};
const ofChannel = { kind: 'channel', channelId: 'C1' } as const;

test('reads what it wrote, and writes nothing else', () => {
	const data: IDataObject = {};
	writeState(data, webhook, ofChannel);
	expect(data).toStrictEqual(stored);
	expect(readState(data)).toStrictEqual({ webhook, owner: ofChannel });
});

test('does not write unknown values, and removes earlier ones', () => {
	const data: IDataObject = { ...stored, ofSomebodyElse: 1 };
	writeState(data, { id: 'B'.repeat(32) }, { kind: 'template' });
	expect(data).toStrictEqual({ webhookId: 'B'.repeat(32), ofSomebodyElse: 1 });
	expect(readState(data)).toStrictEqual({
		webhook: { id: 'B'.repeat(32) },
		owner: { kind: 'template' },
	});
});

test.each([{}, { webhookId: '' }, { webhookId: 7 }])('%j holds no webhook', (data) => {
	expect(readState(data)).toBeUndefined();
});

test('reads only texts, and no empty secret', () => {
	const webhookId = webhook.id;
	for (const odd of [7, null, {}] as const)
		expect(
			readState({
				webhookId,
				webhookUrl: odd,
				secret: odd,
				secretVersion: odd,
				tokenHash: odd,
				channelId: odd,
			}),
		).toStrictEqual({ webhook: { id: webhookId }, owner: { kind: 'template' } });
	expect(readState({ webhookId, secret: '' })?.webhook).toStrictEqual({ id: webhookId });
});

test('clears everything of its own and nothing else, because n8n stores what changed', () => {
	const data: IDataObject = { ...stored, ofSomebodyElse: 1 };
	clearState(data);
	expect(data).toStrictEqual({ ofSomebodyElse: 1 });
	const deleted: PropertyKey[] = [];
	clearState(
		new Proxy<IDataObject>(
			{ secret: 'secret' },
			{
				deleteProperty: (target, name) =>
					deleted.push(name) > 0 && Reflect.deleteProperty(target, name),
			},
		),
	);
	expect(deleted).toEqual(['secret']);
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
	addFormer(data, { id: 'T', url: 'https://t.example', owner: { kind: 'template' } });
	expect(readFormer(data).at(-1)).toEqual({
		id: 'T',
		url: 'https://t.example',
		owner: { kind: 'template' },
	});
	clearState(data);
	expect(Object.keys(data)).toEqual(['formerWebhooks']);
	writeFormer(data, []);
	expect(data).toEqual({});
	for (const formerWebhooks of ['x', 7, null, [null, 'x', { id: 'A' }, { id: 1, url: 'u' }]])
		expect(readFormer({ formerWebhooks })).toEqual([]);
});
