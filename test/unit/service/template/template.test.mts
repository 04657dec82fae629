import { additionalPartsOf } from '#nodes/service/template/check.ts';
import { placeholdersIn } from '#nodes/service/template/placeholders.ts';
import { templateText, variablesOf } from '#nodes/service/template/variables.ts';
import { ACCESS_CODE, listed, NAMED, ORDER } from './samples.mts';

describe('placeholders', () => {
	it.each([
		['Hello', []],
		['{{2}} and {{1}} and {{2}}', ['1', '2']],
		['{{10}} {{9}}', ['9', '10']],
		['{{time}}, {{name}}, {{time}}', ['time', 'name']],
		['{{ }} {{}} {1} {{{1}}}', ['1']],
	])('of "%s"', (text, names) => expect(placeholdersIn(text)).toEqual(names));
});

describe('variables', () => {
	it('have a label with place, words around and example', () => {
		expect(variablesOf(ORDER).map(({ id, label }) => [id, label])).toEqual([
			['header.text', 'Header · e.g. 1042 · Order …'],
			['body.1', '1 · e.g. Ana · Hello …, your order …'],
			['body.2', '2 · e.g. 1042 · your order … leaves today.'],
			['button.0.payload', 'Button 1 · "Yes" · Payload (optional)'],
			['button.1.url', 'Button 2 · e.g. 1042 · "Track it" · https://shop.example/orders/…'],
			['button.3.code', 'Button 4 · e.g. WELCOME10 · Coupon Code'],
		]);
	});

	it('come in the order of the text if they have names', () => {
		expect(variablesOf(NAMED).map(({ id, example }) => [id, example])).toEqual([
			['body.customer_name', 'Ana'],
			['body.time', '10:00'],
		]);
	});

	it('of an access code are the code alone', () => {
		expect(variablesOf(ACCESS_CODE)).toEqual([
			{ id: 'code', label: 'Access Code', isNeeded: true },
		]);
	});

	it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('of a header with format %s are a URL', (format) => {
		expect(variablesOf(listed([{ type: 'header', format }]))[0]).toMatchObject({
			id: `header.${format.toLowerCase()}`,
			label: `Header · URL of the ${format.toLowerCase()}`,
		});
	});

	it('survive examples of an unknown form', () => {
		for (const example of [null, 'x', [], { body_text: 1 }, { body_text: [null] }])
			expect(variablesOf(listed([{ type: 'BODY', text: '{{1}}', example }]))).toEqual([
				{ id: 'body.1', label: '1 · …', isNeeded: true },
			]);
	});
});

describe('parts that no field gives', () => {
	const special = listed([
		{ type: 'HEADER', format: 'LOCATION' },
		{ type: 'BODY', text: 'Look' },
		{ type: 'LIMITED_TIME_OFFER' },
		{ type: 'CAROUSEL' },
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'QUICK_REPLY', text: 'Yes' },
				{ type: 'FLOW', text: 'Book' },
			],
		},
	]);

	it('are named', () => {
		expect(additionalPartsOf(special).map(({ name }) => name)).toEqual([
			'the location',
			"the offer's end",
			'the cards',
			'button 2 (flow)',
		]);
		expect(additionalPartsOf(ORDER)).toEqual([]);
	});

	it('are given by components of their own', () => {
		const given = [
			{ type: 'header' },
			{ type: 'limited_time_offer' },
			{ type: 'carousel' },
			{ type: 'button', index: '1' },
		];
		for (const [place, part] of additionalPartsOf(special).entries())
			expect(given.map((component) => part.isGivenBy(component))).toEqual(
				given.map((_, index) => index === place),
			);
	});
});

describe('text', () => {
	const values: Record<string, string> = { 'header.text': '7', 'body.1': 'Ana', 'body.2': '$&' };

	it('is header, body and footer with the values', () => {
		expect(templateText(ORDER, (id) => values[id])).toBe(
			'Order 7\n\nHello Ana, your order $& leaves today.\nThanks, Ana!\n\nThe shop',
		);
	});

	it('of an access code is not there', () => {
		expect(templateText(ACCESS_CODE, () => '123456')).toBeUndefined();
	});
});
