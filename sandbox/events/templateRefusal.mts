import { TEMPLATE_REFUSALS } from '../contract.mts';
import { Refusal } from '../core/errors.mts';

/**
 * A template that cannot be sent, in the chat application's error shape: the message is always the
 * same, and the description says what is wrong.
 */
export function templateRefusal(
	kind: keyof typeof TEMPLATE_REFUSALS,
	description: string,
): Refusal {
	const { status, code, message } = TEMPLATE_REFUSALS[kind];
	return new Refusal(status, message, { shape: 'D', code, description });
}
