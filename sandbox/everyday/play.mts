/** Plays everyday scenes with the bot that listens on a channel. */
import { Guest, type View } from './guest.mts';
import { isOfBot, type Played } from './played.mts';
import type { Scene } from './scenes.mts';

/** How many scenes are played at once. More would only wait for a bot on a small machine. */
const LANES = 4;

/**
 * Plays the first scene, then all that can be played side by side, then each of the others.
 *
 * @param mayBeSilent whether the rest is played even if nothing answers the first
 * @param onPlayed is told of each scene
 * @returns in the order of the scenes, only the first if nothing answered
 */
export async function playScenes(
	[first, ...others]: readonly Scene[],
	view: View,
	mayBeSilent = false,
	onPlayed: (played: Played) => void = () => {},
): Promise<Played[]> {
	if (!first) return [];
	const done = new Map<Scene, Played>();
	const plays = async (scene: Scene) => {
		const played = await playScene(scene, view);
		onPlayed(played);
		done.set(scene, played);
		return played;
	};
	const opened = await plays(first);
	const owes = opened.phones.some(({ silence }) => silence === 'fault');
	const isAnswered = opened.phones.some(({ messages }) => messages.some(isOfBot));
	if (owes && !isAnswered && !mayBeSilent) return [opened];
	const together = others.filter(({ fault }) => !fault);
	const lane = async () => {
		for (let scene = together.shift(); scene; scene = together.shift()) await plays(scene);
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	for (const scene of others) if (scene.fault) await plays(scene);
	return [opened, ...others.map((scene) => done.get(scene)!)];
}

/** Leaves the account as it was. */
export async function clear({ faults, guests }: View): Promise<void> {
	for (const fault of faults.splice(0)) await fault.clear();
	for (const guest of guests.splice(0)) await guest.leaves();
}

async function playScene({ name, title, fault, parts }: Scene, view: View): Promise<Played> {
	const began = performance.now();
	const guests = parts(view.openings).map((part) => new Guest(view, part));
	const acts = async () => {
		if (fault) view.faults.push(await view.channel.faults.set(fault));
		await Promise.all(guests.map(async (guest) => await guest.plays()));
		return {};
	};
	const broken = await acts().catch((error: unknown) => ({
		broken: error instanceof Error ? error.message : String(error),
	}));
	if (fault) for (const active of view.faults.splice(0)) await active.clear();
	const phones = await Promise.all(guests.map(async (guest) => await guest.phone()));
	return { name, title, seconds: (performance.now() - began) / 1000, phones, ...broken };
}
