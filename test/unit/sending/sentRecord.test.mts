import { createEmptyRunExecutionData, NodeHelpers } from 'n8n-workflow';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { SentRecord, sentRecordOf } from '#nodes/sending/sentRecord.ts';

test('the next try knows what was accepted, and what may have been, by item and recipient', () => {
	const store = {};
	const record = SentRecord.open(store, 0);
	record.recordAccepted(3, 'CHANNEL 5511', 'id-1');
	record.recordUnknown(4, 'CHANNEL 5511');
	const next = SentRecord.open(store, 0);
	// A retry can bring another recipient at that index.
	const places = [3, 4, 2].flatMap((key) => [`${key} 5511`, `${key} 5522`]);
	const known = (look: (key: number, target: string) => unknown) =>
		places.filter((place) => look(Number(place[0]), `CHANNEL ${place.slice(2)}`));
	expect(known((...place) => next.acceptedId(...place))).toEqual(['3 5511']);
	expect(next.acceptedId(3, 'CHANNEL 5511')).toBe('id-1');
	expect(known((...place) => next.isUnknown(...place))).toEqual(['4 5511']);
});

test('the next try knows whose fallback was accepted', () => {
	const store = {};
	const record = SentRecord.open(store, 0);
	record.recordAccepted(1, 'CHANNEL 5511', 'id-1');
	record.recordReplaced(2, 'CHANNEL 5511', 'id-2');
	record.recordReplaced(3, 'CHANNEL 5511', 'id-3');
	const loaded = JSON.parse(JSON.stringify(store)) as Record<string, unknown>;
	const next = SentRecord.open(loaded, 0);
	expect(next.acceptedId(2, 'CHANNEL 5511')).toBe('id-2');
	expect([1, 2, 3].map((key) => next.isReplaced(key))).toEqual([false, true, true]);
	// A retry can bring another recipient at that index, whose window is open.
	next.recordAccepted(3, 'CHANNEL 5522', 'id-4');
	expect(next.isReplaced(3)).toBe(false);
});

test('the record is stored with the execution as JSON, and cleared when the node is done', () => {
	const store = { other: 1 };
	const record = SentRecord.open(store, 0);
	record.recordAccepted(0, 'target', 'id-1');
	const loaded = JSON.parse(JSON.stringify(store)) as Record<string, unknown>;
	expect(SentRecord.open(loaded, 0).acceptedId(0, 'target')).toBe('id-1');
	record.clear();
	expect(store).toEqual({ other: 1 });
	// The record does not show the recipient.
	expect(JSON.stringify(loaded)).not.toContain('target');
});

test("n8n's own agents use the node as a tool, and keep nothing from call to call", () => {
	const node = { name: 'Send' } as INode;
	const getContext = () => NodeHelpers.getContext(createEmptyRunExecutionData(), 'node', node);
	const contextOf = (call: object[]) =>
		({
			...{ getContext, evaluateExpression: () => 0 },
			getInputData: () => call,
		}) as unknown as IExecuteFunctions;
	// n8n hands the same arguments to all tries of a call of the MCP Server Trigger, and no others.
	const call = [{ json: { text: 'hello' } }];
	const known = [[], [], call, structuredClone(call), call].map((given) => {
		const record = sentRecordOf(contextOf(given));
		const id = record.acceptedId(0, 'target');
		record.recordAccepted(0, 'target', 'id-1');
		record.fail();
		return id;
	});
	expect(known).toEqual([undefined, undefined, undefined, undefined, 'id-1']);
	// Two equal calls side by side, of which one is in doubt and the other was refused.
	const equal = () => [{ json: { text: 'twice' } }];
	const ofExecution = {};
	const recordOf = () =>
		sentRecordOf({
			...contextOf(equal()),
			getContext: () => ofExecution,
		});
	const [doubtful, refused] = [recordOf(), recordOf()];
	doubtful.recordUnknown(0, 'target');
	for (const record of [doubtful, refused]) record.fail();
	const tries = [recordOf(), recordOf()];
	expect(tries.map((record) => record.isUnknown(0, 'target'))).toEqual([true, true]);
	// Without the record, a retry would send again.
	const broken = {
		getContext: () => {
			throw new Error('a broken n8n');
		},
	} as unknown as IExecuteFunctions;
	expect(() => sentRecordOf(broken)).toThrow('a broken n8n');
});
