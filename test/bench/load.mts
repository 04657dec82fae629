import { Pool } from 'undici';

export interface LoadRequest {
	path: string;
	body: string;
	headers: Record<string, string>;
}

/** Posts `count` requests, so many at once over as many connections. Gives the answers, and how many a second there were. */
export async function load(url: string, count: number, concurrency: number, requestOf: (n: number) => LoadRequest) {
	const pool = new Pool(url, { connections: concurrency });
	const answers: string[] = [];
	let next = 0;
	const run = async () => {
		while (next < count) {
			next += 1;
			const { path, body, headers } = requestOf(next);
			const response = await pool.request({ path, method: 'POST', headers, body });
			const answer = await response.body.text();
			if (response.statusCode >= 300) throw new Error(`${path} answered ${response.statusCode}: ${answer}`);
			answers.push(answer);
		}
	};
	const began = performance.now();
	await Promise.all(Array.from({ length: concurrency }, run));
	const seconds = (performance.now() - began) / 1000;
	await pool.close();
	return { answers, seconds, perSecond: count / seconds };
}
