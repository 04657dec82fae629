import { Pool } from 'undici';

export interface LoadRequest {
	path: string;
	body: string;
	headers: Record<string, string>;
}

/**
 * Posts `count` requests over that many connections.
 * @returns the seconds that it took
 */
export async function load(
	url: string,
	count: number,
	concurrency: number,
	requestOf: (n: number) => LoadRequest,
): Promise<number> {
	const pool = new Pool(url, { connections: concurrency });
	let next = 0;
	const run = async () => {
		while (next < count) {
			next += 1;
			const n = next;
			const { path, body, headers } = requestOf(n);
			const response = await pool.request({ path, method: 'POST', headers, body });
			const text = await response.body.text();
			if (response.statusCode >= 300)
				throw new Error(`${path} responded ${response.statusCode}: ${text}`);
		}
	};
	const began = performance.now();
	await Promise.all(Array.from({ length: concurrency }, run));
	const seconds = (performance.now() - began) / 1000;
	await pool.close();
	return seconds;
}
