import { ACCESS_CODE, listed, NAMED, ORDER } from '../unit/service/template/samples.mts';
import { CUSTOMER, testSandbox } from './deliveryHarness.mts';
import { templateContent, until } from './helpers.mts';

const LINK = 'https://files.example/order.png';

const sandbox = testSandbox();

interface Refused {
	error: { errors: Array<{ code: number; description: string }> };
}
type Template = Pick<ReturnType<typeof listed>, 'category' | 'components'>;

const make = async ({ category, components }: Template, more: object = {}) =>
	await sandbox.control<Record<string, unknown>>('/message-templates', {
		body: { name: 'sample', status: 'APPROVED', category, components, ...more },
	});
const refusal = async (body: object) => {
	const refused = await sandbox.attempt('/message-templates', { name: 'sample', ...body });
	return [refused.status, (refused.body as { error: string }).error] as const;
};
const send = async (...components: object[]) =>
	await sandbox.sendContent<Refused & { messageId: string }>(
		CUSTOMER,
		templateContent('sample', components),
	);
const refused = async (...components: object[]) => {
	const { status, body } = await send(...components);
	const [error] = body.error.errors;
	return [status, error!.code, error!.description];
};
const shown = async () => (await sandbox.messages()).at(-1)!;
const text = (value: string) => ({ type: 'text', text: value });
const body = (...values: string[]) => ({ type: 'body', parameters: values.map(text) });
const header = (...parameters: object[]) => ({ type: 'header', parameters });
const button = (index: number, subType: string, ...parameters: object[]) => ({
	...{ type: 'button', sub_type: subType, index, parameters },
});
const coupon = (code: string) => ({ type: 'coupon_code', coupon_code: code });
const image = (file: object) => ({ type: 'image', image: file });

/** What the template ORDER takes. */
const GOOD = {
	header: header(text('1042')),
	body: body('Ana', '1042'),
	link: button(1, 'url', text('1042?a=b')),
	code: button(3, 'copy_code', coupon('WELCOME10')),
};

it('are shown as the customer sees them: header, body, footer and buttons', async () => {
	const made = await make(ORDER);
	expect(made).toMatchObject({ parameters: 2, parameterFormat: 'POSITIONAL' });
	expect(await send(...Object.values(GOOD))).toMatchObject({ status: 200 });
	expect((await shown()).content).toMatchObject({
		text: 'Order 1042\n\nHello Ana, your order 1042 leaves today.\nThanks, Ana!\n\nThe shop',
		buttons: [{ id: 'Yes', title: 'Yes' }],
		shown: {
			header: { format: 'TEXT', text: 'Order 1042' },
			body: 'Hello Ana, your order 1042 leaves today.\nThanks, Ana!',
			footer: 'The shop',
			buttons: [
				{ name: 'REPLY', id: 'Yes', title: 'Yes' },
				{ name: 'URL', title: 'Track it', url: 'https://shop.example/orders/1042?a=b' },
				{ name: 'CALL', title: 'Call us', phone: '+5511999990000' },
				{ name: 'CODE', title: 'Copy offer code', code: 'WELCOME10' },
			],
		},
	});
});

it('have a text for webhooks, too, and a quick reply comes back as its text', async () => {
	await make(ORDER);
	const sink = await sandbox.listener(['MESSAGE_DELIVERY', 'MESSAGE_RECEIVED']);
	await send(...Object.values(GOOD));
	const { json } = await until('it arrived', () => sink.received[0]);
	const message = expect.stringMatching(/^Order 1042\n\nHello Ana/);
	expect(json).toMatchObject({ message: { contents: [{ message }] } });
	const { id } = await shown();
	await sandbox.control(`/messages/${id}/tap`, { body: { buttonId: 'Yes' } });
	await until('the reply arrived', () =>
		sink.received.some(({ json: event }) => JSON.stringify(event).includes('"from_me":false')),
	);
	expect((await shown()).content).toEqual({ type: 'BUTTON_REPLY', text: 'Yes', id: 'Yes' });
});

