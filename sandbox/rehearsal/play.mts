/** Plays a script against whatever workflow listens on a channel of the sandbox. */
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';

import {
	type Channel,
	type Customer,
	type Duration,
	ExpectationError,
	type Fault,
	type Message,
	type Sandbox,
} from '../client/index.mts';
import { millisecondsOf } from '../client/duration.mts';
import { templateParametersOf } from '../client/messages.mts';
import { sleep } from '../client/timers.mts';
import { WINDOW_CLOSED } from '../contract.mts';
import { Chat, inWords, isAsWanted, type Refused } from './chat.mts';
import { type ParsedScript, ScriptError } from './parse.mts';
import { type Found, lookThrough } from './unasked.mts';
import type { BusinessAction, CustomerAction, Step } from './schema.mts';

export interface PlayOptions {
	/** Where the files lie that customers send. */
	folder: string;
	/** How long what must come is waited for, where the script does not say. Default: 5 s. */
	within?: Duration | undefined;
	/** How long after the last step it is looked for what nobody asked for, where the script does not say. Default: 1 s. */
	settle?: Duration | undefined;
	/** Does what a person does outside the chats. Without it, a script that asks for that is refused. */
	manually?:
		((what: string, customers: ReadonlyMap<string, Customer>) => Promise<void>) | undefined;
}

/** What came of a script. */
export interface Rehearsed extends Found {
	name: string;
	seconds: number;
	/** Why the rest could not be played: a fault of the script, or of the sandbox; not of the workflow. */
	broken?: string;
}

const MEDIA_TYPES: Record<string, string> = {
	...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp' },
	...{ '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4', '.aac': 'audio/aac' },
	...{ '.amr': 'audio/amr', '.mp4': 'video/mp4', '.3gp': 'video/3gpp' },
};

/** Whether a script moves the clock, which is one for all: nothing else may be played meanwhile. */
export const movesClock = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ advance }) => advance !== undefined);

/** Whether a script asks a person to do something. */
export const needsPerson = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ manually }) => manually !== undefined);

/**
 * Plays a script, and stops at the first step that is not met.
 *
 * @throws ScriptError when it asks for a person and there is none
 */
export async function play(
	parsed: ParsedScript,
	sandbox: Sandbox,
	channel: Channel,
	options: PlayOptions,
): Promise<Rehearsed> {
	if (needsPerson(parsed) && !options.manually)
		throw new ScriptError(
			`'${parsed.script.name}' asks a person to do something, and there is none: play it in a terminal`,
		);
	return await new Play(parsed, sandbox, channel, options).run();
}

class Play {
	readonly #parsed: ParsedScript;
	readonly #sandbox: Sandbox;
	readonly #channel: Channel;
	readonly #options: PlayOptions;
	readonly #chats = new Map<string, Chat>();
	/** Switches off what the script switched on. */
	readonly #faults: Array<() => Promise<void>> = [];

	constructor(parsed: ParsedScript, sandbox: Sandbox, channel: Channel, options: PlayOptions) {
		this.#parsed = parsed;
		this.#sandbox = sandbox;
		this.#channel = channel;
		this.#options = options;
	}

