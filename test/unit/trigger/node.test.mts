/** What n8n reads of the trigger before it runs. */
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
