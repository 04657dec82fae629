/** The everyday customers: what each of them does. */
import type { Fault } from '../client/index.mts';
import { now } from '../client/timers.mts';
import type { Part } from './guest.mts';
import type { Phone } from './played.mts';

export interface Scene {
	/** For `--only`. */
	name: string;
	title: string;
	/** Of the whole account, so nothing else is played meanwhile. */
	fault?: Fault | undefined;
	/** Its customers, who act at once. `openings`: what they may write first. */
	parts: (openings: readonly string[]) => Part[];
}

/** Twenty, and the one that says that it was the last. */
export const MOST_ANSWERS = 21;
const MACHINE_MS = 90_000;
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
const NEW_KIND = [{ '@class': '.SomethingNew', type: 'SOMETHING_NEW', state_items: [] }];

const scene = (name: string, title: string, parts: Scene['parts'], fault?: Fault): Scene => ({
	...{ name, title, parts, fault },
});
const solo = (name: string, title: string, play: Part['play']): Scene =>
	scene(name, title, () => [{ play }]);

const file = (name: string, type: string, silence: Phone['silence'], as?: 'STICKER'): Part => ({
	...{ name, silence },
	play: async (guest) => {
		const blob = new Blob([Uint8Array.from(Buffer.from(PICTURE, 'base64'))], { type });
		await guest.customer.sendFile(blob, as ? { as } : {});
		await guest.answered();
	},
});

/** The service fails at the bot's next message. */
const failing = (
	name: string,
	title: string,
	silence: Phone['silence'],
	failure: { status: number; after?: boolean },
): Scene =>
	scene(name, title, () => [{ silence, play: async (guest) => await guest.asks(guest.opening) }], {
		on: 'route',
		operation: 'sendMessage',
		times: 1,
		kind: 'status',
		...failure,
	});

export const SCENES: readonly Scene[] = [
	scene('one-message', 'A customer writes one message', (openings) =>
		openings.map((words) => ({ play: async (guest) => await guest.asks(words) })),
	),
	solo('machine', 'A machine answers each answer', async (guest) => {
		const end = now() + MACHINE_MS;
		await guest.asks(guest.opening);
		guest.silence = 'fine';
		for (let count = 0; count < MOST_ANSWERS && now() < end; count += 1) {
			await guest.customer.write(guest.marked('I am not at my desk.'));
			if (!(await guest.hears())) return;
		}
	}),
	solo('three-in-a-row', 'A customer writes three messages in a row', async (guest) => {
		await guest.customer.write(guest.opening);
		await guest.customer.write(guest.marked('Are you there?'));
		await guest.asks(guest.marked('I am in a hurry'));
	}),
	scene('same-name', 'Two customers of the same name write at once', () =>
		['blue', 'green'].map((colour) => ({
			name: 'Ana',
			play: async (guest) => {
				await guest.asks(guest.opening);
				await guest.asks(guest.marked(`The ${colour} one, please`));
			},
		})),
	),
	solo('again', 'The service delivers a message more than once', async (guest) => {
		await guest.asks(guest.opening);
		await guest.notes('the same event is delivered again', 'again');
		await guest.again('redeliver');
		await guest.notes('the same message is delivered under another key', 'again');
		await guest.again('copy');
	}),
	scene('without-words', 'A picture, a voice note, a sticker, a contact, a new kind', () => [
		file('Picture', 'image/png', 'fault'),
		file('Voice note', 'audio/ogg', 'remark'),
		file('Sticker', 'image/webp', 'fine', 'STICKER'),
		{
			...{ name: 'Contact', silence: 'fine' },
			play: async (guest) => {
				const contacts = [{ name: 'Ben', phones: ['5500000000199'] }];
				await guest.customer.send({ type: 'CONTACT_ARRAY', contacts });
				await guest.answered();
			},
		},
		{
			name: 'New kind',
			play: async (guest) => {
				await guest.asks(guest.opening);
				await guest.notes('sends something of a kind that is new', 'new');
				await guest.again('copy', NEW_KIND);
			},
		},
	]),
	scene('odd-words', 'Long words, from right to left, code, markup, only an emoji', () => [
		{ play: async (guest) => await guest.asks('👍') },
		...ODD_WORDS.map((words): Part => ({
			play: async (guest) => {
				const room = LONGEST_TEXT - guest.marked('').length;
				await guest.asks(guest.marked(words.slice(0, room)));
			},
		})),
	]),
	scene('stop', 'A customer writes STOP', () =>
		STOP_WORDS.map((word) => ({
			play: async (guest) => {
				await guest.asks(guest.opening);
				guest.silence = 'remark';
				await guest.notes('wants no more', 'stop');
				await guest.asks(word);
			},
		})),
	),
	solo('colleague', 'A colleague answers on the phone, then the customer writes', async (guest) => {
		await guest.asks(guest.opening);
		await guest.colleagueWrites('Hello, this is Eva. I will look after this myself.');
		await guest.notes('a colleague wrote that', 'colleague');
		guest.silence = 'fine';
		await guest.asks(guest.marked('Thank you'));
	}),
	solo('window', 'A message comes so late that the window has closed', async (guest) => {
		await guest.asks(guest.opening);
		await guest.customer.closeWindow();
		guest.silence = 'remark';
		const late = guest.marked('Is it still free?');
		await guest.notes(`the window closes, and the bot gets this late: ${late}`, 'late');
		await guest.again('copy', [{ type: 'TEXT', message: late }]);
	}),
	failing('busy', 'The service is busy once (503)', 'remark', { status: 503 }),
	failing('failed-after', 'The service takes an answer, and says that it failed (500)', 'fault', {
		...{ status: 500, after: true },
	}),
];
