import { join } from 'node:path';

import { checkout } from '#scripts/checkout.mts';

/** The folder for pictures. It is kept after the run, and is not part of the repository. */
export const ARTIFACTS = join(checkout, 'test-artifacts');

/** The name under which the environment keeps the tests' browsers. */
export const BROWSERS = 'openBrowsers';
