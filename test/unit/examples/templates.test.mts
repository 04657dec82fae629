/** What *Template From Draft to Broadcast* does not do. */
import { evaluate, nodeOf } from './evaluate.mts';

test('a draft whose name another template has does not start a broadcast of that one', () => {
	const { conditions } = nodeOf('template-from-draft-to-broadcast', 'Find the Draft').parameters
		.filters as { conditions: unknown[] };
	expect(conditions).toContainEqual({ keyName: 'status', condition: 'neq', keyValue: 'REFUSED' });
});

test('a colleague whose window is closed reads which template it is, and what is with it', () => {
	const { parameters } = nodeOf('template-from-draft-to-broadcast', 'Tell a Colleague');
	const given = parameters.fallbackBodyParameters as string[];
	expect(given.map((one) => evaluate(one, { name: 'summer_sale' }))).toEqual([
		'summer_sale',
		'a rejected template',
	]);
});

test.each([
	['Hello {{1}}', '["Ana \\"A\\""]'],
	['Hello', '[]'],
])('a draft with the text %p leaves with the variables %s', (body, fields) => {
	const { columns } = nodeOf('template-from-draft-to-broadcast', 'Put Into the Outbox').parameters;
	const { value } = columns as { value: Record<string, string> };
	const draft = { 'Mark the Row': { name: 'sale', templateId: 'T1', language: 'en_US', body } };
	const row = Object.entries(value).map(([field, one]) => [
		field,
		evaluate(one, { customer: '1', name: 'Ana "A"' }, draft),
	]);
	expect(Object.fromEntries(row)).toEqual({
		...{ list: 'sale T1', customer: '1', text: '', state: 'to send' },
		...{ template: 'sale', language: 'en_US', fields },
	});
});
