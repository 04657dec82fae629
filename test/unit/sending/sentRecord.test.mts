import { SentRecord } from '../../../nodes/BusinessMessaging/sending/sentRecord.ts';

test('what was accepted is known to the next try, by item and recipient', () => {
	const store = {};
	SentRecord.open(store, 0).recordAccepted(3, 'CHANNEL 5511', 'id-1');
	const next = SentRecord.open(store, 0);
	expect(next.acceptedId(3, 'CHANNEL 5511')).toBe('id-1');
	expect(next.acceptedId(2, 'CHANNEL 5511')).toBeUndefined();
	// A retried execution may bring another recipient at that place.
	expect(next.acceptedId(3, 'CHANNEL 5522')).toBeUndefined();
	expect(next.isUnknown(3, 'CHANNEL 5511')).toBe(false);
});

test('what may have been accepted is known to the next try, by item and recipient', () => {
	const store = {};
	SentRecord.open(store, 0).recordUnknown(3, 'CHANNEL 5511');
	const next = SentRecord.open(store, 0);
	expect(next.isUnknown(3, 'CHANNEL 5511')).toBe(true);
	expect(next.isUnknown(2, 'CHANNEL 5511')).toBe(false);
	expect(next.isUnknown(3, 'CHANNEL 5522')).toBe(false);
	expect(next.acceptedId(3, 'CHANNEL 5511')).toBeUndefined();
});

test('another run of the node in the same execution has other items', () => {
	const store = {};
	SentRecord.open(store, 0).recordAccepted(0, 'target', 'id-1');
	expect(SentRecord.open(store, 1).acceptedId(0, 'target')).toBeUndefined();
});

test('it is kept with the execution as JSON, and cleared away when the node is done', () => {
	const store = { other: 1 };
	const record = SentRecord.open(store, 0);
	record.recordAccepted(0, 'target', 'id-1');
	const loaded = JSON.parse(JSON.stringify(store)) as Record<string, unknown>;
	expect(SentRecord.open(loaded, 0).acceptedId(0, 'target')).toBe('id-1');
	record.clear();
	expect(store).toEqual({ other: 1 });
	// The record of an execution shows no recipient.
	expect(JSON.stringify(loaded)).not.toContain('target');
});