it('take named variables by position, in the order of the text', async () => {
	expect(await make(NAMED)).toMatchObject({ parameterFormat: 'NAMED' });
	await send(body('Ana', '10:00'));
	expect((await shown()).content.text).toBe('Hello Ana, see you at 10:00.');
});

it('show an access code, which goes to the body and to the button', async () => {
	await make(ACCESS_CODE);
	expect(await refused(body('123456'))).toEqual([
		...[400, 132000, 'button 1 (Copy code) of sample takes 1, not 0'],
	]);
	const sendCode = (code: string, again = code) => [body(code), button(0, 'url', text(again))];
	const [fits, long] = ['1234567890ABCDE', '1234567890ABCDEF'];
	expect(await send(...sendCode(fits))).toMatchObject({ status: 200 });
	const tooLong = (place: string) => [
		422,
		132018,
		`${place}, value 1: has more than 15 characters`,
	];
	expect(await refused(...sendCode(long))).toEqual(tooLong('body'));
	expect(await refused(...sendCode(fits, long))).toEqual(tooLong('button 1'));
	await send(...sendCode('123456'));
	expect((await shown()).content).toMatchObject({
		text: '*123456* is your verification code. For your security, do not share this code.\n\nThis code expires in 10 minutes.',
		shown: { buttons: [{ name: 'CODE', title: 'Copy code', code: '123456' }] },
	});
});

const withHeader = (format: string) =>
	listed([
		{ type: 'HEADER', format },
		{ type: 'BODY', text: 'Hello' },
	]);

it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])(
	'show a header of format %s by its link',
	async (format) => {
		await make(withHeader(format));
		const type = format.toLowerCase();
		await send(header({ type, [type]: { link: LINK } }), body());
		expect((await shown()).content).toMatchObject({
			...{ text: 'Hello', shown: { header: { format, url: LINK, title: LINK } } },
		});
	},
);

