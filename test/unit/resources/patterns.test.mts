/** What the nodes leave to n8n to check before each execution. */
import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';

// n8n 2 gives a pattern 250 ms by the clock and then ends the execution, so any pattern can fail on
// a busy machine.
it.each([
	['action', new BusinessMessaging()],
	['trigger', new BusinessMessagingTrigger()],
])('the %s node gives n8n no pattern to try', (_name, { description }) => {
	const locators = JSON.stringify(description.properties).match(/"type":"resourceLocator"/g) ?? [];
	expect(locators.length).toBeGreaterThan(0);
	const seen: string[] = [];
	JSON.stringify(description.properties, (key, value: unknown) => {
		if (key === 'regex' || key === 'validation' || key === 'extractValue')
			seen.push(`${key}: ${JSON.stringify(value)}`);
		return value;
	});
	expect(seen).toEqual([]);
});

it('no field that n8n fills by itself is required, because n8n 2 stores none and then refuses to publish', () => {
	const required = [new BusinessMessaging(), new BusinessMessagingTrigger()]
		.flatMap(({ description }) => description.properties)
		.filter((field) => field.required && typeof field.default === 'string');
	expect(required.length).toBeGreaterThan(10);
	expect(required.filter((field) => field.default !== '')).toEqual([]);
});
