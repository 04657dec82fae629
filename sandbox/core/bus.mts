import { EventEmitter } from 'node:events';

/** The topic of a notice. */
export type Topic =
	| 'message'
	| 'status'
	| 'channel'
	| 'webhook'
	| 'delivery'
	| 'request'
	| 'clock'
	| 'fault'
	| 'settings'
	| 'tenant'
	| 'template'
	| 'reset';

interface Notices {
	notice: [topic: Topic, data: unknown];
}

/** Tells watchers what happened: each notice has a topic and data to show. */
export type Bus = EventEmitter<Notices>;

/** No limit here: the route for watchers limits them. */
export const createBus = (): Bus => new EventEmitter<Notices>().setMaxListeners(0);
