import { messageHint } from '#nodes/service/errors/messageHints.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';

const refusal = { reason: 'rejected', effect: 'none', cause: 'refused', hint: 'Look' } as const;
const refused = (serviceMessage: string) =>
	new ServiceError('send the template', { ...refusal, status: 422, serviceMessage });
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
const hintFor = (content: { type: string }, said = 'Invalid parameter') =>
	messageHint(refused(said), { content, recipient: '1' })?.hint;
const CHECK = 'Check "Template", its language and its variables.';

test.each([
	[withTexts('a', 'b', 'c\nd'), 'Body 2 has line breaks, which a variable may not have.'],
	[withTexts('a\tb', 'b'), 'Header, Button 2 have line breaks, which a variable may not have.'],
	[withTexts('a', 'b'), CHECK],
	[{ type: 'TEMPLATE', attachments: 'x' }, CHECK],
])('a refusal of a template names the variables with line breaks', (content, hint) => {
	expect(hintFor(content)).toContain(hint);
});

test.each([
	[{ type: 'text', text: 'Ana' }, 'Choose it from the list in "Template"'],
	[{ type: 'text', parameter_name: 'name', text: 'Ana' }, 'without parameter_name'],
])('a refusal that speaks of a parameter name says what helps: %j', (parameter, hint) => {
	const content = withTexts();
	content.attachments[0]!.template.components = [{ type: 'body', parameters: [parameter] }];
	for (const said of ['(#100) Parameter name is missing', 'parameter_name: unknown'])
		expect(hintFor(content, said)).toContain(hint);
});
