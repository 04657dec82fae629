/** What an expression gives for a number, in each number field of both nodes. */
import type { IDataObject, IHookFunctions, INodeProperties } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { readRegistrationSettings } from '#nodes/trigger/triggerSettings.ts';
import { CHANNEL, WEBHOOK } from '../../support/constants.mts';
import { run } from './actionNode.mts';

interface NumberField {
	resource: string;
	operation: string;
	path: string;
	label: string;
}

const { properties } = new BusinessMessaging().description;

/** The number fields within some fields, also in collections. */
const numbersIn = (fields: readonly INodeProperties[], at = ''): Array<[string, string]> =>
	fields.flatMap((field): Array<[string, string]> => {
		const path = `${at}${field.name}`;
		if (field.type === 'number') return [[path, field.displayName]];
		return (field.options ?? []).flatMap((option) =>
			'values' in option
				? numbersIn(option.values, `${path}.${option.name}.`)
				: 'type' in option
					? numbersIn([option], `${path}.`)
					: [],
		);
	});

const FIELDS: NumberField[] = properties.flatMap(({ displayOptions, ...field }) => {
	const { resource = [], operation = [], '@tool': tool = [] } = displayOptions?.show ?? {};
	if (tool.includes(true)) return [];
	return numbersIn([field]).flatMap(([path, label]) =>
		resource.flatMap((of) =>
			operation.map((one) => ({ resource: String(of), operation: String(one), path, label })),
		),
	);
});

/** Whatever an operation needs beside the number. */
const FILLED = {
	...{ channelId: CHANNEL, webhookId: WEBHOOK, businessId: '1', templateId: '2' },
	...{ recipient: '5511999990000', text: 'Hi', mediaType: 'image', attachments: [] },
	...{ mediaUrl: 'https://example.com/a.png', replyButtons: { values: [{ title: 'Yes' }] } },
	...{ contactName: 'Bo', contactPhones: ['5511999990001'], outputFieldPrefix: 'a_' },
	...{ template: { __rl: true, mode: 'name', value: 'hi' }, languageCode: 'en_US' },
	...{ content: { type: 'POLL' }, message: 'Well?', whenAnotherWaits: 'queue' },
	...{ askIn: 'chat', responseType: 'replyInChat', name: 'hi', language: 'en_US' },
	...{ category: 'UTILITY', definition: 'library', libraryTemplate: 'hi' },
};

/** The fields with a value at a path. */
function filledWith({ resource, operation, path }: NumberField, value: unknown) {
	const [name = '', ...within] = path.split('.');
	const nested = within.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
	return { ...FILLED, resource, operation, [name]: nested };
}

const NOTHING = [undefined, null, '', ' '];
const NO_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, [5], [], {}, true, 'many'];
/** A reading changes nothing. */
const isChange = ({ method }: { method: string }) => method !== 'GET';

test('the action node has number fields of these names', () => {
	const labels = new Set(FIELDS.map(({ label }) => label));
	expect([...labels].sort()).toEqual([
		...['Amount', 'Ask Again At Most', 'Code Expiration (Minutes)', 'Limit', 'Max Concurrency'],
		...['Max Length', 'Max Size (MB)', 'Max Time in Queue', 'Max per Second'],
		...['Message Lifetime (Seconds)', 'Send Once Memory', 'Timeout (Milliseconds)'],
	]);
});

test.each(FIELDS)(
	'$resource $operation $path: refuses what is no number by its name, and changes nothing',
	async (field) => {
		const answer = jest.fn(() => ({ statusCode: 404, body: {} }));
		const sent = (given: unknown) =>
			run(
				filledWith(field, () => given),
				{ answer },
			);
		for (const nothing of NOTHING)
			await expect(sent(nothing)).rejects.toThrow(
				new RegExp(`"${field.label.replace(/[()]/g, '.')}".* is empty, because its expression`),
			);
		for (const other of NO_NUMBERS) await expect(sent(other)).rejects.toThrow(`"${field.label}"`);
		expect(answer.mock.calls.flat().filter((request) => isChange(request))).toEqual([]);
		// Emptied in the editor, it has its default.
		for (const empty of ['', null]) {
			const error: unknown = await run(filledWith(field, empty), { answer }).catch(
				(reason: unknown) => reason,
			);
			expect(String(error)).not.toContain(field.label);
		}
	},
);

describe('the trigger', () => {
	const numbers = numbersIn(new BusinessMessagingTrigger().description.properties);
	const publish = (path: string, value: unknown, entered: unknown) => {
		const at = (inner: unknown) =>
			path.split('.').reduceRight<unknown>((within, name) => ({ [name]: within }), inner);
		const given = { grouping: 'customer', ...Object(at(value)) } as IDataObject;
		return readRegistrationSettings({
			getNodeParameter: (field: string, fallback: unknown) =>
				({ channelId: CHANNEL, channelEvents: ['BLOCK'], ...given })[field] ?? fallback,
			getNode: () => ({ parameters: at(entered) }),
		} as unknown as IHookFunctions);
	};

	test('has number fields of these names', () => {
		expect(numbers.map(([path]) => path).sort()).toEqual([
			...['options.ignoreOlderThan', 'options.longestWait', 'options.mostEvents'],
			...['options.mostWaiting', 'options.personLimit.limit.executions'],
			...['options.personLimit.limit.minutes', 'options.timestampTolerance', 'quietTime'],
		]);
	});

	test.each(numbers)(
		'does not publish with %s of an expression that finds nothing',
		(path, label) => {
			for (const nothing of NOTHING)
				expect(() => publish(path, nothing, '={{ $vars.nothing }}')).toThrow(
					`"${label}" is empty, because its expression finds nothing.`,
				);
			for (const other of NO_NUMBERS)
				expect(() => publish(path, other, '={{ $vars.odd }}')).toThrow(/is not a number/);
			for (const empty of ['', null]) expect(() => publish(path, empty, empty)).not.toThrow();
			expect(() => publish(path, '7', '={{ $vars.seven }}')).not.toThrow();
		},
	);
});
