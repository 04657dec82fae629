import type { Rule } from '../naming.mts';
import { DELIVERIES } from './delivery.mts';
import { MARKDOWN } from './markdown.mts';
import { RESOURCES } from './resources.mts';
import { SEND_AND_WAIT } from './sendAndWait.mts';
import { SENDING } from './sending.mts';
import { SERVICE } from './service.mts';
import { TRIGGER_AND_SHARED } from './triggerAndShared.mts';

/**
 * The faults that no unit or core test notices, and why that does not matter. A run tells which survivors stand here and which do not: kill those by a
 * test, or name them.
 */
export const RULES: readonly Rule[] = [
	...TRIGGER_AND_SHARED,
	...MARKDOWN,
	...SEND_AND_WAIT,
	...RESOURCES,
	...SENDING,
	...SERVICE,
	...DELIVERIES,
];
