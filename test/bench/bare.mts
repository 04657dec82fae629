/**
 * What the sandbox and the nodes are measured beside, each in a process of its own:
 *
 *     bare.mts route         a bare fastify route that parses a body and responds; prints its
 * address
 *     bare.mts loop <json>   a bare undici loop; prints its seconds as JSON
 */
import fastify from 'fastify';

import { load } from './load.mts';

export interface BareLoop {
	url: string;
	count: number;
	concurrency: number;
	headers?: Record<string, string>;
	/** Sends texts to them in turn; without, posts a kilobyte. */
	recipients?: string[];
}

async function route(): Promise<void> {
	const app = fastify();
	app.post('/v1/channels/:channelId/messages', async () => ({ messageId: '0'.repeat(32) }));
	console.log(`Listening at ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
}

async function loop({
	url,
	count,
	concurrency,
	headers = {},
	recipients,
}: BareLoop): Promise<void> {
	const { origin, pathname: path } = new URL(url);
	const kilobyte = JSON.stringify({ message: 'x'.repeat(1000) });
	const textTo = (identifier: string | undefined, n: number) =>
		JSON.stringify({
			recipient: { identifier },
			content: { type: 'TEXT', body: { message: `text ${n}` } },
		});
	const { seconds } = await load(origin, count, concurrency, (n) => ({
		path,
		headers: { 'content-type': 'application/json', ...headers },
		body: recipients ? textTo(recipients[n % recipients.length], n) : kilobyte,
	}));
	console.log(JSON.stringify({ seconds }));
}

const [mode, settings = '{}'] = process.argv.slice(2);
await (mode === 'route' ? route() : loop(JSON.parse(settings) as BareLoop));
