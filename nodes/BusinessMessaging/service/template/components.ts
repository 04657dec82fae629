import type { TemplateComponent } from '../contract';

/** A variable's id and its value. */
export type TemplateValue = readonly [id: string, value: string];

const text = (value: string): TemplateComponent => ({ type: 'text', text: value });
const button = (subType: string, index: number, parameter: object): TemplateComponent => ({
	type: 'button',
	sub_type: subType,
	index,
	parameters: [parameter],
});

/** What a tap on a quick reply brings back. */
export const quickReply = (index: number, payload: string): TemplateComponent =>
	button('quick_reply', index, { type: 'payload', payload });

/**
 * What a template's variables become when it is sent. Named variables go by position, too. Source:
 * published.
 * @param values in the template's order. One that is empty is left out
 * @returns always with a body, which the service requires
 */
export function componentsOf(values: readonly TemplateValue[]): TemplateComponent[] {
	const given = values.filter(([, value]) => value !== '');
	const body = given.filter(([id]) => id === 'code' || id.startsWith('body.'));
	return [
		...given.flatMap(([id, value]) => headerOf(id, value)),
		{ type: 'body', parameters: body.map(([, value]) => text(value)) },
		...given.flatMap(([id, value]) => buttonOf(id, value)),
	];
}

function headerOf(id: string, value: string): TemplateComponent[] {
	const [place, kind = ''] = id.split('.');
	if (place !== 'header') return [];
	return kind === 'text'
		? [{ type: 'header', parameters: [text(value)] }]
		: [mediaHeader(kind, value)];
}

/** @param media `image`, `video` or `document` */
export const mediaHeader = (media: string, url: string): TemplateComponent => ({
	type: 'header',
	parameters: [{ type: media, [media]: { link: url } }],
});

function buttonOf(id: string, value: string): TemplateComponent[] {
	if (id === 'code') return [button('url', 0, text(value))];
	const [place, index, kind] = id.split('.');
	if (place !== 'button') return [];
	switch (kind) {
		case 'url':
			return [button('url', Number(index), text(value))];
		case 'code':
			return [button('copy_code', Number(index), { type: 'coupon_code', coupon_code: value })];
		default:
			return [quickReply(Number(index), value)];
	}
}

/** What two components of one template cannot both be. */
const placeOf = ({ type, index }: TemplateComponent): string =>
	type.toLowerCase() === 'button' ? `button ${Number(index) + 1}` : type.toLowerCase();

/** The order in which a template's parts are sent. Source: published. */
const rankOf = ({ type }: TemplateComponent): number =>
	['header', 'body'].indexOf(type.toLowerCase()) + 1 || (type.toLowerCase() === 'button' ? 4 : 3);

/**
 * Joins what the fields give and what the user wrote, in the template's order.
 * @param given of the fields, always with a body
 * @throws Error if both give the same part
 */
export function joinComponents(
	given: readonly TemplateComponent[],
	additional: readonly TemplateComponent[],
): TemplateComponent[] {
	const own = new Set(additional.map(placeOf));
	const kept = given.filter((component) => !isEmptyBody(component) || !own.has('body'));
	const twice = kept.find((component) => own.has(placeOf(component)));
	if (twice)
		throw new Error(
			`"Additional Components" holds the template's ${placeOf(twice)}, which another field gives, too. Remove one of them.`,
		);
	return [...kept, ...additional].sort((left, right) => rankOf(left) - rankOf(right));
}

const isEmptyBody = ({ type, parameters }: TemplateComponent): boolean =>
	type === 'body' && Array.isArray(parameters) && parameters.length === 0;
