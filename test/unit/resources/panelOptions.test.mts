/** The options of the nodes: which are offered when, and that n8n keeps what is entered there. */
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { action, asks, namesOf, offered, SENDING, trigger, valuesOf } from './panel.mts';

const kept = (type: INodeType, entered: INodeParameters) => valuesOf(type, entered, false);

describe('options', () => {
	it.each(['order-7', '={{ $json.orderId }}'])(
		'how many keys are remembered, only beside a key: %s',
		(sendOnceKey) => {
			for (const operation of [...SENDING, 'sendAndWait']) {
				const entered = { resource: 'message', operation, options: { sendOnceKey } };
				expect(offered(action, entered)).toContain('sendOnceMemory');
				const options = { sendOnceKey, sendOnceMemory: 7 };
				expect(kept(action, { ...entered, options })).toMatchObject({ options });
				const without = { ...entered, options: { sendOnceMemory: 7 } };
				expect(kept(action, without)).not.toHaveProperty('options.sendOnceMemory');
			}
		},
	);

	it('one that is added has its effect at once, and absent it has none', () => {
		const switches = [action, trigger].flatMap(({ description }) =>
			description.properties
				.filter(({ name, type }) => name === 'options' && type === 'collection')
				.flatMap(({ options = [] }) => options)
				.flatMap((option) => ('type' in option && option.type === 'boolean' ? [option] : [])),
		);
		expect(new Set(namesOf(switches))).toEqual(
			new Set([
				...['chatFields', 'deduplicate', 'ignoreReplies', 'includeHeaders'],
				...['tagExecution', 'convertMarkdown', 'tapsCarryIds', 'deleteAllTranslations'],
			]),
		);
		// What cannot be undone takes one click more.
		for (const option of switches)
			expect(option).toMatchObject({ default: option.name !== 'deleteAllTranslations' });
		for (const type of [action, trigger]) expect(valuesOf(type, {}, true).options).toEqual({});
	});

	const BY_LINK = ['messageButtonLabel', 'answeredText'];
	const FOR_FORMS = ['responseFormButtonLabel', 'responseFormDescription', 'responseFormTitle'];
	it.each([
		['link', 'approval', ['limitWaitTime', 'linkAs', 'tellOthers', ...BY_LINK, 'sendOnceKey']],
		['link', 'freeText', ['limitWaitTime', ...FOR_FORMS, ...BY_LINK, 'sendOnceKey']],
		['link', 'customForm', ['limitWaitTime', ...FOR_FORMS, ...BY_LINK, 'sendOnceKey']],
		['chat', 'approval', ['limitWaitTime', 'tapsCarryIds', 'tellOthers', 'sendOnceKey']],
		['chat', 'replyInChat', ['limitWaitTime', 'askAgain', 'askAgainText', 'sendOnceKey']],
	] as const)('of a question, %s: %s', (askIn, responseType, names) => {
		expect(offered(action, asks(askIn, responseType))).toEqual(names);
	});

	it('keep their values when the way to ask is changed', () => {
		const entered = {
			...asks('link', 'approval'),
			approvalOptions: { values: { approvalType: 'double' } },
			options: { tellOthers: 'Done' },
		};
		// Both buttons are the default there, which n8n fills in before it reads or shows the value.
		const inChat = valuesOf(action, { ...entered, askIn: 'chat' }, true);
		expect(inChat).toMatchObject({ approvalOptions: entered.approvalOptions });
		const single = { values: { approvalType: 'single' } };
		expect(kept(action, { ...asks('chat', 'approval'), approvalOptions: single })).toMatchObject({
			approvalOptions: single,
		});
		expect(inChat).toMatchObject({ options: entered.options });
		// The editor empties each collection whose own condition names the field that was changed.
		const wiped = [...action.description.properties, ...trigger.description.properties].filter(
			({ type, displayOptions: { show = {}, hide = {} } = {} }) =>
				['collection', 'fixedCollection'].includes(type) &&
				['askIn', 'grouping', 'whenWindowClosed'].some((name) => name in show || name in hide),
		);
		expect(namesOf(wiped)).toEqual([]);
	});

	it('the fields for agents keep their value, except where the whole body is given', () => {
		const options = { chatFields: true };
		expect(kept(trigger, { options })).toMatchObject({ options });
		expect(offered(trigger, { options: { output: 'raw' } })).not.toContain('chatFields');
	});
});
