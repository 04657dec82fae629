/** Plays everyday scenes with the bot that listens on a channel. */
import { isOfBot, type Played } from './played.mts';
import type { Scene } from './scenes.mts';
import { type Setting, Stage, type View, viewOf } from './stage.mts';

/** How many scenes are played at once. More would only wait for a bot on a small machine. */
const LANES = 4;

/** Can be interrupted, and then leaves the sandbox as it was, too. */
export class Everyday {
	readonly #stages: Stage[] = [];

	/**
	 * Plays the first scene, then all that can be played side by side, then each of the others.
	 *
	 * @param mayBeSilent whether the rest is played even if nothing answers the first
	 * @param onPlayed is told of each scene
	 * @returns in the order of the scenes, only the first if nothing answered
	 */
	async plays(
		[first, ...others]: readonly Scene[],
		setting: Setting,
		mayBeSilent = false,
		onPlayed: (played: Played) => void = () => {},
	): Promise<Played[]> {
		if (!first) return [];
		const view = await viewOf(setting);
		const plays = async (scene: Scene) => {
			const played = await this.#play(scene, view);
			onPlayed(played);
			return [scene, played] as const;
		};
		const [, opened] = await plays(first);
		const isOwed = opened.phones.some(
			({ silence, messages }) =>
				silence === 'fault' && messages.some(({ direction }) => direction === 'in'),
		);
		const isAnswered = opened.phones.some(({ messages }) => messages.some(isOfBot));
		if (isOwed && !isAnswered && !mayBeSilent) return [opened];
		const done = new Map<Scene, Played>();
		const together = others.filter(({ isAlone }) => !isAlone);
		const lane = async () => {
			for (let scene = together.shift(); scene; scene = together.shift())
				done.set(...(await plays(scene)));
		};
		await Promise.all(Array.from({ length: LANES }, lane));
		for (const scene of others) if (scene.isAlone) done.set(...(await plays(scene)));
		return [opened, ...others.map((scene) => done.get(scene)!)];
	}

	/** Removes what is left of all scenes. */
	async clears(): Promise<void> {
		for (const stage of this.#stages.splice(0)) {
			await stage.clears();
			for (const guest of stage.guests) await guest.leaves();
		}
	}

	async #play({ name, title, play }: Scene, view: View): Promise<Played> {
		const began = performance.now();
		const stage = new Stage(view);
		this.#stages.push(stage);
		const broken = await play(stage).then(
			() => ({}),
			(error: unknown) => ({ broken: error instanceof Error ? error.message : String(error) }),
		);
		await stage.clears();
		const phones = await Promise.all(stage.guests.map(async (guest) => await guest.phone()));
		return { name, title, seconds: (performance.now() - began) / 1000, phones, ...broken };
	}
}
