/** What the editor shows of the nodes, by n8n's own rules of what is shown when. */
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '../../../nodes/BusinessMessaging/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '../../../nodes/BusinessMessaging/BusinessMessagingTrigger.node.ts';

const action: INodeType = new BusinessMessaging();
const trigger: INodeType = new BusinessMessagingTrigger();

/** The fields that stand open with these values, in their order. */
function shown({ description }: INodeType, entered: INodeParameters): INodeProperties[] {
	const node = { typeVersion: 1.1 };
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		entered,
		true,
		false,
		node,
		description,
	);
	return description.properties.filter((field) =>
		NodeHelpers.displayParameter({ ...values, ...entered }, field, node, description),
	);
}

const namesOf = (fields: readonly INodeProperties[]) => fields.map(({ name }) => name);
const boxes = (node: INodeType, entered: INodeParameters) =>
	shown(node, entered).filter(({ type }) => type === 'notice');

const SENDING = [
	'sendText',
	'sendMedia',
	'sendButtons',
	'sendTemplate',
	'sendContact',
	'sendOther',
];
const CHAT = { approvalOptions: { values: { askIn: 'chat' } } };
const asks = (responseType: string, more: INodeParameters = {}) => ({
	resource: 'message',
	operation: 'sendAndWait',
	responseType,
	...more,
});

describe('one box', () => {
	it.each(SENDING)('below the recipient, with a sentence for each matter: %s', (operation) => {
		const names = namesOf(shown(action, { resource: 'message', operation }));
		expect(names.slice(2, 5)).toEqual(['channelId', 'recipient', 'windowNotice']);
		const [box, ...others] = boxes(action, { resource: 'message', operation });
		expect(others).toEqual([]);
		// One about whom to enter, and one about what can be sent.
		expect(box?.displayName).toMatch(
			/^To answer.* sender\.identifier, [^.]+\. [^.]*24 hours[^.]*\.$/,
		);
	});

	it.each([
		['a link', asks('approval'), false],
		['the chat', asks('approval', CHAT), true],
		['a page', asks('freeText', CHAT), false],
		['a form', asks('customForm', CHAT), false],
		['a reply in the chat', asks('replyInChat'), true],
	])(
		'for a question by %s: about the 24 hours, and the role only where it counts',
		(_by, entered, needsRole) => {
			const [box, ...others] = boxes(action, entered);
			expect(others).toEqual([]);
			expect(box?.displayName).toMatch(/^To answer.* sender\.identifier, .*last 24 hours/);
			const names = namesOf(shown(action, entered));
			expect(names.indexOf(box?.name ?? '')).toBe(names.indexOf('recipient') + 1);
			expect(box?.displayName.includes('ENTERPRISE')).toBe(needsRole);
		},
	);

	it.each([
		['a channel', {}, /ENTERPRISE role$/],
		['frequent events', { channelEvents: ['MESSAGE_STATUS'] }, /ENTERPRISE role\. Each message/],
		['templates', { source: 'template' }, /ENTERPRISE role\. .*5 minutes\.$/],
		['by hand', { registration: 'manual' }, /^Before you publish/],
		[
			'by hand, frequent events',
			{ registration: 'manual', channelEvents: ['MESSAGE_STATUS'] },
			/^Before you publish/,
		],
		['by hand, templates', { registration: 'manual', source: 'template' }, /^Before you publish/],
	])('at the trigger: %s', (_what, entered, words) => {
		expect(boxes(trigger, entered).map(({ displayName }) => displayName)).toEqual([
			expect.stringMatching(words),
		]);
	});

	it.each(['getAll', 'create', 'update', 'delete'])('at webhooks: %s', (operation) => {
		for (const resource of ['webhook', 'templateWebhook']) {
			const [box, ...others] = boxes(action, { resource, operation });
			expect(others).toEqual([]);
			expect(box?.displayName).toMatch(/ENTERPRISE role$/);
		}
	});
});

describe('what few need stands last, above the options', () => {
	it('the registration', () => {
		expect(namesOf(shown(trigger, {}))).toEqual([
			'source',
			'channelId',
			'channelEvents',
			'roleNotice',
			'output',
			'grouping',
			'registration',
			'options',
		]);
	});

	it.each([asks('approval'), asks('replyInChat')])('another question that waits: %j', (entered) => {
		expect(namesOf(shown(action, entered)).slice(-2)).toEqual(['whenAnotherWaits', 'options']);
	});
});

test('every event has its code in its description, and no two the same name', () => {
	for (const name of ['channelEvents', 'templateEvents']) {
		const options = trigger.description.properties.find((field) => field.name === name)?.options;
		const events = (options ?? []) as Array<{ name: string; value: string; description: string }>;
		expect(events.length).toBeGreaterThan(1);
		for (const { value, description } of events) expect(description).toContain(`(${value})`);
		expect(new Set(events.map((event) => event.name)).size).toBe(events.length);
	}
});

test('the statuses are a list, which takes others, too', () => {
	const options = trigger.description.properties.find(({ name }) => name === 'options');
	const statuses = (options?.options as INodeProperties[]).find(({ name }) => name === 'statuses');
	expect(statuses).toMatchObject({ type: 'multiOptions', allowArbitraryValues: true });
	expect(statuses?.options).toContainEqual({ name: 'Read', value: 'READ', description: 'READ' });
});
