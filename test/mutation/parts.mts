import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

const NODES = 'nodes/BusinessMessaging';

/** The scores that Stryker must find, in percent. */
export const BOUNDS: Record<string, number> = {
	...{ credentials: 85, delivery: 85, sending: 85, service: 85, trigger: 85, workarounds: 85 },
	'over all': 70,
};

/** What is mutated at a time: each folder of the nodes, and the files beside them. */
export const PARTS = new Map([
	...readdirSync(join(checkout, NODES), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
		.map(({ name }) => [name, `${NODES}/${name}/**/*.ts`] as const),
	['nodes', `${NODES}/*.ts`],
	['credentials', 'credentials/**/*.ts'],
]);
