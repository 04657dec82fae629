import { z } from 'zod';

import { type ListedComponent, listedComponentSchema } from '../contract';

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
