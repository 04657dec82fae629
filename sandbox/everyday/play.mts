/** Plays everyday scenes with the bot that listens on a channel. */
import { StartError } from '../core/errors.mts';
import { Guest, type View } from './guest.mts';
import { isOfBot, type Phone, type Played } from './played.mts';
import type { Scene } from './scenes.mts';

/** How many scenes are played at once. More would only wait for a bot on a small machine. */
const LANES = 4;

/**
 * Plays the first scene, then all that can be played side by side, then each of the others.
 *
 * @param onPlayed is told of each scene
 * @returns in the order of the scenes, only the first if nothing answered
 * @throws StartError if the sandbox or the bot stops, because that says nothing of the bot
 */
export async function playScenes(
	[first, ...others]: readonly Scene[],
	view: View,
	onPlayed: (played: Played) => void = () => {},
): Promise<Played[]> {
	if (!first) return [];
	const done = new Map<Scene, Played>();
	let broken: StartError | undefined;
	const plays = async (scene: Scene | undefined) => {
		if (!scene || broken) return;
		try {
			const played = await playScene(scene, view);
			onPlayed(played);
			done.set(scene, played);
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			broken ??= new StartError(
				`The scene '${scene.name}' broke off: ${why}. So nothing is judged. Start what has stopped, and play the scenes again.`,
			);
		}
	};
	const together = others.filter(({ fault }) => !fault);
	const lane = async () => {
		while (together.length > 0) await plays(together.shift());
	};
	await plays(first);
	const opened = done.get(first);
	if (opened?.phones.every(isOwed)) return [opened];
	await Promise.all(Array.from({ length: LANES }, lane));
	for (const scene of others) if (scene.fault) await plays(scene);
	if (broken) throw broken;
	return [first, ...others].map((scene) => done.get(scene)!);
}

/** Whether an answer is owed, and none came. */
const isOwed = ({ silence, messages }: Phone): boolean =>
	silence === 'fault' && !messages.some(isOfBot);

/** Leaves the account as it was, as far as there still is a sandbox. */
export async function clear({ faults, guests }: View): Promise<void> {
	for (const fault of faults.splice(0)) await fault.clear().catch(() => {});
	for (const guest of guests.splice(0)) await guest.leaves();
}

async function playScene({ name, title, fault, parts }: Scene, view: View): Promise<Played> {
	const began = performance.now();
	const guests = parts(view.openings).map((part) => new Guest(view, part));
	if (fault) view.faults.push(await view.channel.faults.set(fault));
	await Promise.all(guests.map(async (guest) => await guest.plays()));
	for (const active of view.faults.splice(0)) await active.clear();
	const phones = await Promise.all(guests.map(async (guest) => await guest.phone()));
	return { name, title, seconds: (performance.now() - began) / 1000, phones };
}
