import { EventEmitter } from 'node:events';

/** What a notice is about. */
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

/** Tells those who watch what happened: each notice with its topic and what to show of it. */
export type Bus = EventEmitter<Notices>;

/** Any number may watch: the route that lets them bounds it. */
export const createBus = (): Bus => new EventEmitter<Notices>().setMaxListeners(0);
