/** The everyday customers: what each of them does. */
import { replyButtonsOf } from '../client/messages.mts';
import type { Phone } from './played.mts';
import { type Guest, type Stage, untilSilence } from './stage.mts';

export interface Scene {
	/** For `--only`. */
	name: string;
	title: string;
	/** Nothing else is played meanwhile, because it sets faults of the whole account. */
	isAlone: boolean;
	play: (stage: Stage) => Promise<void>;
}

/** A machine has its fill of answers after these, and the bot should have had before. */
export const MOST_ANSWERS = 20;
const MACHINE_MS = 90_000;
const HELD_MS = 1500;
const LONGEST_TEXT = 4096;
/** The example Opt-Out knows these. */
const STOP_WORDS = ['STOP', 'ABMELDEN', 'BAJA', 'ARRÊT', 'PARAR', 'СТОП', 'إيقاف', '停止'];
const ODD_WORDS = [
	'I would like to know more. '.repeat(200),
	'مرحبا، أريد أن أطلب',
	'{{ $json }} ${process.env} %s',
	'=1+1',
	'*bold* <b>_x_</b> [a](b) https://shop.example/?a=1&b=2',
];
const PICTURE =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FILES = [
	['Picture', 'image/png', 'fault'],
	['Voice note', 'audio/ogg', 'remark'],
	['Sticker', 'image/webp', 'fine'],
] as const;
const NEW_KIND = [{ '@class': '.SomethingNew', type: 'SOMETHING_NEW', state_items: [] }];

type Named = [name: string, title: string];

/** A scene with one customer. */
const solo = (
	[name, title]: Named,
	play: (guest: Guest, stage: Stage) => Promise<void>,
	isAlone = false,
): Scene => ({
	...{ name, title, isAlone },
	play: async (stage) => await untilSilence(play(stage.guest(), stage)),
});
const scene = ([name, title]: Named, play: Scene['play']): Scene => ({
	...{ name, title, isAlone: false, play },
});

/** The service fails at the bot's next message. */
const failing = (named: Named, silence: Phone['silence'], fault: Failure): Scene =>
	solo(
		named,
		async (guest, stage) => {
			guest.silence = silence;
			await stage.fails({ on: 'route', operation: 'sendMessage', times: 1, ...fault });
			await guest.asks(guest.opening);
		},
		true,
	);
type Failure =
	{ kind: 'status'; status: number; retryAfter?: number; after?: boolean } | { kind: 'dropAfter' };

