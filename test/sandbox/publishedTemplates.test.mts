/** Every request and answer of a template that the service's pages show, with made-up values. */
import {
	businessesSchema,
	sendRequestSchema,
	templatePageSchema,
} from '../../nodes/BusinessMessaging/service/contract';
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import {
	body,
	button,
	mpm,
	NAMED,
	PUBLISHED_MODELS,
	text,
	withButton,
} from './publishedModels.mts';

const sandbox = testSandbox();

const language = { policy: 'deterministic', code: 'en_US' };
const requestOf = (components: object[]) => ({
	recipient: { identifier: CUSTOMER },
	content: {
		type: 'TEMPLATE',
		attachments: [{ template: { name: 'sample', language, components } }],
	},
});
const make = async (components: object[], category = 'UTILITY') =>
	await sandbox.control('/message-templates', {
		body: { name: 'sample', status: 'APPROVED', category, components },
	});
const send = async (components: object[]) =>
	await sandbox.sendContent<{ error: { errors: Array<{ code: number; description: string }> } }>(
		CUSTOMER,
		requestOf(components).content,
	);

it.each(Object.entries(PUBLISHED_MODELS))(
	'a request with %s passes the schema and the sandbox',
	async (_what, { template, sent, category }) => {
		expect(sendRequestSchema.safeParse(requestOf(sent))).toMatchObject({ success: true });
		await make(template, category);
		expect(await send(sent)).toMatchObject({
			status: 200,
			body: { messageId: expect.any(String) },
		});
	},
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
	const { messages } = await sandbox.control<{ messages: Array<{ content: { text: string } }> }>(
		'/messages',
	);
	expect(messages.at(-1)!.content.text).toBe('Hello Ana, order 7 is here.');
});

it("the sandbox's list holds what was made of every kind", async () => {
	const [business] = businessesSchema.parse((await sandbox.call('/chatapp/businesses')).body);
	for (const [index, { template, category }] of Object.values(PUBLISHED_MODELS).entries())
		await sandbox.control('/message-templates', {
			body: {
				...{ name: `t${index}`, status: 'APPROVED', category: category ?? 'UTILITY' },
				components: template,
			},
		});
	const path = `/chatapp/businesses/${business!.businessId}/templates?limit=100`;
	const { data } = templatePageSchema.parse((await sandbox.call(path)).body);
	// A file has a link there.
	const listed = JSON.stringify(data.filter(({ name }) => /^t\d+$/.test(name)));
	expect(JSON.parse(listed.replaceAll('https://files.chatapp.example/4%3Aa', '4:a'))).toMatchObject(
		Object.values(PUBLISHED_MODELS).map(({ template }) => ({ components: template })),
	);
});
