import { asDoor, type Door } from '../door.mts';
import { answersOfService } from './answers.mts';
import { registration, sending } from './models.mts';
import { reception } from './reception.mts';
import { closeSandbox, sandboxRoutes } from './sandbox.mts';
import { baseUrl, connection, retryAfter } from './settings.mts';
import { verification } from './verification.mts';

export const DOORS: Door[] = [
	asDoor(verification),
	asDoor(reception),
	asDoor(answersOfService),
	asDoor(sandboxRoutes),
	baseUrl,
	retryAfter,
	connection,
	asDoor(sending),
	asDoor(registration),
];

/** Ends what the doors have started. */
export const closeDoors = closeSandbox;
