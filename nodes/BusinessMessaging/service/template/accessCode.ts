import type { ListedComponent } from '../contract';

/**
 * An access code in the form in which it is created: the chat application writes its text. Listed,
 * it can have a text and a URL instead, and a creation takes neither. Source: published.
 */
export const accessCodeToCreate = (components: readonly ListedComponent[]): ListedComponent[] =>
	components.flatMap((component) => {
		const { type, text, buttons } = component;
		switch (type.toUpperCase()) {
			case 'BODY':
				// The text is in the customer's language, so it does not tell whether it has the advice.
				return text ? { type, add_security_recommendation: true } : component;
			case 'FOOTER': {
				const minutes = /\d+/.exec(text ?? '')?.[0];
				if (!text) return component;
				return minutes ? { type, code_expiration_minutes: Number(minutes) } : [];
			}
			default:
				return buttons ? { ...component, buttons: buttons.map(codeButton) } : component;
		}
	});

type Button = NonNullable<ListedComponent['buttons']>[number];

const codeButton = (button: Button): Button =>
	button.type.toUpperCase() === 'URL'
		? { type: 'OTP', otp_type: 'COPY_CODE', text: button.text, example: undefined }
		: button;
