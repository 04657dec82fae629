import type { ListedComponent } from '../contract.mts';

/** A template that the chat application wrote. A business gives the addresses of its buttons. */
export interface LibraryTemplate {
	name: string;
	category: 'UTILITY' | 'MARKETING';
	languages: readonly string[];
	components: readonly ListedComponent[];
}

/** Made up, in the form of the published ones. */
export const TEMPLATE_LIBRARY: readonly LibraryTemplate[] = [
	{
		name: 'delivery_update_1',
		category: 'UTILITY',
		languages: ['en_US'],
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, your order {{2}} will arrive on {{3}} between the usual hours.',
				example: { body_text: [['Ana', '1042', 'Monday']] },
			},
			{
				type: 'BUTTONS',
				buttons: [{ type: 'URL', text: 'Track it', url: 'https://shop.example/orders' }],
			},
		],
	},
	{
		name: 'appointment_confirmed_1',
		category: 'UTILITY',
		languages: ['en_US'],
		components: [
			{
				type: 'BODY',
				text: 'Hello {{1}}, your appointment on {{2}} is confirmed.',
				example: { body_text: [['Ana', 'Monday, May 4']] },
			},
		],
	},
];

/** @returns the components, with the addresses that the business gives for the buttons */
export function componentsFromLibrary(
	{ components }: LibraryTemplate,
	inputs: readonly unknown[],
): ListedComponent[] {
	return components.map((component) => ({
		...component,
		...(component.buttons
			? {
					buttons: component.buttons.map((button, index) => {
						const given = inputs[index];
						const isObject = typeof given === 'object' && given !== null;
						return isObject && 'url' in given && typeof given.url === 'string'
							? { ...button, url: given.url }
							: button;
					}),
				}
			: {}),
	}));
}
