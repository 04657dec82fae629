import type { ListedTemplate, TemplateComponent } from '../contract';
import { namedTextsOf, parameterTextsOf } from '../sentTemplate';
import { componentsOfType, isType, type TemplateVariable, variablesOf } from './variables';

const parametersOf = (components: readonly TemplateComponent[], part: 'header' | 'body'): unknown =>
	components.find(({ type }) => isType(type, part))?.parameters;

/** The texts for a template's variables, by their ids: `header.text` and `body.<name>`. */
export function textsIn(
	template: ListedTemplate,
	components: readonly TemplateComponent[],
): Map<string, string> {
	const [header] = parameterTextsOf(parametersOf(components, 'header'));
	const body = parameterTextsOf(parametersOf(components, 'body'));
	const byName = namedTextsOf(parametersOf(components, 'body'));
	const names = variablesOf(template).filter(({ id }) => id.startsWith('body.'));
	const texts = names.map(
		({ id }, place) => [id, byName.get(id.slice('body.'.length)) ?? body[place]] as const,
	);
	return new Map(
		[['header.text', header] as const, ...texts].flatMap(([id, value]) =>
			value === undefined ? [] : [[id, value] as const],
		),
	);
}

/** What a template needs and components do not give, and the other way round. */
export function mismatchOf(template: ListedTemplate, components: readonly TemplateComponent[]) {
	const needed = variablesOf(template).filter(({ isNeeded }) => isNeeded);
	const inBody = needed.filter(isInBody);
	const isGiven = givenBy(components);
	const bodyTexts = parameterTextsOf(parametersOf(components, 'body')).length;
	const missing = [
		...needed.filter((variable) => !isInBody(variable) && !isGiven(variable)),
		...inBody.slice(bodyTexts),
	];
	const hasHeader = needed.some(({ id }) => id.startsWith('header.'));
	const parts = additionalPartsOf(template);
	const headerPart = parts.some(({ isGivenBy }) => isGivenBy({ type: 'header' }));
	return {
		/** Labels of variables, and names of parts that only *Additional Components* can give. */
		missing: [
			...missing.map(({ id, label }) => (id.startsWith('body.') ? `Body ${label}` : label)),
			...parts
				.filter(({ isGivenBy }) => !components.some((component) => isGivenBy(component)))
				.map(({ name }) => `${name} in "Additional Components"`),
		],
		/** What the components give and the template does not take. */
		needless: [
			...(bodyTexts > inBody.length ? [textsBeyond(inBody.length, bodyTexts)] : []),
			...(!hasHeader &&
			!headerPart &&
			parameterTextsOf(parametersOf(components, 'header')).length > 0
				? ['a header']
				: []),
		],
	};
}

const textsBeyond = (taken: number, given: number): string =>
	given - taken === 1 ? `text ${given} of the body` : `texts ${taken + 1} to ${given} of the body`;

const isInBody = ({ id }: TemplateVariable): boolean => id === 'code' || id.startsWith('body.');

/** @returns whether components give a variable of the header or of a button */
function givenBy(
	components: readonly TemplateComponent[],
): (variable: TemplateVariable) => boolean {
	const hasHeader = parameterTextsOf(parametersOf(components, 'header')).length > 0;
	const buttons = new Set(
		components.filter(({ type }) => isType(type, 'button')).map(({ index }) => Number(index)),
	);
	return ({ id }) => {
		const [place, index] = id.split('.');
		return place === 'header' ? hasHeader : buttons.has(Number(index));
	};
}

/** A part of a template that no field gives: it needs a component of its own when it is sent. */
export interface AdditionalPart {
	/** "the cards", "button 2" */
	name: string;
	isGivenBy: (component: TemplateComponent) => boolean;
}

const HEADERS: Record<string, string> = { LOCATION: 'the location', PRODUCT: 'the product' };
const COMPONENTS: Record<string, string> = {
	CAROUSEL: 'the cards',
	LIMITED_TIME_OFFER: "the offer's end",
};
/** CATALOG takes a component, too, and needs none. SPM has its product in the header. */
const BUTTONS: Record<string, string> = {
	FLOW: 'flow',
	MPM: 'products',
	PAYMENT_REQUEST: 'payment',
	ORDER_DETAILS: 'order',
};

/** @returns the parts that only *Additional Components* can give. Source: published. */
export function additionalPartsOf(template: ListedTemplate): AdditionalPart[] {
	const headers = componentsOfType(template, 'HEADER').flatMap(({ format }) =>
		part(HEADERS[format?.toUpperCase() ?? ''], ({ type }) => isType(type, 'header')),
	);
	const buttons = componentsOfType(template, 'BUTTONS').flatMap(({ buttons = [] }) =>
		(buttons ?? []).flatMap(({ type }, index) => {
			const kind = BUTTONS[type.toUpperCase()];
			return part(
				kind && `button ${index + 1} (${kind})`,
				(given) => isType(given.type, 'button') && Number(given.index) === index,
			);
		}),
	);
	const others = (template.components ?? []).flatMap(({ type }) =>
		part(COMPONENTS[type.toUpperCase()], (given) => isType(given.type, type)),
	);
	return [...headers, ...others, ...buttons];
}

const part = (
	name: string | undefined,
	isGivenBy: AdditionalPart['isGivenBy'],
): AdditionalPart[] => (name === undefined ? [] : [{ name, isGivenBy }]);
