import { z } from 'zod';

import { fileNameOfUrl } from '../fileName';
import {
	type ListedComponent,
	listedComponentSchema,
	type ListedTemplate,
	PARAMETER_NAME_FIELD,
	type SendContent,
	type TemplateComponent,
} from '../contract';
import { isNumber } from './placeholders';
import { componentsIn, namedTextsOf, parameterTextsOf } from '../sentTemplate';
import { componentsOfType, isType, namesIn } from './variables';

export type TemplateValue = readonly [id: string, value: string];

/** @param name left out of numbered variables, which go by position */
const text = (value: string, name?: string): TemplateComponent => ({
	type: 'text',
	...(name === undefined || isNumber(name) ? {} : { [PARAMETER_NAME_FIELD]: name }),
	text: value,
});
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
 * What a template's variables become when it is sent. Source: published; the names of named
 * variables: assumed.
 * @param values in the template's order. One that is empty is left out
 * @param headerName the name of the variable in the header's text, if it is known
 * @returns always with a body, which the service requires
 */
export function componentsOf(
	values: readonly TemplateValue[],
	headerName?: string,
): TemplateComponent[] {
	const given = values.filter(([, value]) => value !== '');
	const body = given.filter(([id]) => id === 'code' || id.startsWith('body.'));
	return [
		...headersOf(new Map(given), headerName),
		{ type: 'body', parameters: body.map(([id, value]) => text(value, id.split('.')[1])) },
		...given.flatMap(([id, value]) => buttonOf(id, value)),
	];
}

function headersOf(
	values: ReadonlyMap<string, string>,
	name: string | undefined,
): TemplateComponent[] {
	const filename = values.get('header.filename');
	return [...values].flatMap(([id, value]) => {
		const [place, kind = ''] = id.split('.');
		if (place !== 'header' || kind === 'filename') return [];
		if (kind === 'text') return [{ type: 'header', parameters: [text(value, name)] }];
		return [mediaHeader(kind, value, filename)];
	});
}

/** @param media `image`, `video` or `document`. @param given a document's name, if it has one */
export function mediaHeader(media: string, url: string, given = ''): TemplateComponent {
	const filename = media === 'document' ? given || nameIn(url) : undefined;
	return {
		type: 'header',
		parameters: [
			{ type: media, [media]: { link: url, ...(filename === undefined ? {} : { filename }) } },
		],
	};
}

/** The last part of the path, if it is the name of a file. */
function nameIn(url: string): string | undefined {
	const name = URL.canParse(url) ? fileNameOfUrl(new URL(url)) : undefined;
	return name !== undefined && /.\.\w{1,10}$/.test(name) ? name : undefined;
}

/** Gives a body's texts their variables' names, unless one has a name or their number differs. */
export function withNames(
	components: readonly TemplateComponent[],
	template: ListedTemplate,
): TemplateComponent[] {
	const names = namesIn(template, 'BODY');
	return components.map((component) => {
		if (component.type !== 'body') return component;
		const texts = parameterTextsOf(component.parameters);
		const isNamed = namedTextsOf(component.parameters).size > 0;
		if (isNamed || texts.length !== names.length) return component;
		const parameters = texts.flatMap((given, at) =>
			given === undefined ? [] : text(given, names[at]),
		);
		return parameters.length < texts.length ? component : { ...component, parameters };
	});
}

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

/** In the template's order. @param given with a body. @throws Error if both give one part */
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

/** The cards of a carousel. What has another form is for the service to judge. */
const cardsSchema = z.array(z.object({ components: z.array(listedComponentSchema) }).passthrough());

const cardsOf = ({ cards }: ListedComponent) => cardsSchema.safeParse(cards).data;

/** The components of each card. */
export const componentsOfCards = (components: readonly ListedComponent[]): ListedComponent[][] =>
	components.flatMap((component) => (cardsOf(component) ?? []).map((card) => card.components));

/** Changes each component, and those of cards, too. */
export const changeEach = (
	components: readonly ListedComponent[],
	change: (component: ListedComponent) => ListedComponent,
): ListedComponent[] =>
	components.map((component) => {
		const cards = cardsOf(component)?.map((card) => ({
			...card,
			components: changeEach(card.components, change),
		}));
		return change(cards ? { ...component, cards } : component);
	});

export interface QuickReply {
	/** Its place among all buttons, from 0 on. */
	index: number;
	title: string;
}

/** A template's quick replies, in order. Without a payload, a tap comes back as the title. */
export const quickRepliesOf = (template: ListedTemplate): QuickReply[] =>
	componentsOfType(template, 'BUTTONS').flatMap(({ buttons }) =>
		(buttons ?? []).flatMap(({ type, text }, index) =>
			isType(type, 'QUICK_REPLY') && text ? { index, title: text } : [],
		),
	);

/** The texts that a template to be sent gives to its variables. */
export const valuesIn = (content: SendContent): string[] =>
	componentsIn(content).flatMap(({ parameters }) =>
		parameterTextsOf(parameters).filter((text) => text !== undefined),
	);

/** The places of the quick replies to which a template to be sent gives something. */
export const payloadsIn = (content: SendContent): number[] =>
	componentsIn(content).flatMap((component) =>
		isQuickReply(component) ? Number(component.index) : [],
	);

const isButton = ({ type }: TemplateComponent): boolean => isType(type, 'button');

const isQuickReply = (component: TemplateComponent): boolean =>
	isButton(component) &&
	isType(String(component.sub_type), 'quick_reply') &&
	Array.isArray(component.parameters) &&
	component.parameters.length > 0;

/** Gives payloads to quick replies without one, in the template's order. Taps carry them. */
export function withPayloads(
	content: SendContent,
	payloads: ReadonlyArray<{ index: number; payload: string }>,
): SendContent {
	if (content.type !== 'TEMPLATE' || payloads.length === 0) return content;
	const given = payloads.map(({ index, payload }) => quickReply(index, payload));
	return {
		...content,
		attachments: content.attachments.map(({ template }) => {
			const all = joinComponents(given, template.components);
			const buttons = all
				.filter(isButton)
				.sort((left, right) => Number(left.index) - Number(right.index));
			const others = all.filter((component) => !isButton(component));
			return { template: { ...template, components: [...others, ...buttons] } };
		}),
	};
}
