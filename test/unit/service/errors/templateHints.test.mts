import { withMessageHint } from '../../../../nodes/BusinessMessaging/service/errors/messageHints';
import { ServiceError } from '../../../../nodes/BusinessMessaging/service/errors';

const refused = new ServiceError('send the template', {
	reason: 'rejected',
	effect: 'none',
	cause: 'refused',
	hint: 'Look',
	status: 422,
	serviceMessage: 'Invalid parameter',
});
const withTexts = (...texts: string[]) => ({
	type: 'TEMPLATE',
	attachments: [
		{
			template: {
				name: 'order_update',
				language: { policy: 'deterministic', code: 'en_US' },
				components: [
					{ type: 'header', parameters: [{ type: 'text', text: texts[0] }] },
					{ type: 'body', parameters: texts.slice(1).map((text) => ({ type: 'text', text })) },
					{ type: 'button', index: 1, parameters: [{ type: 'text', text: texts[0] }] },
				],
			},
		},
	],
});
const hintFor = (content: { type: string }) =>
	(withMessageHint(refused, { content, recipient: '1' }) as ServiceError).hint;

test.each([
	[withTexts('a', 'b', 'c\nd'), 'Body 2 has line breaks, which a variable may not have.'],
	[withTexts('a\tb', 'b'), 'Header, Button 2 have line breaks, which a variable may not have.'],
	[withTexts('a', 'b'), 'Check "Template", its language and its variables.'],
	[{ type: 'TEMPLATE', attachments: 'x' }, 'Check "Template", its language and its variables.'],
])('a refusal of a template names the variables with line breaks', (content, hint) => {
	expect(hintFor(content)).toContain(hint);
});
