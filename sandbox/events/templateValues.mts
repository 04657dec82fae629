/** Checks what a send gives to a template, against the template. */
import { z } from 'zod';

import {
	additionalPartsOf,
	CHAT_LIMITS,
	type ListedTemplate,
	PARAMETER_NAME_FIELD,
	placeholdersIn,
} from '../contract.mts';
import { Refusal } from '../core/errors.mts';
import {
	bodyTextOf,
	buttonsOf,
	type ListedButton,
	mediaFormatOf,
	partOf,
} from '../store/components.mts';
import type { SentTemplate } from '../store/content.mts';
import { templateRefusal } from './templateRefusal.mts';

const parameterSchema = z
	.object({
		type: z.string().min(1),
		text: z.string().optional(),
		[PARAMETER_NAME_FIELD]: z.string().optional(),
		payload: z.string().min(1).optional(),
		coupon_code: z.string().min(1).optional(),
	})
	.passthrough()
	.refine(
		(parameter) => parameter.type !== 'text' || Boolean(parameter.text),
		'a parameter of type text needs a text',
	);
type Parameter = z.infer<typeof parameterSchema>;
const parameters = z.array(parameterSchema).default([]);
const SENT = {
	header: z.object({ parameters }).passthrough(),
	body: z.object({ parameters }).passthrough(),
	button: z
		.object({ parameters, sub_type: z.string(), index: z.coerce.number().int().min(0) })
		.passthrough(),
};

/** What a send gives to each part. */
export interface TemplateValues {
	header: Parameter[];
	body: string[];
	/** By the button's place. */
	buttons: ReadonlyMap<number, Parameter[]>;
}

const FIELD = 'content.attachments.0.template.components';

/** The sent components of a type. Throws a 400 that names the first malformed field. */
function sentOf<T extends keyof typeof SENT>(
	{ components }: SentTemplate,
	type: T,
): Array<z.infer<(typeof SENT)[T]>> {
	return components.flatMap((component, index) => {
		if (component.type !== type) return [];
		const { data, error } = SENT[type].safeParse(component);
		if (data) return [data];
		const [issue] = error.issues;
		throw new Refusal(400, [FIELD, index, ...issue!.path].join('.') + `: ${issue!.message}`);
	});
}

/**
 * The values of a send, checked: as many as the template takes, of its types, in one line each.
 *
 * @throws Refusal in the chat application's shape, which names the component
 */
export function valuesOf(sent: SentTemplate, template: ListedTemplate): TemplateValues {
	const names = placeholdersIn(bodyTextOf(template));
	// One of the library, which takes nothing, goes without any component. Source: published.
	const isBare = sent.components.length === 0 && names.length === 0;
	const body = isBare ? { parameters: [] } : sentOf(sent, 'body')[0];
	if (!body) throw new Refusal(400, `${FIELD} must hold the body, even without parameters`);
	const header = sentOf(sent, 'header')[0]?.parameters ?? [];
	const buttons = sentOf(sent, 'button');
	requireCount('the body', sent, names.length, body.parameters);
	const texts = inOrder(`the body of ${sent.name}`, names, body.parameters);
	requireHeader(sent, template, header);
	requireButtons(sent, template, buttons);
	for (const part of additionalPartsOf(template))
		if (!sent.components.some((component) => part.isGivenBy(component)))
			throw templateRefusal('parameters', `${sent.name} needs a component for ${part.name}`);
	requireFlat('body', texts, template.category);
	requireFlat('header', header);
	for (const { index, parameters: given } of buttons)
		requireFlat(`button ${index + 1}`, given, template.category);
	return {
		header,
		body: texts.map(({ type, text }) => text ?? `[${type}]`),
		buttons: new Map(buttons.map(({ index, parameters: given }) => [index, given])),
	};
}

interface Given {
	text?: string | undefined;
	coupon_code?: string | undefined;
	[PARAMETER_NAME_FIELD]?: string | undefined;
}

/**
 * The parameters in the order of the text's variables. With names they go to the variables that
 * they name, else by position: the published examples do so for named ones, too.
 * @param names of the variables, as many as parameters
 */
function inOrder<T extends Given>(
	place: string,
	names: readonly string[],
	given: readonly T[],
): T[] {
	if (given.every((parameter) => parameter[PARAMETER_NAME_FIELD] === undefined)) return [...given];
	const byName = new Map<string, T>();
	for (const parameter of given) {
		const name = parameter[PARAMETER_NAME_FIELD];
		const refuse = (what: string) => templateRefusal('format', `${place}: ${what}`);
		if (name === undefined) throw refuse(`${PARAMETER_NAME_FIELD} is missing`);
		if (!names.includes(name)) throw refuse(`${PARAMETER_NAME_FIELD} "${name}" is not a variable`);
		if (byName.has(name)) throw refuse(`${PARAMETER_NAME_FIELD} "${name}" is given twice`);
		byName.set(name, parameter);
	}
	return names.map((name) => byName.get(name)!);
}

/** Characters of an access code. Source: the chat application's documents. */
const CODE_MAX = 15;

/** Refuses values with what no variable can hold. @param category of the template */
function requireFlat(place: string, given: readonly Given[], category?: string | null): void {
	for (const [index, { text, coupon_code: code }] of given.entries()) {
		const value = `${text ?? ''}${code ?? ''}`;
		const isLong = category === 'AUTHENTICATION' && value.length > CODE_MAX;
		const problem = isLong ? `more than ${CODE_MAX} characters` : problemOf(value);
		if (problem) throw templateRefusal('lineBreak', `${place}, value ${index + 1}: has ${problem}`);
	}
}

