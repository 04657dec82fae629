import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

const fixture = (file: string): string => join(checkout, 'test', 'fixtures', file);

/** The package that users have before an update, packed. */
export const VERSION_BEFORE = {
	version: '0.1.0',
	tarball: fixture('n8n-nodes-business-messaging-0.1.0.tgz'),
	workflows: fixture('workflows-0.1.0.json'),
};
