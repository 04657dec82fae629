/** A bot on the service's API that does all right, or one thing wrong. */
import type { IncomingHttpHeaders } from 'node:http';

import type { Account } from '#sandbox/client/index.mts';
import { clientOf, startReceiver, templateContent } from './helpers.mts';
import { buttons, text } from './playedBot.mts';

interface Event {
	message: {
		_id: string;
		metadata: { from_me: boolean; from_api: boolean };
		sender: { identifier: string; name: string };
		recipient: { identifier: string };
		contents: Content[];
		attachments: Content[];
	};
}
interface Content {
	type: string;
	message?: string;
}

/** What it remembers of a customer. */
interface Known {
	answers: number;
	hasColleague: boolean;
}

const STOP = ['STOP', 'ABMELDEN', 'BAJA', 'ARRÊT', 'PARAR', 'СТОП', 'إيقاف', '停止'];
const KINDS = ['TEXT', 'IMAGE', 'AUDIO', 'STICKER', 'CONTACT_ARRAY'];
const MOST_ANSWERS = 20;
const MOST_SAID = 200;

/** @param flaw the rule of everyday customers that it breaks, if any */
export async function startEverydayBot(account: Account, flaw?: string) {
	const has = (one: string): boolean => one === flaw;
	const { call } = clientOf(account.baseUrl, { secretKey: account.secretKey });
	const messages = `/v1/channels/${account.channelId}/messages`;
	const seen = new Set<string>();
	const customers = new Map<string, Known>();
	/** By name, as no bot should. */
	const words = new Map<string, string>();
	let twoCame = () => {};
	const twoOfAName = new Promise<void>((resolve) => (twoCame = resolve));

	const knownAs = (identifier: string): Known => {
		const known = customers.get(identifier) ?? { answers: 0, hasColleague: false };
		customers.set(identifier, known);
		return known;
	};

	const send = async (identifier: string, content: object, turn = 0): Promise<void> => {
		const again = async (other: object) => await send(identifier, other, turn + 1);
		const body = { recipient: { identifier }, content };
		const { status } = await call(messages, { body }).catch(() => ({ status: 0 }));
		if ((status === 429 || status === 503) && !has('silentWhenBusy')) await again(content);
		if (status >= 500 && status !== 503 && has('repeated')) await again(content);
		if (status !== 422 || turn > 1) return;
		if (has('afterWindow') && turn === 0) await again(content);
		else if (!has('silentAfterWindow')) await again(templateContent('hello_again', []));
	};

	/** What it says to a message of a customer, one after the other. */
	const answersTo = (known: Known, { type, message: said = '' }: Content, name: string) => {
		if (STOP.includes(said)) {
			if (has('silentToStop')) return [];
			const more = has('afterStop') ? [text('Are you still there?')] : [];
			return [text('You get no more.'), ...more];
		}
		if (known.hasColleague && !has('overColleague')) return [];
		if (known.answers >= MOST_ANSWERS && !has('machine')) return [];
		if (type === 'STICKER' || type === 'CONTACT_ARRAY') return [];
		if (type === 'AUDIO') return has('silentToVoice') ? [] : [text('Please write.')];
		if (type === 'IMAGE') return [has('leak') ? text(`You said: undefined`) : picture(has)];
		// More follows.
		if (said.startsWith('Are you there?') && !has('threeAnswers')) return [];
		if (has('unanswered') && !/\w|\p{L}/u.test(said)) return [];
		const own = has('mixed') ? (words.get(name) ?? '') : said;
		return [buttons(`You said: ${own.slice(0, MOST_SAID)}${own.slice(-10)}`, 'Yes', 'No')];
	};

	const take = async ({ message }: Event, headers: IncomingHttpHeaders): Promise<void> => {
		const { _id: id, sender, recipient, metadata } = message;
		if (metadata.from_me) {
			if (metadata.from_api) return;
			knownAs(recipient.identifier).hasColleague = true;
			return;
		}
		const key = String(headers['x-idempotency-key']);
		if (seen.has(key) || (seen.has(id) && !has('answeredAgain'))) return;
		seen.add(key).add(id);
		const known = knownAs(sender.identifier);
		const [content = { type: 'NONE' }] = [...message.contents, ...message.attachments];
		if (!KINDS.includes(content.type)) return;
		if (words.has(sender.name) && known.answers === 0) twoCame();
		words.set(sender.name, content.message ?? '');
		if (has('mixed') && sender.name === 'Ana' && known.answers === 0) await twoOfAName;
		for (const answer of answersTo(known, content, sender.name)) {
			known.answers += 1;
			await send(sender.identifier, answer);
		}
	};

	const receiver = await startReceiver(({ json, headers }) => {
		const event = json as Event;
		const isKnown = event.message.contents.every(({ type }) => KINDS.includes(type));
		if (has('untaken') && !isKnown) return { status: 500 };
		// The message is under way until it is answered, however busy the machine is.
		return { held: take(event, headers) };
	});
	await account.addTemplate({ name: 'hello_again', body: 'Hello again' });
	const { body } = await call<{ id: string }>(`/v1/channels/${account.channelId}/webhooks`, {
		body: { url: receiver.url, events: ['MESSAGE_RECEIVED', 'MESSAGE_DELIVERY'] },
	});
	return { webhooks: [body.id], stop: receiver.close };
}

const picture = (has: (flaw: string) => boolean) =>
	has('undeliverable')
		? { type: 'IMAGE', attachments: [{ url: 'https://shop.example.com/prices.pdf' }] }
		: text('Thank you for the picture.');
