import type { ListedTemplate, TemplateComponent } from '../contract';
import { componentsOfType } from './variables';

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

const isType = (type: string, wanted: string): boolean =>
	type.toLowerCase() === wanted.toLowerCase();
