import type { ListedComponent } from '../contract.mts';
import type { ListedButton } from './components.mts';
import type { SubmittedTemplate } from './templateForm.mts';

type ButtonInputs = NonNullable<SubmittedTemplate['library_template_button_inputs']>;

/** A template that the chat application wrote. A business gives addresses and numbers. */
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
				buttons: [
					{ type: 'URL', text: 'Track it', url: 'https://shop.example/orders' },
					{ type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+5500000000001' },
				],
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

/** @returns the components, with what the business gives for the buttons, in their order */
export function componentsFromLibrary(
	{ components }: LibraryTemplate,
	inputs: ButtonInputs = [],
): ListedComponent[] {
	return components.map(({ buttons, ...component }) => ({
		...component,
		...(buttons ? { buttons: buttons.map((button, at) => given(button, inputs[at])) } : {}),
	}));
}

function given(button: ListedButton, input: ButtonInputs[number] | undefined): ListedButton {
	if (input?.type !== button.type) return button;
	const { url, phone_number } = input;
	return {
		...button,
		...(url?.base_url ? { url: url.base_url } : {}),
		...(url?.url_suffix_example ? { example: [url.url_suffix_example] } : {}),
		...(phone_number === undefined ? {} : { phone_number }),
	};
}
