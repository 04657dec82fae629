/** What the stand-in says: by rules, without a model. */
import { argumentsFrom, isOneText } from './arguments.mts';
import type { ModelMessage, ModelReply, ModelRequest, ModelTool } from './conversation.mts';
import { asMarkdown } from './markdown.mts';

/** What a request is about. */
interface Turn {
	/** What the person wrote last. */
	words: string;
	/** Of the tool that was called last, if nothing was said since. */
	result: ModelMessage | undefined;
	/** The tool that sends a text to the person, if the agent has one. */
	sender: ModelTool | undefined;
	/** What that tool's description says to say then. */
	saying: string | undefined;
	/** The tool that the words ask for. */
	wanted: ModelTool | undefined;
	/** What a colleague wrote about it, by the transcript in the system message. */
	known: string | undefined;
}

interface Rule {
	applies: (turn: Turn) => boolean;
	reply: (turn: Turn) => ModelReply;
}

/** The first rule that applies makes the reply. */
const RULES: Rule[] = [
	{
		// The answer was sent with a tool.
		applies: ({ result, sender }) => result !== undefined && result.tool === sender?.name,
		reply: () => ({ text: 'The answer is sent.' }),
	},
	{
		// Another tool gave a result, and its description has the words for that.
		applies: ({ saying }) => saying !== undefined,
		reply: (turn) => say(turn, turn.saying ?? ''),
	},
	{
		// Another tool gave a result.
		applies: ({ result }) => result !== undefined,
		reply: (turn) =>
			say(turn, `This is what I found:\n\n${asMarkdown(turn.result?.content ?? '')}`),
	},
	{
		// A tool's name or description has a word of what was written.
		applies: ({ wanted }) => wanted !== undefined,
		reply: ({ wanted, words }) => call(wanted, words),
	},
	{
		// A colleague wrote about it.
		applies: ({ known }) => known !== undefined,
		reply: (turn) => say(turn, `A colleague wrote: "${turn.known}"`),
	},
	{
		// Anything else.
		applies: () => true,
		reply: (turn) => say(turn, repeated(turn.words)),
	},
];

export function replyByRules(request: ModelRequest): ModelReply {
	const turn = turnOf(request);
	const rule = RULES.find(({ applies }) => applies(turn));
	return rule?.reply(turn) ?? { text: '' };
}

function turnOf({ messages, tools }: ModelRequest): Turn {
	const last = messages.at(-1);
	const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
	// The examples quote what a customer wrote.
	const words = asked.replaceAll(/^> /gm, '');
	const sender = tools.find(sendsText);
	const result = last?.role === 'tool' ? last : undefined;
	const called = tools.find(({ name }) => name === result?.tool);
	return {
		words,
		result,
		sender,
		saying: SAYING.exec(called?.description ?? '')?.[1],
		known: bestMatch(words, colleaguesLines(messages), (line) => line),
		wanted: bestMatch(
			words,
			tools.filter((tool) => tool !== sender),
			aboutOf,
		),
	};
}

/** With the tool that sends, if there is one. */
const say = ({ sender }: Turn, text: string): ModelReply =>
	sender ? call(sender, text) : { text };

const call = (tool: ModelTool | undefined, words: string): ModelReply => ({
	calls: tool ? [{ tool: tool.name, arguments: argumentsFrom(tool.parameters, words) }] : [],
});

const repeated = (words: string): string =>
	[
		'Hello! I am a **stand-in** for a language model: I follow rules, and repeat what I am asked.',
		'',
		'You wrote:',
		...words.split('\n').map((line) => `- ${line}`),
	].join('\n');

const SENDING = /\b(?:sends?|writes?|repl(?:y|ies))\b.{0,80}\b(?:text|message|answer|customer)/is;

/** Whether a tool takes nothing but a text, and sends it. */
const sendsText = (tool: ModelTool): boolean =>
	isOneText(tool.parameters) && SENDING.test(aboutOf(tool));

const aboutOf = ({ name, description }: ModelTool): string =>
	`${name.replace(/[_-]/g, ' ')} ${description.replace(SAYING, '')}`;

const SAYING = /\bsay: "([^"]+)"/;

/** The newest first. */
const colleaguesLines = (messages: ModelMessage[]): string[] =>
	messages
		.filter(({ role }) => role === 'system')
		.flatMap(({ content }) => [...content.matchAll(/^Colleague: (.+)$/gm)])
		.map(([, line = '']) => line)
		.reverse();

/** Words that say nothing about what is asked for. */
const COMMON = new Set(
	'about could customer does from have hello message please tell text thank that them there they this tool what when where which will with would your'.split(
		' ',
	),
);

/** Words of four letters or more, the plural without its s. */
const wordsOf = (text: string): Set<string> =>
	new Set(
		(text.toLowerCase().match(/\p{L}{4,}/gu) ?? [])
			.map((word) => word.replace(/s$/, ''))
			.filter((word) => !COMMON.has(word)),
	);

/** The candidate that has the most words of the text. Undefined if none has one. */
function bestMatch<T>(text: string, candidates: T[], about: (one: T) => string): T | undefined {
	const words = wordsOf(text);
	const ranked = candidates
		.map((candidate) => {
			const shared = [...wordsOf(about(candidate))].filter((word) => words.has(word)).length;
			return { candidate, shared };
		})
		.sort((one, other) => other.shared - one.shared);
	return ranked[0] && ranked[0].shared > 0 ? ranked[0].candidate : undefined;
}
