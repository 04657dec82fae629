import type { PassedEvent } from '#nodes/delivery/event/message.ts';
import type { Proven } from '#nodes/trigger/prove.ts';
import { withoutRepeated } from '#nodes/trigger/repeated.ts';
import { FakeResponse } from '../../support/fakeResponse.mts';

/** The customer's messages of a delivery whose response has not ended. */
const passed = (...messageIds: string[]) => {
	const context = { getResponseObject: () => new FakeResponse() };
	const delivery = { context, node: ['workflow', 'path'], settings: { deduplicate: true } };
	const events = messageIds.map((messageId) => ({
		...{ item: { messageId }, message: { event: 'MESSAGE_RECEIVED', messageId } },
	}));
	return withoutRepeated(delivery as unknown as Proven, events as unknown as PassedEvent[]);
};

test('a delivery that must come again, because one of its messages is being processed, keeps no other', () => {
	expect(passed('one')).toHaveLength(1);
	expect(passed('other', 'one')).toBe('later');
	expect(passed('other')).toHaveLength(1);
	expect(passed('other')).toBe('later');
});
