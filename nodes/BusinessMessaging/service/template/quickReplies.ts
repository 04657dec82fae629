import type { ListedTemplate, SendContent, TemplateComponent } from '../contract';
import { joinComponents, quickReply } from './components';
import { componentsIn, textsOf } from './sent';
import { componentsOfType } from './variables';

/** A quick reply of a template. */
export interface QuickReply {
	/** Its place among all buttons, from 0 on. */
	index: number;
	title: string;
}

/** A template's quick replies, in order. Without a payload, a tap comes back as the title. */
export const quickRepliesOf = (template: ListedTemplate): QuickReply[] =>
	componentsOfType(template, 'BUTTONS').flatMap(({ buttons }) =>
		(buttons ?? []).flatMap(({ type, text }, index) =>
			type.toUpperCase() === 'QUICK_REPLY' && text ? { index, title: text } : [],
		),
	);

/** The texts that a template to be sent gives to its variables. */
export const valuesIn = (content: SendContent): string[] =>
	componentsIn(content).flatMap(({ parameters }) =>
		textsOf(parameters).filter((text) => text !== undefined),
	);

/** The places of the quick replies to which a template to be sent gives something. */
export const payloadsIn = (content: SendContent): number[] =>
	componentsIn(content).flatMap((component) =>
		isQuickReply(component) ? Number(component.index) : [],
	);

const isButton = ({ type }: TemplateComponent): boolean => type.toLowerCase() === 'button';

const isQuickReply = (component: TemplateComponent): boolean =>
	isButton(component) &&
	String(component.sub_type).toLowerCase() === 'quick_reply' &&
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
