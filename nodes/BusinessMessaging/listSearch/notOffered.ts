import { ServiceError } from '../service/errors';

/** Whether the service has no such list. Older ones have none. */
export const isNotOffered = (error: unknown): boolean =>
	error instanceof ServiceError && (error.status === 404 || error.status === 405);