it('need a component for the parts that no value gives, and do not look into it', async () => {
	await make(
		listed([
			{ type: 'HEADER', format: 'LOCATION' },
			{ type: 'BODY', text: 'Hello' },
			{ type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon over' } },
			{ type: 'CAROUSEL', cards: [{ components: [] }, { components: [] }] },
			{ type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book' }] },
		]),
	);
	const location = header({ type: 'location', location: { latitude: 1 } });
	const parts = [
		{ type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer' }] },
		{ type: 'carousel', cards: [] },
	];
	const missing = async (...given: object[]) => (await refused(...given))[2];
	const needs = 'sample needs a component for';
	expect(await missing(body(), ...parts)).toBe(`${needs} the location`);
	expect(await missing(location, body(), parts[0]!)).toBe(`${needs} the cards`);
	expect(await missing(location, body(), ...parts)).toBe(`${needs} button 1 (flow)`);
	expect((await send(location, body(), ...parts, button(0, 'flow'))).status).toBe(200);
	expect((await shown()).content).toMatchObject({
		shown: { others: ['Limited-time offer', 'Cards'] },
	});
});

/** What is sent instead of the good parts; `undefined` leaves one out. */
type Parts = Partial<Record<keyof typeof GOOD | 'more', object | undefined>>;
it.each<[string, Parts, [number, number, RegExp]]>([
	['no header', { header: undefined }, [400, 132000, /^the header of .*1, not 0$/]],
	[
		'a header of another type',
		{ header: header(image({ link: LINK })) },
		[422, 132012, /^the header of sample takes a text$/],
	],
	['no link', { link: undefined }, [400, 132000, /^button 2 \(Track it\).*1, not 0/]],
	['no code', { code: undefined }, [400, 132000, /^button 4 of .*1, not 0/]],
	[
		'a value for a phone number',
		{ more: button(2, 'url', text('x')) },
		[400, 132000, /^button 3 \(Call us\).*0, not 1/],
	],
	[
		'a button that is not there',
		{ more: button(4, 'url', text('x')) },
		[400, 132000, /^sample has no button 5$/],
	],
	[
		'a button of another type',
		{ link: button(1, 'quick_reply', text('x')) },
		[422, 132012, /^button 2 \(Track it\) of sample takes text, with the sub_type url$/],
	],
	[
		'a line break',
		{ body: body('Ana', 'a\nb') },
		[422, 132018, /^body, value 2: has a line break$/],
	],
	['a tab', { body: body('Ana', 'a\tb') }, [422, 132018, /^body, value 2: has a tab$/]],
	[
		'five blanks',
		{ body: body('Ana', 'a     b') },
		[422, 132018, /^body, value 2: has more than 4 blanks in a row$/],
	],
	[
		'two lines in the header',
		{ header: header(text('a\r\nb')) },
		[422, 132018, /^header, value 1/],
	],
	[
		'two lines in a button',
		{ code: button(3, 'copy_code', coupon('a\nb')) },
		[422, 132018, /^button 4, value 1/],
	],
])('refuse %s, and name the component', async (_what, parts, [status, code, what]) => {
	await make(ORDER);
	const components = Object.values({ ...GOOD, ...parts }).filter((part) => part !== undefined);
	expect(await refused(...components)).toEqual([status, code, expect.stringMatching(what)]);
});

it('refuse media without a link or id, and take an id', async () => {
	await make(withHeader('IMAGE'));
	const what = expect.stringContaining('the header of sample');
	for (const file of [{}, { link: '/order.png' }, { link: '' }])
		expect(await refused(header(image(file)), body())).toEqual([422, 132012, what]);
	expect((await send(header(image({ id: '77' })), body())).status).toBe(200);
	const shownHeader = { format: 'IMAGE', title: 'uploaded file 77' };
	expect((await shown()).content).toMatchObject({ shown: { header: shownHeader } });
});

const BODY = { type: 'BODY', text: 'Hello' };
const url = (address: string) => ({
	...{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: address }] },
});
it.each<[object, RegExp]>([
	[{ components: [] }, /components/],
	[{ components: [{ type: 'FOOTER', text: 'x' }] }, /BODY/],
	[{ components: [BODY, BODY] }, /each type once/],
	[{ components: [BODY], body: 'Hello' }, /not both/],
	[{ components: [{ type: 'BODY', add_security_recommendation: true }] }, /AUTHENTICATION/],
	[{ components: [BODY, { type: 'FOOTER', text: '{{1}}' }] }, /components.1.text: takes no/],
	[{ components: [BODY, { type: 'HEADER', format: 'TEXT' }] }, /components.1: a header has a text/],
	[{ components: [BODY, { type: 'HEADER', format: 'TEXT', text: 'a\nb' }] }, /one line/],
	[{ components: [BODY, { type: 'HEADER', format: 'TEXT', text: '{{a}}{{b}}' }] }, /at most one/],
	[{ components: [BODY, url('shop.example')] }, /components.1.buttons.0.url/],
	[{ components: [BODY, url('https://shop.example/{{1}}/x')] }, /at its end/],
	[{ components: [BODY, { type: 'BUTTONS', buttons: [{ type: 'LOST' }] }] }, /buttons.0.type/],
	[{ components: [{ type: 'BODY', text: '{{1}} {{name}}' }] }, /all numbered or all named/],
	[{ body: 'Order {{2}}' }, /body: numbered variables must be/],
])('are refused when made: %j', async (template, message) => {
	expect(await refusal(template)).toEqual([400, expect.stringMatching(message)]);
});

it.each<[string, object]>([
	['COPY_CODE text', { buttons: [{ type: 'COPY_CODE', example: 'A', text: { innerHTML: 'x' } }] }],
	['FLOW id', { buttons: [{ type: 'FLOW', flow_id: 5 }] }],
	['QUICK_REPLY url', { buttons: [{ type: 'QUICK_REPLY', text: 'Yes', url: [] }] }],
	['a card', { type: 'CAROUSEL', cards: [{ components: [{ type: 'BODY', text: { a: 1 } }] }] }],
	['an offer', { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: {} } }],
	['an example', { type: 'CALL_PERMISSION_REQUEST', example: { header_text: 'x' } }],
])('refuses a field that is not of its published type: %s', async (_field, part) => {
	const components = [
		{ type: 'BODY', text: 'Hello' },
		{ type: 'BUTTONS', ...part },
	];
	const body = { name: 'typed', components };
	expect((await sandbox.attempt('/message-templates', body)).status).toBe(400);
});
