import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { printable } from '#sandbox/client/printable.mts';
import { transcriptOf } from '#sandbox/client/transcript.mts';
import { checkout } from '#scripts/checkout.mts';

test.each([
	['a copy to the clipboard', '\u001b]52;c;eA==\u0007', String.raw`\x1b]52;c;eA==\x07`],
	['a line written over', 'failed\rpassed', String.raw`failed\x0dpassed`],
	['control characters of one byte', '\u009b2J\u007f\0', String.raw`\x9b2J\x7f\x00`],
	['text read the other way', '\u202Egnirts\u2069', String.raw`\u202egnirts\u2069`],
	['a command of a build server', '::error::x', String.raw`\::error::x`],
	[
		'one after blanks and in a later line',
		'a\n \t\u00A0::add-mask::a',
		'a\n \t\u00A0\\::add-mask::a',
	],
	['one behind a lone line break', '\r::error::x', String.raw`\x0d::error::x`],
	[
		'a command in the middle of a line',
		'a ##[error]x ##vso[b]',
		String.raw`a #\#[error]x #\#vso[b]`,
	],
	['line breaks of both kinds, tabs, emoji', 'a\r\n\tb\nÉ 👨‍👩‍👧 a::b', 'a\n\tb\nÉ 👨‍👩‍👧 a::b'],
])('shows %s', (_what, text, shown) => {
	expect(printable(text)).toBe(shown);
	expect(printable(shown)).toBe(shown);
});

test('a transcript of the client steers no terminal', () => {
	const message = {
		...{ number: 1, direction: 'out', status: 'SENT', createdAt: '2026-01-01T00:00:00.000Z' },
		content: { type: 'TEXT', text: 'a\u001b[2J\n::error::x' },
	};
	const shown = transcriptOf([message as Parameters<typeof transcriptOf>[0][number]], 'Ana', 0);
	expect(shown).toContain(String.raw`a\x1b[2J`);
	expect(shown).toMatch(/^ +\\::error::x$/m);
});

test('nothing in the sandbox prints past it', () => {
	const printing = globSync('sandbox/**/*.mts', { cwd: checkout }).filter((file) =>
		/console\.|stdout\.write\([^']/.test(readFileSync(join(checkout, file), 'utf8')),
	);
	// bin.mts prints a sentence of its own where the rest cannot be loaded.
	expect(printing.sort()).toEqual(['sandbox/cli/bin.mts', 'sandbox/print.mts']);
});
