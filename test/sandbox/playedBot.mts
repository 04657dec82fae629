import { type Account, connect, type Sandbox } from '#sandbox/client/index.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { play, type PlayOptions, type Rehearsed } from '#sandbox/rehearsal/play.mts';
import { testSandbox } from './deliveryHarness.mts';
import { clientOf, startReceiver, templateContent } from './helpers.mts';

/** The parts of a message that a bot gets. */
export interface Heard {
	/** Empty for a file. */
	text: string;
	button?: string;
	customer: string;
	/** Number of the customer's messages so far. */
	count: number;
}

export const text = (message: string) => ({ type: 'TEXT', body: { message } });
export const buttons = (message: string, ...titles: string[]) => ({
	type: 'INTERACTIVE_BUTTON',
	body: { message },
	attachments: titles.map((title) => ({ id: title.toLowerCase(), title })),
});
export const template = (name: string, ...texts: string[]) =>
	templateContent(name, [
		{ type: 'body', parameters: texts.map((value) => ({ type: 'text', text: value })) },
	]);

/** Sends as the business does. @returns the status */
export async function sendAs(
	{ baseUrl, channelId, secretKey }: Account,
	customer: string,
	content: object,
): Promise<number> {
	const path = `/v1/channels/${channelId}/messages`;
	const body = { recipient: { identifier: customer }, content };
	return (await clientOf(baseUrl).call(path, { key: secretKey, body })).status;
}

/** A bot with its own account, whose answers a test chooses. */
export interface Bot {
	sandbox: Sandbox;
	account: Account;
	/** Statuses of its sends. */
	statuses: number[];
	/** Sends as the workflow would. */
	sends: (customer: string, content: object) => Promise<void>;
	plays: (script: string, options?: Partial<PlayOptions>) => Promise<Rehearsed>;
	stop(): Promise<void>;
}

/** @param answer returns the contents that the bot sends after a message, in order */
export async function startBot(
	url: string,
	answer: (heard: Heard, bot: Bot) => object[] | Promise<object[]>,
): Promise<Bot> {
	const sandbox = await connect(url);
	const account = await sandbox.account();
	const statuses: number[] = [];
	const counts = new Map<string, number>();
	const receiver = await startReceiver((received) => {
		const { message } = received.json as {
			message: {
				sender: { identifier: string };
				contents: Array<{ type: string; message?: string; button?: { id: string } }>;
			};
		};
		const [content] = message.contents;
		const customer = message.sender.identifier;
		const count = (counts.get(customer) ?? 0) + 1;
		counts.set(customer, count);
		const heard = { customer, count, text: content?.message ?? '' };
		// The words are under way until it has answered, however busy the machine is.
		return { held: say({ ...heard, ...(content?.button ? { button: content.button.id } : {}) }) };
	});
	const bot: Bot = {
		...{ sandbox, account, statuses },
		sends: async (customer, content) =>
			void statuses.push(await sendAs(account, customer, content)),
		plays: async (script, options = {}) =>
			await play(parseScript(script, 'test.yaml'), sandbox, account, {
				// A busy machine may be slow.
				...{ folder: import.meta.dirname, within: '20s', settle: '300ms' },
				...options,
			}),
		stop: async () => {
			await account.remove();
			await receiver.close();
		},
	};
	const say = async (heard: Heard): Promise<void> => {
		for (const content of await answer(heard, bot)) await bot.sends(heard.customer, content);
	};
	await clientOf(url).call(`/v1/channels/${account.channelId}/webhooks`, {
		key: account.secretKey,
		body: { url: receiver.url, events: ['MESSAGE_RECEIVED'] },
	});
	return bot;
}

/** A sandbox for the tests of a file, and bots that stop after each. */
export function botHarness() {
	const bots: Bot[] = [];
	afterEach(async () => {
		for (const bot of bots.splice(0)) await bot.stop();
	});
	const service = testSandbox();
	const botThat = async (answer: Parameters<typeof startBot>[1]): Promise<Bot> => {
		const bot = await startBot(service.url, answer);
		bots.push(bot);
		return bot;
	};
	return { service, botThat };
}

/** The problems of a rehearsal in a line each. */
export const told = ({ problems }: Rehearsed) =>
	problems.map(({ kind, what }) => `${kind}: ${what}`);
