/** What n8n reads of the trigger before it runs. */
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';

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

test('gives n8n the functions that register its webhook, and the list of channels', () => {
	expect(Object.keys(node.webhookMethods.default)).toEqual(['checkExists', 'create', 'delete']);
	expect(Object.keys(node.methods.listSearch)).toEqual(['searchChannels']);
});

test('tells users in words what happens when they test or publish', () => {
	const { description, eventTriggerDescription, activationMessage, triggerPanel, builderHint } =
		node.description;
	const panel = typeof triggerPanel === 'object' ? triggerPanel : undefined;
	const help = panel?.executionsHelp;
	const texts = [
		description,
		eventTriggerDescription,
		activationMessage,
		panel?.header,
		panel?.activationHint,
		...(typeof help === 'object' ? [help.active, help.inactive] : []),
		builderHint?.searchHint,
	];
	expect(texts).toHaveLength(8);
	for (const text of texts) expect(text).toMatch(/^\S+ .+\w{3}/);
	expect(builderHint?.relatedNodes).toEqual([
		{
			nodeType: 'n8n-nodes-business-messaging.businessMessaging',
			relationHint: expect.stringMatching(/^\w+/) as string,
		},
	]);
});
