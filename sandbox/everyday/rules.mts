/** What any bot owes any customer, judged by what was played. */
import type { Message } from '../client/index.mts';
import { described, textOf } from '../client/messages.mts';
import { WINDOW_CLOSED } from '../contract.mts';
import { cut, isOfBot, type Note, type Phone } from './played.mts';
import { MOST_ANSWERS } from './scenes.mts';

/** What a rule knows beside the phone. */
export interface Around {
	/** The name of the scene. */
	scene: string;
	/** Of all customers. */
	marks: readonly string[];
	/** Keys and addresses that no customer should read. */
	secrets: readonly string[];
}

/** @returns what broke the rule; undefined if nothing did */
type Judge = (phone: Phone, around: Around) => string | undefined;

export interface Rule {
	/** `fault`: wrong for every bot. `remark`: it can be meant. */
	level: 'fault' | 'remark';
	/** What holds, in a sentence. */
	owed: string;
	/** The node and its field. */
	change: string;
	brokenBy: Judge;
}

const rule =
	(level: Rule['level']) =>
	(owed: string, change: string, brokenBy: Judge): Rule => ({ level, owed, change, brokenBy });
const fault = rule('fault');
const remark = rule('remark');

const MOST_QUOTED = 80;

const quoted = (message: Message | undefined): string | undefined =>
	message && `'${cut(described(message), MOST_QUOTED)}'`;

const answers = ({ messages }: Phone): Message[] => messages.filter(isOfBot);
const heard = ({ messages }: Phone): Message[] =>
	messages.filter(({ direction }) => direction === 'in');
const all = ({ notes }: Phone, kind: Note['kind']) => notes.filter((note) => note.kind === kind);

const moreThan =
	(most: number, ofScene: string): Judge =>
	(phone, { scene }) =>
		scene === ofScene && answers(phone).length > most
			? `${answers(phone).length} answers`
			: undefined;

/** What the bot got last, if it sent nothing after that. */
function unanswered(phone: Phone): string | undefined {
	const last = heard(phone).at(-1);
	const [late] = all(phone, 'late');
	const since = late?.after ?? last?.number ?? Infinity;
	if (since === Infinity || answers(phone).some(({ number }) => number > since)) return undefined;
	return `nothing after ${late ? 'what came late' : quoted(last)}`;
}

/** The bot's messages after this one until the customer writes. */
function unasked({ messages }: Phone, after: number): Message[] {
	const later = messages.filter(({ number }) => number > after);
	const end = later.findIndex(({ direction }) => direction === 'in');
	return (end < 0 ? later : later.slice(0, end)).filter(isOfBot);
}

/** The same in a row, while there are more answers than messages. */
function repeated(phone: Phone): Message | undefined {
	const count = heard(phone).length + all(phone, 'new').length;
	if (answers(phone).length <= count) return undefined;
	const said = phone.messages.map((one) => isOfBot(one) && JSON.stringify(one.content));
	return phone.messages.find((_, place) => said[place] && said[place] === said[place - 1]);
}