export const SCENES: readonly Scene[] = [
	scene(
		['one-message', 'A customer writes one message'],
		async (stage) =>
			await stage.each(stage.view.openings, async (guest, words) => await guest.asks(words)),
	),
	solo(['machine', 'A machine answers each answer'], async (guest) => {
		await guest.customer.write(guest.opening);
		const end = performance.now() + MACHINE_MS;
		for (let count = 0; (await guest.hears()) && performance.now() < end; count += 1) {
			guest.silence = 'fine';
			if (count === MOST_ANSWERS) return;
			await guest.customer.write(guest.marked('I am not at my desk.'));
		}
	}),
	solo(['three-in-a-row', 'A customer writes three messages in a row'], async (guest) => {
		await guest.customer.write(guest.opening);
		await guest.customer.write(guest.marked('Are you there?'));
		await guest.asks(guest.marked('I am in a hurry'));
	}),
	scene(
		['same-name', 'Two customers of the same name write at once'],
		async (stage) =>
			await stage.each(
				['blue', 'green'],
				async (guest, colour) => {
					await guest.asks(guest.opening);
					await guest.asks(guest.marked(`The ${colour} one, please`));
				},
				'Ana',
			),
	),
	solo(['again', 'The service delivers a message more than once'], async (guest) => {
		await guest.asks(guest.opening);
		await guest.notes('the same event is delivered again', 'again');
		await guest.again('redeliver');
		await guest.notes('the same message is delivered under another key', 'again');
		await guest.again('copy');
	}),
	solo(
		['out-of-order', 'A later message overtakes an earlier one'],
		async (guest, stage) => {
			await stage.holds(HELD_MS);
			await guest.customer.write(guest.opening);
			await guest.notes('the bot gets this one late');
			await guest.asks(guest.marked('Please hurry'));
		},
		true,
	),
	scene(
		['without-words', 'A picture, a voice note, a sticker, a contact, a new kind'],
		async (stage) => {
			const files = FILES.map(async ([name, type, silence]) => {
				const guest = stage.guest(silence, name);
				const file = new Blob([Uint8Array.from(Buffer.from(PICTURE, 'base64'))], { type });
				await guest.customer.sendFile(file, name === 'Sticker' ? { as: 'STICKER' } : {});
				await guest.answered();
			});
			const contact = stage.guest('fine', 'Contact');
			const contacts = [{ name: 'Ben', phones: ['5500000000199'] }];
			const newKind = stage.guest('fault', 'New kind');
			await Promise.all([
				...files,
				contact.customer.send({ type: 'CONTACT_ARRAY', contacts }).then(() => contact.answered()),
				untilSilence(
					newKind.asks(newKind.opening).then(async () => {
						await newKind.notes('sends something of a kind that is new');
						await newKind.again('copy', NEW_KIND);
					}),
				),
			]);
		},
	),
	scene(
		['odd-words', 'Long words, from right to left, code, markup, only an emoji'],
		async (stage) => {
			const emoji = stage.guest();
			await Promise.all([
				untilSilence(emoji.asks('👍')),
				stage.each(ODD_WORDS, async (guest, words) => {
					const room = LONGEST_TEXT - guest.marked('').length;
					await guest.asks(guest.marked(words.slice(0, room)));
				}),
			]);
		},
	),
	scene(
		['stop', 'A customer writes STOP, and a day passes'],
		async (stage) =>
			await stage.each(STOP_WORDS, async (guest, word) => {
				await guest.asks(guest.opening);
				guest.silence = 'fine';
				await guest.notes('wants no more', 'stop');
				await guest.asks(word);
				await guest.customer.closeWindow();
				await guest.notes('a day later');
				await guest.rests();
			}),
	),
	solo(['old-button', 'A customer taps a button of long ago, twice'], async (guest, { view }) => {
		await guest.asks(guest.opening);
		const [offer] = (await guest.messages()).flatMap(({ id, content }) =>
			replyButtonsOf(content).map(({ id: buttonId }) => ({ id, buttonId })),
		);
		await guest.asks(guest.marked('I do not know yet'));
		guest.silence = 'fine';
		for (const turn of ['an old button', 'it again']) {
			await guest.notes(`taps ${turn}`, offer && 'tap');
			const { buttonId } = offer ?? {};
			if (offer) await view.sandbox.control('POST', `/messages/${offer.id}/tap`, { buttonId });
			else await guest.customer.send({ type: 'BUTTON_REPLY', text: 'Yes', id: 'of-long-ago' });
			await guest.answered();
		}
	}),
	solo(
		['colleague', 'A colleague answers on the phone, then the customer writes'],
		async (guest) => {
			await guest.asks(guest.opening);
			await guest.colleagueWrites('Hello, this is Eva. I will look after this myself.');
			await guest.notes('a colleague wrote that', 'colleague');
			guest.silence = 'fine';
			await guest.asks(guest.marked('Thank you'));
		},
	),
	solo(
		['nothing-starts', 'A colleague writes first, and the customer only reads'],
		async (guest) => {
			await guest.colleagueWrites('Your parcel is here.');
			await guest.customer.read();
			await guest.notes('has read it');
			await guest.rests();
		},
	),
	failing(['asked-to-wait', 'The service asks the bot to wait a second (429)'], 'remark', {
		kind: 'status',
		status: 429,
		retryAfter: 1,
	}),
	failing(['busy', 'The service is busy once (503)'], 'remark', { kind: 'status', status: 503 }),
	failing(['failed-after', 'The service takes an answer, and says that it failed (500)'], 'fault', {
		kind: 'status',
		status: 500,
		after: true,
	}),
	failing(['cut-off', 'The service takes an answer, and the connection is cut'], 'fault', {
		kind: 'dropAfter',
	}),
	solo(
		['window', 'The conversation window closes before the answer'],
		async (guest, stage) => {
			guest.silence = 'remark';
			await stage.holds(HELD_MS);
			await guest.customer.write(guest.opening);
			await guest.customer.closeWindow();
			await guest.notes('the window closes, before the bot has the message');
			await guest.answered();
		},
		true,
	),
];
