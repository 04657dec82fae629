/**
 * Begins them all, because most of their time is waiting. The test that waits for one reports its
 * failure.
 */
export function atOnce<Name, Outcome>(
	names: readonly Name[],
	play: (name: Name) => Promise<Outcome>,
): (name: Name) => Promise<Outcome> {
	const playing = new Map(names.map((name) => [name, play(name)]));
	for (const done of playing.values()) done.catch(() => {});
	return async (name) => await playing.get(name)!;
}
