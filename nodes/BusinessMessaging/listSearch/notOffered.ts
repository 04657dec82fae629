import { ServiceError } from '../service/errors';

/** What an empty list of business accounts means. Source: published, as a fault of the service. */
export const NO_BUSINESS =
	'The service lists no business account, a known fault of its own even if a channel is connected.';

/** Whether the service has no such list. Older ones have none. */
export const isNotOffered = (error: unknown): boolean =>
	error instanceof ServiceError && (error.status === 404 || error.status === 405);
