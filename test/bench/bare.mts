/**
 * What the sandbox is measured beside, each in a process of its own as the sandbox is:
 *
 *     bare.mts route                       a bare fastify route that parses a body and answers; prints its address
 *     bare.mts loop <url> <count> <n>      a bare undici loop that posts `count` bodies, `n` at once
 */
import fastify from 'fastify';
import { Pool } from 'undici';

async function route(): Promise<void> {
	const app = fastify();
	app.post('/v1/channels/:channelId/messages', async () => ({ messageId: '0'.repeat(32) }));
	console.log(`Listening at ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
}

async function loop(url: string, count: number, concurrency: number): Promise<void> {
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: concurrency });
	const body = JSON.stringify({ message: 'x'.repeat(1000) });
	let started = 0;
	const run = async () => {
		while (started < count) {
			started += 1;
			const response = await pool.request({ path: pathname, method: 'POST', headers: { 'content-type': 'application/json' }, body });
			await response.body.dump();
		}
	};
	await Promise.all(Array.from({ length: concurrency }, run));
	await pool.close();
}

const [mode, url = '', count, concurrency] = process.argv.slice(2);
await (mode === 'route' ? route() : loop(url, Number(count), Number(concurrency)));
