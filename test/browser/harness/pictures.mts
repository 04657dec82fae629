import { join } from 'node:path';

import { checkout } from '../../../scripts/checkout.mts';

/** Where pictures go; kept after the run and not part of the repository. */
export const ARTIFACTS = join(checkout, 'test-artifacts');

/** Under this name the tests' browsers are known to their environment. */
export const BROWSERS = 'openBrowsers';
