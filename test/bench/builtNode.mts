import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { checkout } from '../../scripts/checkout.mts';

const load = createRequire(import.meta.url);

/** A node of the package as it was last built into dist/. */
export function builtNode(name: 'BusinessMessaging' | 'BusinessMessagingTrigger'): INodeType {
	const loaded = load(
		join(checkout, 'dist', 'nodes', 'BusinessMessaging', `${name}.node.js`),
	) as Record<string, new () => INodeType>;
	return new loaded[name]!();
}
