/** The panels' order, and nodes saved before it: n8n drops a value that it finds no field for. */
import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';

const { description: action } = new BusinessMessaging();
const { description: trigger } = new BusinessMessagingTrigger();
const byMode = (mode: string, value: string) => ({ __rl: true, mode, value });
const toAna = { channelId: byMode('id', '0'.repeat(32)), recipient: '={{ $json.key }}' };
const template = byMode('name', 'order');
const instead = { whenWindowClosed: 'sendTemplate', fallbackTemplate: template };
const fallback = { ...instead, fallbackAdditionalComponents: '[{"type": "header"}]' };
const ofTemplate = { resource: 'template', businessId: byMode('id', '1'), name: 'order' };
const examples = { variableExamples: { values: [{ name: '1', example: 'Ana' }] } };
const byHand = { channelId: toAna.channelId, registration: 'manual', grouping: 'customer' };
const bounds = { mostEvents: 7, longestWait: 6, mostWaiting: 5, signatureScheme: 'bodyOnly' };
const asking = { ...toAna, askIn: 'chat', message: 'May we?', approvers: ['@ana'], ...fallback };

test.each<[string, INodeParameters]>([
	['sendTemplate', { ...toAna, template, languageCode: 'pt_BR', additionalComponents: '[{}]' }],
	['sendMedia', { ...toAna, mediaUrl: 'https://a.example/b.png', ...fallback }],
	['sendAndWait', { ...asking, whenAnotherWaits: 'queue', options: { queueMinutes: 5 } }],
	['create', { resource: 'channel', name: 'Shop', type: byMode('id', 'OFFICIAL_CHATAPP') }],
	['create', { ...ofTemplate, body: '=Hi {{1}}.', ...examples }],
	['', { ...byHand, channelEvents: ['RECEIVED_AND_DELIVERY'], options: bounds }],
	['', { ...byHand, channelEvents: ['RECEIVED_STATUS'], options: { senders: ['@ana'] } }],
])('a node that was saved keeps every value: %s %j', (operation, values) => {
	const [type, saved] = operation ? [action, { operation, ...values }] : [trigger, values];
	const node = { id: '1', name: 'Node', type: type.name, typeVersion: 2, parameters: saved };
	const args = [type.properties, saved, false, false, node, type] as const;
	expect(NodeHelpers.getNodeParameters(...args)).toEqual(saved);
});

const namesOf = (fields: object[] = []) => (fields as INodeProperties[]).map(({ name }) => name);
const shownFor = (operation: string) =>
	action.properties.filter((field) => field.displayOptions?.show?.operation?.includes(operation));
const optionsOf = (field: string) => trigger.properties.find(({ name }) => name === field)?.options;

test.each<[string, object[] | undefined, string[]]>([
	['Send Template', shownFor('sendTemplate'), ['options', 'additionalComponents']],
	['Send Media', shownFor('sendMedia'), ['options', 'fallbackAdditionalComponents']],
	['a trigger', trigger.properties, ['options', 'registration', 'manualNotice']],
	['its options', optionsOf('options'), ['mostEvents', 'longestWait', 'mostWaiting']],
])('what few need comes last in %s', (_, fields, last) => {
	expect(namesOf(fields).slice(-last.length)).toEqual(last);
});

test.each<[shown: boolean, grouping: string, chatFields: boolean]>([
	[true, 'arrival', true],
	[false, 'arrival', false],
	[false, 'customer', true],
])(
	'the notice of a shared memory is shown: %s, with grouping %s',
	(shown, grouping, chatFields) => {
		const field = trigger.properties.find(({ name }) => name === 'sharedMemoryNotice')!;
		const parameters = { source: 'channel', grouping, options: { chatFields } };
		const node = { typeVersion: 2 };
		expect(NodeHelpers.displayParameter(parameters, field, node, trigger)).toBe(shown);
		expect(field.displayName).toMatch(/Simple Memory takes the first item's key/);
	},
);

test('a trigger offers no event that is two others in one', () => {
	expect(namesOf(optionsOf('channelEvents'))).toHaveLength(8);
	expect(namesOf(optionsOf('channelEvents')).join()).not.toMatch(/Any Message|or Status/);
});
