import { DEFAULT_TEMPLATES_PATH } from '#sandbox/contract.mts';
import { freePort } from '#scripts/n8n/processes.mts';
import { DEMO_CHANNEL_ID, DEMO_SECRET_KEY } from '#sandbox/seed.mts';
import { type ProbeResult, runProbe } from '#sandbox/probe/run.mts';
import { PERMISSIONS, type Person, type ProbeOptions } from '#sandbox/probe/runContext.mts';
import { Stop } from '#sandbox/probe/stop.mts';
import type { Client } from './helpers.mts';

export const PHONE = '5500000000777';

/** About ten lines, as the probe asks for. */
const LONG = Array.from({ length: 12 }, (_, line) => `Line ${line} of what I write to you`).join(
	'\n',
);

interface ChatMessage {
	id: string;
	content: { buttons?: Array<{ id: string; title: string }> };
}

/** The customer of a sandbox who does what the probe asks. */
export function customerOf(
	{ control }: Client,
	{ channelId = DEMO_CHANNEL_ID, phone = PHONE } = {},
): Person {
	return {
		ask: async (what) => {
			if (what === 'write')
				await control('/inbound', { body: { channelId, from: phone, text: LONG } });
			else {
				const chat = `/messages?channelId=${channelId}&customer=${encodeURIComponent(phone)}`;
				const { messages } = await control<{ messages: ChatMessage[] }>(chat);
				const offer = messages.findLast(({ content }) =>
					content.buttons?.some(({ id }) => id === 'probe-yes'),
				);
				await control(`/messages/${offer!.id}/tap`, { body: { buttonId: 'probe-yes' } });
			}
			return true;
		},
	};
}

/** A person who must not be asked. */
export const NOBODY: Person = {
	ask: async (what) => {
		throw new Error(`the probe asks to ${what}`);
	},
};

/** What a run is allowed and given by default: nothing but reading. */
export const READING: Omit<ProbeOptions, 'url'> = {
	...{ key: DEMO_SECRET_KEY, channelId: DEMO_CHANNEL_ID, phone: undefined, allowed: new Set() },
	...{ publicUrl: undefined, port: 0, wait: 60_000, templatesPath: DEFAULT_TEMPLATES_PATH },
};

/** All that a run can be allowed and given, but for its address for deliveries. */
export const EVERYTHING: Omit<ProbeOptions, 'url'> = {
	...READING,
	...{ phone: PHONE, allowed: new Set(PERMISSIONS) },
};

/** A free port of this machine, and its address. */
export async function deliveriesHere() {
	const port = await freePort();
	return { port, publicUrl: `http://127.0.0.1:${port}` };
}

export interface Probed extends ProbeResult {
	/** What was printed. */
	lines: string[];
	differing: string[];
	holding: string[];
	/** The reasons of the rest. */
	unasked: Record<string, string>;
}

/** Probes an address. @param client of the sandbox behind it */
export async function probeAt(
	url: string,
	client: Client,
	options: Partial<ProbeOptions> = EVERYTHING,
	person: Person = customerOf(client),
): Promise<Probed> {
	const lines: string[] = [];
	const receives = options.allowed?.has('webhooks') && options.phone !== undefined;
	const address = receives && !options.publicUrl ? await deliveriesHere() : {};
	const parts = { person, stop: new Stop(), say: (line: string) => void lines.push(line) };
	const result = await runProbe({ ...READING, ...options, ...address, url }, parts);
	const idsThat = (holds: boolean) =>
		result.file.facts.filter((fact) => fact.holds === holds).map(({ id }) => id);
	return {
		...{ ...result, lines, differing: idsThat(false), holding: idsThat(true) },
		unasked: Object.fromEntries(
			result.file.facts
				.filter(({ holds }) => holds === null)
				.map(({ id, reason = '' }) => [id, reason]),
		),
	};
}

/** Marked webhooks and channels in the sandbox. */
export async function marked({ control }: Client): Promise<string[]> {
	const state = await control<{
		tenants: Array<{ channels: Array<{ name: string }> }>;
		webhooks: Array<{ description: string | null }>;
	}>('/state');
	const names = [
		...state.tenants.flatMap(({ channels }) => channels.map(({ name }) => name)),
		...state.webhooks.map(({ description }) => description ?? ''),
	];
	return names.filter((name) => name.startsWith('business-messaging-probe'));
}
