/**
 * Run by itself: the bare undici loop that the node is measured beside. Prints its seconds.
 *
 *     bare.mts <json>
 */
import { load } from './load.mts';

export interface BareLoop {
	url: string;
	count: number;
	concurrency: number;
	headers: Record<string, string>;
	/** Sends texts to them in turn. */
	recipients: string[];
}

const [settings = '{}'] = process.argv.slice(2);
const { url, count, concurrency, headers, recipients } = JSON.parse(settings) as BareLoop;
const { origin, pathname: path } = new URL(url);
const seconds = await load(origin, count, concurrency, (n) => ({
	path,
	headers: { 'content-type': 'application/json', ...headers },
	body: JSON.stringify({
		recipient: { identifier: recipients[n % recipients.length] },
		content: { type: 'TEXT', body: { message: `text ${n}` } },
	}),
}));
console.log(seconds);
