/** The failures of the service, and the errors that n8n shows for them. */
export type { Effect, Failure, FailureReason } from './serviceError';
export { mayBeDone, notDone, ServiceError } from './serviceError';
export { asError, orBusy, toNodeError } from './nodeError';
export { OR_INSTEAD } from './rulesOfKinds';
