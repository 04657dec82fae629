/**
 * What a command takes, described once: to read it, to print its help, and to refuse the rest in
 * one sentence.
 */
const { parseArgs } = require('node:util');

const WIDTH = 100;

/**
 * An option of node:util's parseArgs, with its line in the help.
 *
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {boolean} [multiple]
 * @property {string | boolean | string[]} [default]
 * @property {string} [value] its value's name in the help, such as PORT
 * @property {string} about
 */

/** @typedef {Record<string, Option>} Options */

/**
 * Words beside the options.
 *
 * @template {string} W
 * @typedef {object} Words
 * @property {string} usage such as `[part ...]`
 * @property {string} [name] what one of them is, such as `part`
 * @property {readonly W[]} [among] the known ones. Undefined: any
 * @property {number} [most]
 */

/**
 * @template {Options} [O=Options]
 * @template {string} [W=string]
 * @typedef {object} Command
 * @property {string} name what people type before its options: `npm start --`
 * @property {string} about what it does, in sentences
 * @property {Words<W>} [words]
 * @property {string} [rest] what `--` passes on, such as `options for Jest`
 * @property {O} options
 * @property {string} example what follows its name in an example
 * @property {string} [more] the end of the help
 */

/**
 * A known word of a command.
 *
 * @template C
 * @typedef {C extends Command<infer _O, infer W> ? W : never} WordOf
 */

/** Something that a command does not take. The message is the beginning of a sentence. */
class UsageError extends Error {}

/** @satisfies {Option} */
const HELP = /** @type {const} */ ({ type: 'boolean', about: 'prints this text' });

/**
 * An option with a value.
 *
 * @param {string} value its name in the help
 * @param {string} about
 */
const text = (value, about) => ({ type: /** @type {const} */ ('string'), value, about });

/**
 * Gives a command's description its exact type.
 *
 * @template {Options} const O
 * @template {string} [const W=string]
 * @param {Command<O, W>} described
 */
const command = (described) => described;

/**
 * Reads what was given to a command.
 *
 * @template {Options} O
 * @template {string} W
 * @param {Command<O, W>} described
 * @param {string[]} given
 * @throws {UsageError} if the command does not take it
 */
function read({ options, words, rest }, given) {
	const end = rest !== undefined && given.includes('--') ? given.indexOf('--') : given.length;
	const { values, positionals } = parsed(options, given.slice(0, end), words !== undefined);
	return { values, words: known(positionals, words), rest: given.slice(end + 1) };
}

/**
 * @template {Options} O
 * @param {O} options
 * @param {string[]} args
 * @param {boolean} allowPositionals
 */
function parsed(options, args, allowPositionals) {
	try {
		return parseArgs({ args, options: { ...options, help: HELP }, allowPositionals });
	} catch (error) {
		const [sentence = ''] = /** @type {Error} */ (error).message.split(/\.\s/);
		throw new UsageError(sentence.replace('is ambiguous', 'missing'));
	}
}

/**
 * @template {string} W
 * @param {string[]} given
 * @param {Words<W>} [words]
 */
function known(given, { name = 'word', among, most = Infinity } = { usage: '' }) {
	const isKnown = /** @param {string} word @returns {word is W} */ (word) =>
		among === undefined || among.some((one) => one === word);
	const unknown = given.find((word) => !isKnown(word));
	if (unknown !== undefined)
		throw new UsageError(`Unknown ${name} '${unknown}'. Use one of ${among?.join(', ')}`);
	if (given.length > most) throw new UsageError(`Unexpected argument '${given[most]}'`);
	return given.filter(isKnown);
}

/**
 * Reads this process's command line. Prints the help, or what is wrong, and ends the process.
 *
 * @template {Options} O
 * @template {string} W
 * @param {Command<O, W>} described
 */
function readCommandLine(described, given = process.argv.slice(2)) {
	try {
		const all = read(described, given);
		if (!('help' in all.values)) return all;
		console.log(helpOf(described));
		process.exit(0);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		console.error(`${error.message}. See ${described.name} --help.`);
		process.exit(2);
	}
}

/**
 * @template {Options} O
 * @template {string} W
 * @param {Command<O, W>} described
 */
function helpOf({ name, about, words, rest, options, example, more }) {
	const usage = [
		...[name, words?.usage],
		...(Object.keys(options).length > 0 ? ['[options]'] : []),
		...(rest === undefined ? [] : [`[-- ${rest}]`]),
	];
	return [
		wrapped(about),
		`  ${usage.filter(Boolean).join(' ')}`,
		optionLines({ ...options, help: HELP }),
		...(words?.among ? [wrapped(`A ${words.name} is one of ${words.among.join(', ')}.`)] : []),
		`Example: ${name} ${example}`.trimEnd(),
		...(more === undefined ? [] : [wrapped(more)]),
	].join('\n\n');
}

/** @param {Options} options */
function optionLines(options) {
	const lines = Object.entries(options).map(([name, { value, about, default: standard }]) => ({
		left: `  --${name}${value === undefined ? '' : ` ${value}`}`,
		right: typeof standard === 'string' ? `${about} (default ${standard})` : about,
	}));
	const indent = Math.max(...lines.map(({ left }) => left.length)) + 2;
	return lines.map(({ left, right }) => left.padEnd(indent) + wrapped(right, indent)).join('\n');
}

/** @param {string} text @param {number} indent of its lines after the first */
function wrapped(text, indent = 0) {
	const lines = [''];
	for (const word of text.split(' ')) {
		const line = lines.at(-1);
		const longer = line ? `${line} ${word}` : word;
		if (indent + longer.length > WIDTH) lines.push(word);
		else lines[lines.length - 1] = longer;
	}
	return lines.join(`\n${' '.repeat(indent)}`);
}

module.exports = { command, helpOf, read, readCommandLine, text, UsageError };
