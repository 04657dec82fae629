import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/checkout.mts';

/** What is mutated at a time: its files, and the score that it must reach, in percent. */
export interface Part {
	name: string;
	/** Globs of Stryker's `mutate`. */
	mutate: string[];
	bound?: number;
}

const NODES = 'nodes/BusinessMessaging';

/** Each folder of the nodes is a part, and these have a bound. */
const BOUNDS: Record<string, number> = {
	credentials: 85,
	delivery: 85,
	sending: 85,
	service: 85,
	trigger: 85,
	workarounds: 85,
};
/** Over all parts. */
export const OVERALL_BOUND = 70;

/** The parts, from the folders as they are. */
export function parts(): Part[] {
	const folders = readdirSync(join(checkout, NODES), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
		.map(({ name }) => ({ name, mutate: [`${NODES}/${name}/**/*.ts`] }));
	const all = [
		...folders,
		{ name: 'nodes', mutate: [`${NODES}/*.ts`] },
		{ name: 'credentials', mutate: ['credentials/**/*.ts'] },
	];
	const lost = Object.keys(BOUNDS).find((bounded) => !all.some(({ name }) => name === bounded));
	if (lost)
		throw new Error(`The mutation tester has a bound for '${lost}', and there is no such folder`);
	return all.map((part) => ({
		...part,
		...(BOUNDS[part.name] === undefined ? {} : { bound: BOUNDS[part.name] }),
	}));
}
