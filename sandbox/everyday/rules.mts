/** What any bot owes any customer, judged by what was played. */
import type { Message } from '../client/index.mts';
import { described, textOf } from '../client/messages.mts';
import { WINDOW_CLOSED } from '../contract.mts';
import { isOfBot, type Note, type Phone } from './played.mts';
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

type Judge = (phone: Phone, around: Around) => string | undefined;

export interface Rule {
	name: string;
	/** `fault`: wrong for every bot. `remark`: it can be meant. */
	level: 'fault' | 'remark';
	/** What holds, in a sentence. */
	owed: string;
	/** The node and its field. */
	change: string;
	/** @returns what broke it; undefined if nothing did */
	brokenBy: Judge;
}

const rule =
	(level: Rule['level']) =>
	(name: string, owed: string, change: string, brokenBy: Judge): Rule => ({
		...{ level, name, owed, change, brokenBy },
	});
const fault = rule('fault');
const remark = rule('remark');

const SHOWN = 80;

const quoted = (message: Message | undefined): string | undefined => {
	if (!message) return undefined;
	const words = described(message);
	return `'${words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words}'`;
};

const answers = ({ messages }: Phone): Message[] => messages.filter(isOfBot);
const all = ({ notes }: Phone, kind: Note['kind']) => notes.filter((note) => note.kind === kind);
const noteOf = (phone: Phone, kind: Note['kind']) => all(phone, kind)[0]?.after;
const moreThan = (most: number, phone: Phone): string | undefined =>
	answers(phone).length > most ? `${answers(phone).length} answers` : undefined;
const heard = ({ messages }: Phone): Message[] =>
	messages.filter(({ direction }) => direction === 'in');

/** The customer's last words, if the bot sent nothing after them. */
function unanswered(phone: Phone): string | undefined {
	const last = heard(phone).at(-1);
	if (!last || answers(phone).some(({ number }) => number > last.number)) return undefined;
	const refused = phone.sends.find(({ status }) => status !== null && status >= 400)?.refusal;
	const why = refused === undefined ? '' : ` (the service refused what the bot sent: ${refused})`;
	return `nothing after ${quoted(last)}${why}`;
}

/** Silence that can be meant. */
const silence =
	(...scenes: string[]): Judge =>
	(phone, { scene }) =>
		scenes.includes(scene) && phone.silence === 'remark' ? unanswered(phone) : undefined;

