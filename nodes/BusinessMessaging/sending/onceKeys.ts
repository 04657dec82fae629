import { createHash } from 'node:crypto';

/** What n8n's database remembers for a node. It cannot be asked without recording. */
export interface KeyMemory {
	/** Records values. @returns those that were recorded before */
	record(values: string[]): Promise<Set<string>>;
	remove(values: string[]): Promise<void>;
}

/** A key, and what is sent under it. */
export interface OnceKey {
	key: string;
	/** Tells channel, recipient and content. */
	fingerprint: string;
}

/**
 * What is known of a key. `new`: it was free and is now taken, for whoever asked to send and then to say how that ended. `sent`: it was sent before.
 * `doubt`: it was begun, and nobody saw the end. `reused`: it was begun with something else.
 */
export type Claim = 'new' | 'sent' | 'doubt' | 'reused';

type Step =
	| { kind: 'claim'; values: Values; settle: (claim: Claim) => void }
	| { kind: 'confirm' | 'free'; values: Values; settle: () => void };

/** What the memory holds of a key. */
interface Values {
	begun: string;
	begunWith: string;
	sent: string;
	/** Recorded before `sent` is asked for, which records it: a process that dies in between leaves doubt, and never what reads as sent. */
	asking: string;
}

/** Who has taken a key. */
interface Holder {
	/** Resolves once it said how sending ended. */
	ended: Promise<void>;
	release(): void;
}

/** Entries of `begunWith` that are left after their keys were sent, before they are removed together. */
const MOST_LEFT = 500;

/** Entries that the memory needs for so many keys: begun and sent of each, and room for what is under way, asked for or left. */
export const entriesFor = (keys: number): number => 2 * keys + 2 * MOST_LEFT;

/**
 * Sends nothing twice under one key, over items, executions and restarts. For one node of a workflow in this process: its memory is read and written
 * whole and without a lock, so there is one call at a time, and all that came meanwhile goes into the next.
 *
 * The states of a key, by what the memory holds: nothing (free); begun, and with what (somebody sends it, or died while sending); begun and sent. Who begins records
 * before the request leaves, and records `sent` before its place among those under way is given to another: so what a crash leaves in doubt is at most
 * what was under way.
 */
export class OnceKeys {
	/** By key. */
	private readonly held = new Map<string, Holder>();
	private steps: Array<Step & { memory: KeyMemory; fail: (error: unknown) => void }> = [];
	private isWorking = false;
	/** `begunWith` of keys that were sent since: to be removed. */
	private left: string[] = [];

	constructor(private readonly mostLeft = MOST_LEFT) {}

	get isIdle(): boolean {
		return this.held.size === 0 && !this.isWorking;
	}

	/**
	 * Takes a key, after whoever of this process holds it.
	 * @throws what the memory throws: nothing is taken then
	 */
	async claim(once: OnceKey, memory: KeyMemory): Promise<Claim> {
		let holder: Holder | undefined;
		while ((holder = this.held.get(once.key))) await holder.ended;
		this.held.set(once.key, newHolder());
		let claim: Claim | undefined;
		try {
			claim = await new Promise<Claim>((settle, fail) =>
				this.add({ kind: 'claim', values: valuesOf(once), settle, fail, memory }),
			);
		} finally {
			if (claim !== 'new') this.letGo(once);
		}
		return claim;
	}

	/** It was sent. */
	async confirm(once: OnceKey, memory: KeyMemory): Promise<void> {
		await this.end('confirm', once, memory);
	}

	/** It certainly was not sent: the key is free again. */
	async free(once: OnceKey, memory: KeyMemory): Promise<void> {
		await this.end('free', once, memory);
	}

	/** Nobody knows whether it was sent: the key stays in doubt. */
	leaveInDoubt(once: OnceKey): void {
		this.letGo(once);
	}

	private async end(kind: 'confirm' | 'free', once: OnceKey, memory: KeyMemory): Promise<void> {
		try {
			await new Promise<void>((settle, fail) =>
				this.add({ kind, values: valuesOf(once), settle, fail, memory }),
			);
		} finally {
			this.letGo(once);
		}
	}

	/** Removes what is left of keys that were sent, many at a time. Should that fail, it takes nothing but room. */
	private async tidy(steps: readonly Step[], memory: KeyMemory): Promise<void> {
		for (const { kind, values } of steps) if (kind === 'confirm') this.left.push(values.begunWith);
		if (this.left.length >= this.mostLeft) await memory.remove(this.left.splice(0)).catch(() => {});
	}

