/**
 * Characters that steer a terminal, or that change the order in which a line is read. Line breaks
 * and tabs stay.
 */
const STEERING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;
/** What a build server takes for a command, wherever it is in a line: `##[error]`, `##vso[…]`. */
const BUILD_COMMAND = /##(?=[a-z]{0,16}\[)/gi;

/**
 * A text of others, for a terminal or the log of a build server. It shows control characters as
 * `\x1b`, and a backslash keeps a line from being a command such as `::error::`.
 */
export const printable = (text: string): string =>
	text
		.replaceAll('\r\n', '\n')
		.replace(STEERING, (character) =>
			character === '\n' || character === '\t' ? character : escaped(character),
		)
		.split('\n')
		.map(withoutCommand)
		.join('\n');

function escaped(character: string): string {
	const code = character.charCodeAt(0);
	const digits = code.toString(16);
	return code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits}`;
}

function withoutCommand(line: string): string {
	const said = line.trimStart();
	const start = line.slice(0, line.length - said.length);
	return `${start}${said.startsWith('::') ? '\\' : ''}${said.replace(BUILD_COMMAND, '#\\#')}`;
}
