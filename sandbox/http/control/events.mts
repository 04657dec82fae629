import type { FastifyInstance } from 'fastify';

import type { Context } from '../../context.mts';
import type { Topic } from '../../core/bus.mts';
import { Refusal } from '../../core/errors.mts';

const MAX_WATCHERS = 32;
/** Bytes that a watcher may leave unread. A slower one is told to load everything again. */
const MAX_UNREAD = 1024 * 1024;
const HEARTBEAT = 15_000;

export function eventRoutes(app: FastifyInstance, { bus }: Context): void {
	/**
	 * Server-sent events: each is named by its topic, with its data as JSON. `missed`: load
	 * everything again.
	 */
	app.get('/_sandbox/events', async (request, reply) => {
		if (bus.listenerCount('notice') >= MAX_WATCHERS)
			throw new Refusal(503, `At most ${MAX_WATCHERS} can watch at once`);
		const { raw } = reply;
		reply.hijack();
		raw.writeHead(200, {
			'content-type': 'text/event-stream',
			'cache-control': 'no-store',
			connection: 'keep-alive',
		});
		raw.write('retry: 1000\n\nevent: ready\ndata: {}\n\n');
		let missed = false;
		const tell = (topic: Topic, data: unknown) => {
			if (raw.writableLength > MAX_UNREAD) {
				missed = true;
				return;
			}
			if (missed) raw.write('event: missed\ndata: {}\n\n');
			missed = false;
			raw.write(`event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`);
		};
		bus.on('notice', tell);
		const heartbeat = setInterval(
			() => raw.write(missed && raw.writableLength === 0 ? 'event: missed\ndata: {}\n\n' : ':\n\n'),
			HEARTBEAT,
		);
		heartbeat.unref();
		request.raw.socket.once('close', () => {
			clearInterval(heartbeat);
			bus.off('notice', tell);
		});
	});
}
