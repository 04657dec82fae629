import type { IExecuteFunctions } from 'n8n-workflow';

import { log } from '#nodes/service/log.ts';
import { oneLine } from '#nodes/service/cutText.ts';

/** What begins a line, reorders one, or commands a terminal. */
const SIGNS = ['\r\n', '\v', '\f', '\0', '\u0085', '\u2028', '\u2029', '\u202E', '\u009B2J'];
const OSC_52 = '\u001B]52;c;QQ==\u0007';

test('a line of the log is one line without control characters', () => {
	const said: unknown[][] = [];
	const name = `Shop${SIGNS.join('x')}`;
	const context = {
		getWorkflow: () => ({ id: 'w1', name, active: true }),
		getNode: () => ({ name }),
		logger: { warn: (...given: unknown[]) => said.push(given) },
	} as unknown as IExecuteFunctions;
	log(context, 'warn', `The service said: ${OSC_52}${SIGNS.join('::error::')}`);
	const [[message, fields] = []] = said as [[string, Record<string, string>]];
	expect(message).toMatch(/^The service said: .*::error::/);
	const line = [message, ...Object.values(fields ?? {})].join(', ');
	expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
	expect(fields).toMatchObject({
		workflowId: 'w1',
		node: expect.stringMatching(/^Shop/) as string,
	});
});

test('blanks of every kind are one, and joiners within a word stay', () => {
	for (const blank of [' \u200B', '\u2800', '\u3164\u200D', ' \uFE0F'])
		expect(oneLine(`One${blank.repeat(60)}two`, 60)).toBe('One two');
	expect(oneLine('👩‍👧 (می‌خواهم) ❤️!', 60)).toBe('👩‍👧 (می‌خواهم) ❤️!');
});
