/** Things that are remembered. Over this number, idle ones are forgotten. */
const MAX_REMEMBERED = 1000;

/** Makes a thing for each name, which all executions of the process share. */
export function perName<Thing extends { readonly isIdle: boolean }>(
	make: () => Thing,
): (name: string) => Thing {
	const things = new Map<string, Thing>();
	return (name) => {
		const known = things.get(name);
		if (known) return known;
		if (things.size >= MAX_REMEMBERED)
			for (const [other, thing] of things) if (thing.isIdle) things.delete(other);
		const made = make();
		things.set(name, made);
		return made;
	};
}