const LEAK = /\b(?:undefined|null|NaN)\b|\[object |\{\{/g;

function leak(phone: Phone, { secrets }: Around): string | undefined {
	const said = heard(phone).map(({ content }) => textOf(content) ?? '');
	const isLeak = (part: string) => !said.some((words) => words.includes(part));
	return quoted(
		answers(phone).find(({ content }) => {
			const text = textOf(content);
			if (text === undefined) return false;
			const found = [...text.matchAll(LEAK)].map(([part]) => part);
			const secret = secrets.filter((one) => text.includes(one));
			return text.trim() === '' || [...found, ...secret].some(isLeak);
		}),
	);
}

function afterWindow({ sends }: Phone): string | undefined {
	const refused = sends.filter(({ refusal }) => refusal === WINDOW_CLOSED.message);
	return refused.length > 1 ? `${refused.length} messages that the service refused` : undefined;
}

export const RULES = {
	unanswered: fault(
		'Each customer who wrote gets an answer in time.',
		"The message's execution in n8n shows where it ended: connect a branch of the If or Switch for everything else. If the answer only comes later, try --within 60s.",
		(phone) => (phone.silence === 'fault' ? unanswered(phone) : undefined),
	),
	untaken: fault(
		'A webhook responds with 200 to each message, also of a kind that it does not know. Otherwise the service delivers it again and again.',
		'The execution in n8n, or the log of the bot, has the error. *Respond* of a Webhook node: Immediately.',
		({ untaken }) => untaken[0],
	),
	mixed: fault(
		'Nobody reads what another customer wrote.',
		'*Recipient* of each node that sends: `{{ $json.sender.identifier }}` of the same item. *Key* of the memory of an agent: `{{ $json.sessionId }}`, never the name.',
		(phone, { marks }) => {
			const others = marks.filter((mark) => mark !== phone.mark);
			const isMixed = (one: Message) => others.some((mark) => described(one).includes(mark));
			return quoted(answers(phone).find(isMixed));
		},
	),
	twice: fault(
		'Nothing is answered or sent twice, also if it is delivered again, or the service took it and responded with an error.',
		"Behind the trigger, n8n's Remove Duplicates, with *Value to Dedupe On* `{{ $json.messageId }}`; a bot without n8n remembers `message._id`. Turn off *Retry On Fail* of an HTTP Request node that sends.",
		(phone) =>
			quoted(
				all(phone, 'again').flatMap(({ after }) => unasked(phone, after))[0] ?? repeated(phone),
			),
	),
	leak: fault(
		'No customer reads `undefined`, `null`, `NaN`, `[object Object]`, `{{`, an empty text, a key or the address of n8n.',
		"*Text* of the node that sends: have words for what can be missing, such as `{{ $json.text || 'your message' }}`, and compute nothing that a customer wrote.",
		leak,
	),
	machine: fault(
		`A machine that answers each answer gets ${MOST_ANSWERS - 1} at most, and one that says that it was the last.`,
		"*A Person's Limit* of the trigger: 20 executions in 10 minutes.",
		moreThan(MOST_ANSWERS, 'machine'),
	),
	afterStop: fault(
		'After STOP, a customer gets one answer at most, until they write again.',
		'Publish the example Opt-Out, and let whatever else writes look up its table first.',
		(phone) => {
			const [stop] = all(phone, 'stop');
			const word = heard(phone).find(({ number }) => number > (stop?.after ?? Infinity));
			return word && quoted(unasked(phone, word.number)[1]);
		},
	),
	afterWindow: fault(
		'Once the window has closed, the service takes templates alone, and trying again changes nothing.',
		'*When the Window Is Closed* of the node that sends: Send a Template Instead. Turn off *Retry On Fail*.',
		afterWindow,
	),
	undeliverable: fault(
		'What the service takes, it can deliver.',
		'*File* of Send Media: an image, a video or a sound. A document goes as a link in a text.',
		({ messages }) => quoted(messages.find((one) => one.failure && !one.windowClosed)),
	),
	threeAnswers: remark(
		'Three messages in a row get one answer, as from a person.',
		'*Grouping* of the trigger: Wait for Quick Messages.',
		moreThan(2, 'three-in-a-row'),
	),
	overColleague: remark(
		'While a colleague is in the chat, a bot is silent.',
		'Let a colleague silence the bot, as the example Human Takeover does.',
		(phone) =>
			quoted(
				all(phone, 'colleague').flatMap(({ after }) =>
					answers(phone).filter(({ number }) => number > after),
				)[0],
			),
	),
	silent: remark(
		'Nobody is left without a word: after a voice note, after STOP, after the service was busy, when the window has closed.',
		'Voice note: *Message Types* of the trigger, also Audio. STOP: the example Opt-Out confirms it. Busy (503): *Retry On Fail* of the node that sends. Window: its *When the Window Is Closed*, Send a Template Instead.',
		(phone) => (phone.silence === 'remark' ? unanswered(phone) : undefined),
	),
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