function problemOf(value: string): string | undefined {
	if (/[\r\n]/.test(value)) return 'a line break';
	if (value.includes('\t')) return 'a tab';
	const { blanksInValue: most } = CHAT_LIMITS;
	const runs = value.match(/ +/g) ?? [];
	return runs.some(({ length }) => length > most) ? `more than ${most} blanks in a row` : undefined;
}

function requireCount(place: string, { name }: SentTemplate, wanted: number, given: unknown[]) {
	if (given.length !== wanted)
		throw templateRefusal('parameters', `${place} of ${name} takes ${wanted}, not ${given.length}`);
}

function requireHeader(sent: SentTemplate, template: ListedTemplate, given: Parameter[]): void {
	const header = partOf(template, 'HEADER');
	const media = mediaFormatOf(header);
	if (media === undefined) {
		const isText = header?.text !== undefined;
		if (isText || !header) requireNamed(sent, placeholdersIn(header?.text ?? ''), given);
		if (isText && given.some(({ type }) => type !== 'text'))
			throw templateRefusal('format', `the header of ${sent.name} takes a text`);
		return;
	}
	requireCount('the header', sent, 1, given);
	const file = z
		.object({ link: z.string().optional(), id: z.string().min(1).optional() })
		.safeParse(given[0]![media]);
	if (given[0]!.type !== media || !file.success || (!file.data.link && !file.data.id))
		throw templateRefusal(
			'format',
			`the header of ${sent.name} takes {"type": "${media}", "${media}": {"link": "https://…"}}, or the id of an uploaded file`,
		);
	const { link } = file.data;
	if (link && !/^https?:$/.test(URL.canParse(link) ? new URL(link).protocol : ''))
		throw templateRefusal(
			'format',
			`the header of ${sent.name}: link must be an http or https URL`,
		);
}

function requireNamed(sent: SentTemplate, names: string[], given: Parameter[]): void {
	requireCount('the header', sent, names.length, given);
	inOrder(`the header of ${sent.name}`, names, given);
}

/** What a button takes: the sub_type, the field of its value, and whether it can be left out. */
function takenBy({ type, url }: ListedButton) {
	switch (type) {
		case 'QUICK_REPLY':
			return { subType: 'quick_reply', field: 'payload', isOptional: true } as const;
		case 'URL':
			return placeholdersIn(url ?? '').length > 0
				? ({ subType: 'url', field: 'text' } as const)
				: undefined;
		case 'COPY_CODE':
			return { subType: 'copy_code', field: 'coupon_code' } as const;
		case 'OTP':
			return { subType: 'url', field: 'text' } as const;
		default:
			return undefined;
	}
}

/** The `sub_type` of buttons that take a component of their own. Source: published. */
const SUB_TYPES: Record<string, string> = {
	...{ FLOW: 'flow', CATALOG: 'catalog', MPM: 'mpm' },
	...{ PAYMENT_REQUEST: 'checkout', ORDER_DETAILS: 'order_details' },
};
/** In a message with several products. Source: published. */
const PRODUCTS_MAX = 30;
const SECTIONS_MAX = 10;
const sectionsSchema = z.tuple([
	z.object({
		action: z.object({ sections: z.array(z.object({ product_items: z.array(z.unknown()) })) }),
	}),
]);

/** Of a component of its own, only its kind and the number of products are looked at. */
function requireKind(place: string, type: string, own: z.infer<typeof SENT.button>): void {
	const subType = SUB_TYPES[type];
	if (subType !== undefined && own.sub_type !== subType)
		throw templateRefusal('format', `${place} takes the sub_type ${subType}`);
	if (type !== 'MPM') return;
	const sections = sectionsSchema.safeParse(own.parameters).data?.[0].action.sections ?? [];
	const products = sections.reduce((sum, { product_items: items }) => sum + items.length, 0);
	if (sections.length > SECTIONS_MAX || products > PRODUCTS_MAX)
		throw templateRefusal(
			'format',
			`${place} takes at most ${PRODUCTS_MAX} products in ${SECTIONS_MAX} sections`,
		);
}

function requireButtons(
	sent: SentTemplate,
	template: ListedTemplate,
	given: Array<z.infer<typeof SENT.button>>,
): void {
	const known = buttonsOf(template);
	const additional = additionalPartsOf(template);
	const beyond = given.find(({ index }) => index >= known.length);
	if (beyond) throw templateRefusal('parameters', `${sent.name} has no button ${beyond.index + 1}`);
	for (const [index, button] of known.entries()) {
		const place = `button ${index + 1}${button.text ? ` (${button.text})` : ''}`;
		const taken = takenBy(button);
		const own = given.find((candidate) => candidate.index === index);
		const isAdditional = additional.some((part) => part.isGivenBy({ type: 'button', index }));
		if (isAdditional || button.type === 'CATALOG') {
			if (own) requireKind(`${place} of ${sent.name}`, button.type, own);
			continue;
		}
		if (!own && taken && 'isOptional' in taken) continue;
		// Without parameters the component is allowed. Source: published.
		if (own?.parameters.length === 0 && button.type === 'COPY_CODE') continue;
		requireCount(place, sent, taken ? 1 : 0, own?.parameters ?? []);
		if (!own || !taken) continue;
		if (own.sub_type !== taken.subType || own.parameters[0]![taken.field] === undefined)
			throw templateRefusal(
				'format',
				`${place} of ${sent.name} takes ${taken.field}, with the sub_type ${taken.subType}`,
			);
	}
}
