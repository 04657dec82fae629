/** What the sandbox refuses of a template. test/core/templateModels.test.mts has what it takes. */
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { templateContent } from './helpers.mts';
import { body, button, mpm, NAMED, text, withButton } from './publishedModels.mts';

const sandbox = testSandbox();

const make = async (components: object[]) =>
	await sandbox.control('/message-templates', {
		body: { name: 'sample', status: 'APPROVED', category: 'UTILITY', components },
	});
const send = async (components: object[]) =>
	await sandbox.sendContent<{ error: { errors: Array<{ code: number; description: string }> } }>(
		CUSTOMER,
		templateContent('sample', components),
	);

const ONE = [{ type: 'BODY', text: 'Hello {{1}}' }];
it.each<[string, object[], object[], RegExp]>([
	[
		'a name that the template has not',
		NAMED,
		[body(text('Ana', 'customer_name'), text('7', 'order'))],
		/body of sample: parameter_name "order" is not a variable/,
	],
	[
		'a name twice',
		NAMED,
		[body(text('Ana', 'order_id'), text('7', 'order_id'))],
		/body of sample: parameter_name "order_id" is given twice/,
	],
	['a name for a number', ONE, [body(text('Ana', 'name'))], /"name" is not a variable/],
	[
		'a button of another type',
		withButton('MPM'),
		[body(), button('catalog', 0, mpm(1, 1))],
		/button 1 \(Open\) of sample takes the sub_type mpm/,
	],
	[
		'more than 30 products',
		withButton('MPM'),
		[body(), button('mpm', 0, mpm(10, 4))],
		/button 1 \(Open\) of sample takes at most 30 products in 10 sections/,
	],
])('the sandbox refuses %s', async (_what, template, sent, words) => {
	await make(template);
	const description = expect.stringMatching(words);
	expect((await send(sent)).body.error.errors[0]).toMatchObject({ code: 132012, description });
});

it('values with names go to their variables, whatever their order', async () => {
	await make(NAMED);
	await send([body(text('7', 'order_id'), text('Ana', 'customer_name'))]);
	expect((await sandbox.messages()).at(-1)!.content.text).toBe('Hello Ana, order 7 is here.');
});
