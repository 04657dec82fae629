import type { ListedTemplate, SendContent } from '../contract';
import { componentsIn, textsOf } from './sent';
import { componentsOfType } from './variables';

/** The titles of a template's quick replies, in order. A tap comes back as the title. */
export const quickRepliesOf = (template: ListedTemplate): string[] =>
	componentsOfType(template, 'BUTTONS').flatMap(({ buttons }) =>
		(buttons ?? []).flatMap(({ type, text }) =>
			type.toUpperCase() === 'QUICK_REPLY' && text ? text : [],
		),
	);

/** The texts that a template to be sent gives to its variables. */
export const valuesIn = (content: SendContent): string[] =>
	componentsIn(content).flatMap(({ parameters }) =>
		textsOf(parameters).filter((text) => text !== undefined),
	);
