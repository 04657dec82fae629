import { asEntryPoint, type EntryPoint } from '../entryPoint.mts';
import { foreignTaps } from './foreignTaps.mts';
import { serviceResponses } from './serviceResponses.mts';
import { hiding } from './hiding.mts';
import { listedTemplates } from './listedTemplates.mts';
import { listedWebhooks } from './listedWebhooks.mts';
import { registration, sending } from './models.mts';
import { people } from './people.mts';
import { reception } from './reception.mts';
import { closeSandbox, sandboxRoutes } from './sandbox.mts';
import { baseUrl, connection, retryAfter } from './settings.mts';
import { timeOfCode } from './time.mts';
import { verification } from './verification.mts';

const INTO_THE_CODE: EntryPoint[] = [
	asEntryPoint(verification),
	asEntryPoint(reception),
	asEntryPoint(serviceResponses),
	asEntryPoint(listedWebhooks),
	asEntryPoint(foreignTaps),
	asEntryPoint(hiding),
	asEntryPoint(listedTemplates),
	asEntryPoint(sandboxRoutes),
	baseUrl,
	retryAfter,
	connection,
	asEntryPoint(people),
	asEntryPoint(sending),
	asEntryPoint(registration),
];

export const ENTRY_POINTS: EntryPoint[] = [
	asEntryPoint(timeOfCode(INTO_THE_CODE)),
	...INTO_THE_CODE,
];

/** Ends what the entry points have started. */
export const closeEntryPoints = closeSandbox;