	async run(): Promise<Rehearsed> {
		const { name, answers, settle } = this.#parsed.script;
		const began = performance.now();
		let broken: string | undefined;
		try {
			await this.#open();
			await this.#all(this.#parsed.script.steps, (step) => this.#step(step));
			await sleep(millisecondsOf(settle ?? this.#options.settle ?? '1s'));
		} catch (error) {
			broken = error instanceof Error ? error.message : String(error);
		}
		for (const clear of this.#faults) await clear();
		const found = await lookThrough([...this.#chats.values()], answers === 'required');
		const seconds = (performance.now() - began) / 1000;
		return { name, seconds, ...found, ...(broken === undefined ? {} : { broken }) };
	}

	async #open(): Promise<void> {
		const start = (await this.#channel.messages()).at(-1)?.number ?? 0;
		const known = new Set((await this.#refused()).map(({ number }) => number));
		const refusals = async () => (await this.#refused()).filter(({ number }) => !known.has(number));
		for (const [key, given] of Object.entries(this.#parsed.script.customers)) {
			const { name = key, number } = given ?? {};
			const customer = this.#channel.customer({
				name,
				...(number === undefined ? {} : { number }),
			});
			this.#chats.set(key, new Chat(key, customer, start, refusals));
		}
	}

	/** Sends on the channel that the service refused since a window was closed. What a fault refused was asked for. */
	async #refused(): Promise<Refused[]> {
		const path = `/v1/channels/${this.#channel.channelId}/messages`;
		const { requests } = await this.#sandbox.control<{
			requests: Array<{ number: number; recipient?: string; refusal?: string }>;
		}>('GET', `/requests?method=POST&path=${path}&limit=20000`);
		return requests.flatMap(({ number, recipient, refusal }) =>
			recipient !== undefined && refusal === WINDOW_CLOSED.message ? [{ number, recipient }] : [],
		);
	}

	/** Carries out steps one after the other. @returns false as soon as one is not met */
	async #all<S>(steps: readonly S[], carryOut: (step: S) => Promise<boolean>): Promise<boolean> {
		for (const step of steps) if (!(await carryOut(step))) return false;
		return true;
	}

	async #step(step: Step): Promise<boolean> {
		const { advance, faults, together, manually, control } = step;
		if (advance !== undefined) await this.#sandbox.advance(advance);
		else if (faults) {
			// What a fault can be was checked where the script was read.
			const fault = await this.#channel.faults.set(faults as unknown as Fault);
			this.#faults.push(() => fault.clear());
		} else if (together) return await this.#together(together);
		else if (manually !== undefined)
			await this.#options.manually?.(
				manually,
				new Map([...this.#chats].map(([key, { customer }]) => [key, customer])),
			);
		else if (control)
			await this.#sandbox.control(
				control.method,
				this.#named(control.path),
				control.body && (JSON.parse(this.#named(JSON.stringify(control.body))) as object),
			);
		else return await this.#said(step);
		return true;
	}

	/** Steps of several side by side; those of one in their order. */
	async #together(steps: readonly Step[]): Promise<boolean> {
		const lanes = new Map<string, Step[]>();
		for (const step of steps) {
			const [who = ''] = Object.keys(step);
			lanes.set(who, [...(lanes.get(who) ?? []), step]);
		}
		const ends = await Promise.all(
			[...lanes.values()].map((lane) => this.#all(lane, (step) => this.#said(step))),
		);
		return ends.every(Boolean);
	}

	async #said(step: Step): Promise<boolean> {
		const { business, ...others } = step;
		if (business) return await this.#bySomebody(business);
		const [[key, action] = []] = Object.entries(others as Record<string, CustomerAction>);
		const chat = this.#chats.get(key ?? '');
		if (!chat || !action) throw new Error('the step has no customer: it was not checked');
		return await this.#byCustomer(chat, action, this.#parsed.lineOf(step));
	}

	/** A colleague, on the business's phone. */
	async #bySomebody({ to, writes, sends }: BusinessAction): Promise<true> {
		const chat = this.#chats.get(to)!;
		await this.#sandbox.control('POST', '/from-phone', {
			channelId: this.#channel.channelId,
			to: chat.customer.number,
			...(sends ?? { type: 'TEXT', text: writes }),
		});
		return true;
	}

	async #byCustomer(chat: Chat, action: CustomerAction, line: number): Promise<boolean> {
		const { customer } = chat;
		const within = action.within ?? this.#parsed.script.within ?? this.#options.within ?? '5s';
		const { buttons, parameters, language } = action;
		if (action.gets) {
			const pattern = action.gets;
			const wanted = (message: Message) => isAsWanted(message, pattern, buttons);
			return await chat.gets(inWords(pattern, buttons), wanted, within, line);
		}
		if (action.getsTemplate !== undefined) {
			const name = action.getsTemplate;
			const what = [
				`the template ${name}`,
				language && `in ${language}`,
				parameters && `with [${parameters.join(', ')}]`,
			];
			const wanted = ({ content }: Message) =>
				content.type === 'TEMPLATE' &&
				content.template.name === name &&
				(language === undefined || content.template.language.code === language) &&
				(parameters === undefined ||
					JSON.stringify(templateParametersOf(content)) === JSON.stringify(parameters));
			return await chat.gets(what.filter(Boolean).join(' '), wanted, within, line);
		}
		if (action.getsNothing !== undefined) return await chat.getsNothing(action.getsNothing, line);
		if (action.isRefused) return await chat.isRefused(within, line);
		if (action.taps !== undefined) return await this.#taps(chat, action.taps, within, line);
		if (action.writes !== undefined) await customer.write(action.writes);
		else if (action.sends) await customer.send(action.sends);
		else if (action.sendsFile !== undefined)
			await this.#sendsFile(customer, action.sendsFile, action);
		else if (action.reads) await customer.read();
		else if (action.closesWindow) await customer.closeWindow();
		return true;
	}

	async #taps(chat: Chat, button: string, within: Duration, line: number): Promise<boolean> {
		try {
			await chat.customer.tap(button, { within });
			return true;
		} catch (error) {
			if (!(error instanceof ExpectationError)) throw error;
			return await chat.miss(`expected a button '${button}' to tap; none came`, line);
		}
	}

	async #sendsFile(
		customer: Customer,
		file: string,
		{ as, caption }: CustomerAction,
	): Promise<void> {
		const type = MEDIA_TYPES[extname(file).toLowerCase()];
		if (type === undefined)
			throw new ScriptError(
				`${file} is of no type that can be sent: ${Object.keys(MEDIA_TYPES).join(', ')}`,
			);
		const bytes = await readFile(resolve(this.#options.folder, file));
		await customer.sendFile(new Blob([bytes], { type }), {
			...(as === undefined ? {} : { as }),
			...(caption === undefined ? {} : { caption }),
		});
	}

	/** A text of a control step with ids in the place of their names. */
	#named(text: string): string {
		return text
			.replaceAll('{channel}', this.#channel.channelId)
			.replaceAll('{account}', this.#channel.id);
	}
}