/** Messages after a note until the customer writes. */
function unasked({ messages }: Phone, after: number): Message[] {
	const later = messages.filter(({ number }) => number > after);
	const end = later.findIndex(({ direction }) => direction === 'in');
	return (end < 0 ? later : later.slice(0, end)).filter(isOfBot);
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

const refusedByWindow = ({ sends }: Phone) =>
	sends.filter(({ refusal }) => refusal === WINDOW_CLOSED.message).length;

/** The same answer to the taps of one button. */
function decidedTwice(phone: Phone): string | undefined {
	const [first, second] = all(phone, 'tap').map(({ after }) =>
		answers(phone).filter(({ number }) => number > after),
	);
	const once = first?.find((message) => !second?.includes(message));
	const again = second?.find(({ content }) => once && isSame(content, once.content));
	return quoted(again);
}

const isSame = (one: Message['content'], other: Message['content']): boolean =>
	JSON.stringify(one) === JSON.stringify(other);

/** Whether the message before says the same. */
function isRepeated(message: Message, place: number, messages: readonly Message[]): boolean {
	const before = messages[place - 1];
	return !!before && isOfBot(before) && isOfBot(message) && isSame(before.content, message.content);
}

export const RULES: readonly Rule[] = [
	fault(
		'unanswered',
		'Each customer who wrote gets an answer in time.',
		"The message's execution in n8n shows where it ended: connect a branch of the If or Switch for everything else. If the answer only comes later, try --within 60s.",
		(phone) => (phone.silence === 'fault' ? unanswered(phone) : undefined),
	),
	fault(
		'untaken',
		'A webhook responds with 200 to each message, also of a kind that it does not know. Otherwise the service delivers it again and again.',
		'The execution in n8n, or the log of the bot, has the error. *Respond* of a Webhook node: Immediately.',
		({ untaken }) => untaken[0],
	),
	fault(
		'mixed',
		'Nobody reads what another customer wrote.',
		'*Recipient* of each node that sends: `{{ $json.sender.identifier }}` of the same item. *Key* of the memory of an agent: `{{ $json.sessionId }}`, never the name.',
		(phone, { marks }) =>
			quoted(
				answers(phone).find((message) =>
					marks.some((mark) => mark !== phone.mark && described(message).includes(mark)),
				),
			),
	),
	fault(
		'answeredAgain',
		'A message is answered once, however often it is delivered.',
		"Behind the trigger, n8n's Remove Duplicates, with *Value to Dedupe On* `{{ $json.messageId }}`. A bot without n8n remembers `message._id`.",
		(phone) => quoted(all(phone, 'again').flatMap(({ after }) => unasked(phone, after))[0]),
	),
	fault(
		'repeated',
		'Nothing is sent twice in a row, also if the service took it and responded with an error.',
		'Message → Send Text does not repeat what may have been sent. Turn off *Retry On Fail* of an HTTP Request node that sends.',
		(phone) =>
			all(phone, 'again').length > 0 ? undefined : quoted(phone.messages.find(isRepeated)),
	),
	fault(
		'leak',
		'No customer reads `undefined`, `null`, `NaN`, `[object Object]`, `{{`, an empty text, a key or the address of n8n.',
		"*Text* of the node that sends: have words for what can be missing, such as `{{ $json.text || 'your message' }}`, and compute nothing that a customer wrote.",
		leak,
	),
	fault(
		'machine',
		`A machine that answers each answer gets ${MOST_ANSWERS} at most.`,
		"*A Person's Limit* of the trigger, or count the answers in a data table, as the example AI Agent does.",
		(phone, { scene }) => (scene === 'machine' ? moreThan(MOST_ANSWERS, phone) : undefined),
	),
	fault(
		'afterStop',
		'After STOP, a customer gets one answer at most, until they write again.',
		'What writes later, behind a Wait or a Schedule Trigger, looks up the table of the example Opt-Out first.',
		(phone) => {
			const stop = heard(phone).find(({ number }) => number > (noteOf(phone, 'stop') ?? Infinity));
			return stop && refusedByWindow(phone) > 0
				? 'a message that the service refused'
				: stop && quoted(unasked(phone, stop.number)[1]);
		},
	),
	fault(
		'afterWindow',
		'Once the window has closed, the service takes templates alone, and trying again changes nothing.',
		'*When the Window Is Closed* of the node that sends: Send a Template Instead. Turn off *Retry On Fail*.',
		(phone, { scene }) =>
			scene === 'window' && refusedByWindow(phone) > 1
				? `${refusedByWindow(phone)} messages that the service refused`
				: undefined,
	),
	fault(
		'undeliverable',
		'What the service takes, it can deliver.',
		'*File* of Send Media: an image, a video or a sound. A document goes as a link in a text.',
		({ messages }) => quoted(messages.find((one) => one.failure && !one.windowClosed)),
	),
	fault(
		'uninvited',
		"A status, or a colleague's message, starts no answer.",
		'*Events* of the trigger: Message Received alone. With others, an If behind it: `{{ $json.fromMe }}` is false.',
		(phone) => (heard(phone).length === 0 ? quoted(answers(phone)[0]) : undefined),
	),
	remark(
		'threeAnswers',
		'Three messages in a row get one answer, as from a person.',
		'*Grouping* of the trigger: Wait for Quick Messages.',
		(phone, { scene }) => (scene === 'three-in-a-row' ? moreThan(2, phone) : undefined),
	),
	remark(
		'silentToVoice',
		'A customer who sends a voice note hears something.',
		'*Message Types* of the trigger: also Audio. Transcribe it, as the example Voice Notes does, or ask for words.',
		silence('without-words'),
	),
	remark(
		'answeredSticker',
		'A sticker ends a conversation, and needs no answer.',
		'*Message Types* of the trigger: all except Sticker.',
		(phone) => (phone.name === 'Sticker' ? quoted(answers(phone)[0]) : undefined),
	),
	remark(
		'silentToStop',
		'A customer who writes STOP is told that it was heard.',
		'Publish the example Opt-Out, which keeps STOP and confirms it.',
		(phone) => (all(phone, 'stop').length > 0 ? unanswered(phone) : undefined),
	),
	remark(
		'decidedTwice',
		'What a button orders, pays or books happens once, however often it is tapped. (A menu may answer each time.)',
		'Keep what was decided in a data table, and look there first. *Send and Wait for Response* takes one tap alone.',
		decidedTwice,
	),
	remark(
		'overColleague',
		'While a colleague is in the chat, a bot is silent.',
		'Let a colleague silence the bot, as the example Human Takeover does.',
		(phone) => {
			const joined = noteOf(phone, 'colleague') ?? Infinity;
			return quoted(answers(phone).find(({ number }) => number > joined));
		},
	),
	remark(
		'silentWhenBusy',
		'After 429 and 503 nothing was sent, so the answer is sent again.',
		'*Retry On Fail* in the settings of the node that sends: on.',
		silence('asked-to-wait', 'busy'),
	),
	remark(
		'silentAfterWindow',
		'A customer whose window has closed gets a template.',
		'*When the Window Is Closed* of the node that sends: Send a Template Instead.',
		silence('window'),
	),
];