	private letGo({ key }: OnceKey): void {
		const holder = this.held.get(key);
		this.held.delete(key);
		holder?.release();
	}

	private add(step: (typeof this.steps)[number]): void {
		this.steps.push(step);
		if (!this.isWorking) void this.work();
	}

	private async work(): Promise<void> {
		this.isWorking = true;
		while (this.steps.length > 0) {
			const steps = this.steps.splice(0);
			try {
				const { memory } = steps[0]!;
				const settled = await decide(steps, memory);
				for (const settle of settled) settle();
				await this.tidy(steps, memory);
			} catch (error) {
				for (const { fail } of steps) fail(error);
			}
		}
		this.isWorking = false;
	}
}

const nodes = new Map<string, OnceKeys>();
/** Nodes that are kept in mind at once, before those are forgotten at which nothing happens. */
const MOST_KEPT = 1000;

/** The keys that all executions of a node in this process share. @param node tells the node and its workflow */
export function onceKeysOf(node: string): OnceKeys {
	const known = nodes.get(node);
	if (known) return known;
	if (nodes.size >= MOST_KEPT)
		for (const [name, keys] of nodes) if (keys.isIdle) nodes.delete(name);
	const keys = new OnceKeys();
	nodes.set(node, keys);
	return keys;
}

/** Takes many steps in a few calls. @returns what tells everybody; nobody is told anything unless all was written */
async function decide(steps: readonly Step[], memory: KeyMemory): Promise<Array<() => void>> {
	const claims = steps.filter((step) => step.kind === 'claim');
	const ended = steps.filter((step) => step.kind !== 'claim');
	const first = [
		...ended.flatMap(({ kind, values }) => (kind === 'confirm' ? [values.sent] : [])),
		...claims.flatMap(({ values }) => [values.begun, values.begunWith]),
	];
	// Two processes that both make the node's row collide, and the second finds it made. Only here: asked again, what was asked for would read as sent.
	const known = await record(memory, first).catch(async () => await record(memory, first));
	const begunBefore = claims.filter(
		({ values }) => known.has(values.begun) || known.has(values.begunWith),
	);
	const asked = await record(
		memory,
		begunBefore.map(({ values }) => values.asking),
	);
	const certain = begunBefore.filter(({ values }) => !asked.has(values.asking));
	const sent = await record(
		memory,
		certain.map(({ values }) => values.sent),
	);
	const verdictOf = ({ values }: (typeof claims)[number]): Claim => {
		if (!known.has(values.begun) && !known.has(values.begunWith)) return 'new';
		if (sent.has(values.sent)) return 'sent';
		return known.has(values.begunWith) || asked.has(values.asking) ? 'doubt' : 'reused';
	};
	// What asking alone recorded goes again: first what would read as sent, and only then the doubt about it.
	await remove(memory, [
		...ended.flatMap(({ kind, values }) =>
			kind === 'free' ? [values.begun, values.begunWith] : [],
		),
		...begunBefore.flatMap(({ values }) => (known.has(values.begunWith) ? [] : [values.begunWith])),
		...certain.flatMap(({ values }) => (sent.has(values.sent) ? [] : [values.sent])),
	]);
	await remove(
		memory,
		certain.map(({ values }) => values.asking),
	);
	return [
		...ended.map(({ settle }) => settle),
		...claims.map((claim) => () => claim.settle(verdictOf(claim))),
	];
}

const record = async (memory: KeyMemory, values: string[]): Promise<Set<string>> =>
	values.length === 0 ? new Set() : await memory.record(values);

const remove = async (memory: KeyMemory, values: string[]): Promise<void> => {
	if (values.length > 0) await memory.remove(values);
};

function newHolder(): Holder {
	let release = () => {};
	const ended = new Promise<void>((resolve) => (release = resolve));
	return { ended, release };
}

function valuesOf({ key, fingerprint }: OnceKey): Values {
	const value = (...parts: string[]) =>
		createHash('sha256')
			.update(JSON.stringify(['n8n business messaging once v1', ...parts]))
			.digest('base64url');
	return {
		begun: value('begun', key),
		begunWith: value('begun with', key, fingerprint),
		sent: value('sent', key, fingerprint),
		asking: value('asking', key),
	};
}
