/** Plays a script against the workflow that listens on a channel of the sandbox. */
import type { Channel, Customer, Duration, Fault, Sandbox } from '../client/index.mts';
import { millisecondsOf } from '../client/duration.mts';
import { sleep } from '../client/timers.mts';
import { Chat } from './chat.mts';
import { playCustomer, type StepDefaults } from './customer.mts';
import type { ParsedScript } from './parse.mts';
import { ScriptError } from './scriptError.mts';
import { Service } from './service.mts';
import { type Found, lookThrough } from './unasked.mts';
import type { BusinessAction, CustomerAction, Step } from './schema.mts';

export interface PlayOptions {
	/** Folder of the files that customers send. */
	folder: string;
	/**
	 * Longest wait for an expected message, unless the script says otherwise. Default: 5 s. Begins
	 * when the workflow has got what the customers said.
	 */
	within?: Duration | undefined;
	/**
	 * How long to watch for unexpected messages after the last step, unless the script says
	 * otherwise. Default: 1 s.
	 */
	settle?: Duration | undefined;
	/**
	 * Asks a person to do something outside the chats. Without it, scripts that need a person are
	 * refused.
	 */
	manually?:
		((what: string, customers: ReadonlyMap<string, Customer>) => Promise<void>) | undefined;
	/** Is told why a step waits longer than `within`. */
	onWait?: ((why: string) => void) | undefined;
}

/** How often to wait again because a message came. */
const MOST_ROUNDS = 10;

/** The result of a script. */
export interface Rehearsed extends Found {
	name: string;
	seconds: number;
	/** Numbers of the customers that the script made up. */
	newcomers: string[];
	/**
	 * Why the rest could not be played: a problem with the script or the sandbox, not with the
	 * workflow.
	 */
	broken?: string;
}

/** Whether a script moves the clock. All share it, so nothing else may be played meanwhile. */
export const movesClock = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ advance }) => advance !== undefined);

/** Whether a script asks a person to do something. */
export const needsPerson = ({ script }: ParsedScript): boolean =>
	script.steps.some(({ manually }) => manually !== undefined);

/** @throws ScriptError if a script needs a person, and there is none */
export function requirePlayable(
	parsed: ParsedScript,
	{ manually }: Pick<PlayOptions, 'manually'>,
): void {
	if (needsPerson(parsed) && !manually)
		throw new ScriptError(
			`'${parsed.script.name}' asks a person to do something. Play it in a terminal`,
		);
}

/**
 * Plays a script. Stops at the first step that fails.
 *
 * @throws ScriptError if it needs a person, and there is none
 */
export async function play(
	parsed: ParsedScript,
	sandbox: Sandbox,
	channel: Channel,
	options: PlayOptions,
): Promise<Rehearsed> {
	requirePlayable(parsed, options);
	const began = performance.now();
	const played = await new Play(parsed, sandbox, channel, options).run();
	const seconds = (performance.now() - began) / 1000;
	return { name: parsed.script.name, seconds, ...played };
}

class Play {
	readonly #parsed: ParsedScript;
	readonly #sandbox: Sandbox;
	readonly #channel: Channel;
	readonly #options: PlayOptions;
	readonly #defaults: StepDefaults;
	readonly #service: Service;
	readonly #chats = new Map<string, Chat>();
	readonly #newcomers: string[] = [];
	/** Switches off the faults that the script switched on. */
	readonly #faults: Array<() => Promise<void>> = [];

	constructor(parsed: ParsedScript, sandbox: Sandbox, channel: Channel, options: PlayOptions) {
		this.#parsed = parsed;
		this.#sandbox = sandbox;
		this.#channel = channel;
		this.#options = options;
		const { within = options.within ?? '5s', pace = '2s' } = parsed.script;
		this.#defaults = { folder: options.folder, within, pace };
		this.#service = new Service(sandbox, channel, options.onWait ?? (() => {}));
	}

	async run(): Promise<Omit<Rehearsed, 'name' | 'seconds'>> {
		const { answers, settle, steps } = this.#parsed.script;
		const chats = this.#chats;
		let broken: string | undefined;
		try {
			await this.#open();
			await this.#all(steps, (step) => this.#step(step));
			await this.#settle(millisecondsOf(settle ?? this.#options.settle ?? '1s'));
		} catch (error) {
			broken = error instanceof Error ? error.message : String(error);
		}
		for (const clear of this.#faults) await clear();
		const found = await lookThrough([...chats.values()], answers === 'required');
		return { ...found, newcomers: this.#newcomers, ...(broken === undefined ? {} : { broken }) };
	}

	async #open(): Promise<void> {
		const start = await this.#service.open();
		for (const [key, given] of Object.entries(this.#parsed.script.customers)) {
			const { name = key, number } = given ?? {};
			const customer = this.#channel.customer({
				name,
				...(number === undefined ? {} : { number }),
			});
			if (number === undefined) this.#newcomers.push(customer.number);
			this.#service.add(customer);
			this.#chats.set(key, new Chat(key, customer, start, this.#service));
		}
	}

	/** Waits until nothing comes for a while, but not for ever if a workflow never stops sending. */
	async #settle(quiet: number): Promise<void> {
		let before = -1;
		for (let round = 0; round < MOST_ROUNDS; round += 1) {
			const said = await Promise.all([...this.#chats.values()].map((chat) => chat.messages()));
			const count = said.flat().length;
			if (count === before) return;
			before = count;
			await sleep(quiet);
		}
	}

	/** Carries out steps one after the other. @returns false as soon as one fails */
	async #all<S>(steps: readonly S[], carryOut: (step: S) => Promise<boolean>): Promise<boolean> {
		for (const step of steps) if (!(await carryOut(step))) return false;
		return true;
	}

	async #step(step: Step): Promise<boolean> {
		const { advance, faults, together, manually, control } = step;
		if (advance !== undefined) await this.#sandbox.advance(advance);
		else if (faults) {
			// The script's faults were checked when it was read.
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
				'body' in control
					? (JSON.parse(this.#named(JSON.stringify(control.body))) as object)
					: undefined,
			);
		else return await this.#said(step);
		return true;
	}

	/** Steps of several customers side by side. Those of one customer keep their order. */
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
		return await playCustomer(chat, action, this.#defaults, this.#parsed.lineOf(step));
	}

	/** A colleague writes on the business's phone. */
	async #bySomebody({ to, writes, sends }: BusinessAction): Promise<true> {
		const chat = this.#chats.get(to)!;
		await this.#sandbox.control('POST', '/from-phone', {
			channelId: this.#channel.channelId,
			to: chat.customer.number,
			...(sends ?? { type: 'TEXT', text: writes }),
		});
		return true;
	}

	/** A text of a control step with ids in place of names. */
	#named(text: string): string {
		return text
			.replaceAll('{channel}', this.#channel.channelId)
			.replaceAll('{account}', this.#channel.id);
	}
}
