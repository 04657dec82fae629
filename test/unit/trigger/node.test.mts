/** What n8n reads of the trigger before it runs. */
import { runInNewContext } from 'node:vm';

import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';

/** Each test makes its own, so that the mutation tester knows which test reads what. */
let node: BusinessMessagingTrigger;
beforeEach(() => {
	node = new BusinessMessagingTrigger();
});

test("keeps its webhook's path, and responds once the execution is stored", () => {
	expect(node.description.webhooks).toEqual([
		{
			name: 'default',
			httpMethod: 'POST',
			path: 'webhook',
			responseMode: 'onReceived',
			ndvHideUrl: '={{ $parameter["registration"] !== "manual" }}',
		},
	]);
});

test('speaks of grouping in the output only where the trigger can group', () => {
	const [hint] = node.description.hints ?? [];
	const expression = /^={{(.*)}}$/.exec(String(hint?.displayCondition))?.[1] ?? '';
	const isShown = ($parameter: object): unknown => runInNewContext(expression, { $parameter });
	expect(isShown({ source: 'channel', grouping: 'customer' })).toBe(true);
	expect(isShown({ source: 'channel', grouping: 'none' })).toBe(false);
	expect(isShown({ source: 'template' })).toBe(false);
});

test('says how a test event of a template comes, too', () => {
	const { eventTriggerDescription, triggerPanel } = node.description;
	expect(eventTriggerDescription).toMatch(/write to the channel.* template/);
	expect(triggerPanel).toMatchObject({ header: eventTriggerDescription });
});
