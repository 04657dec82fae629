import { idKey } from '../../service/contract';
import { cutText } from '../../service/cutText';
import { BoundedMap } from '../tools/boundedMap';

/** Whether the service can probably reach n8n's webhook URL, by the addresses alone. */
export type Reachability =
	{ verdict: 'fine' } | { verdict: 'doubtful' | 'unreachable'; problem: string; remedy: string };

type Network = 'thisMachine' | 'privateNetwork' | 'internet';

/** Without WEBHOOK_URL, n8n's URLs are for this machine alone. @param thenDo after a change */
export function judgeReachability(
	webhookUrl: string,
	serviceUrl: string,
	thenDo = 'publish the workflow again',
): Reachability {
	const remedy = remedyOfReach(thenDo);
	const judged = (verdict: 'doubtful' | 'unreachable', problem: string) => ({
		verdict,
		problem,
		remedy,
	});
	const url = new URL(webhookUrl);
	const receiver = networkOf(url.hostname);
	const service = networkOf(new URL(serviceUrl).hostname);
	if (service === 'thisMachine') {
		if (receiver !== 'thisMachine') return { verdict: 'fine' };
		return judged(
			'doubtful',
			`The webhook URL ${webhookUrl} works only because the service runs on this machine`,
		);
	}
	const problem = problemOfReach(webhookUrl, serviceUrl);
	if (problem !== undefined)
		return judged(receiver === 'thisMachine' ? 'unreachable' : 'doubtful', problem);
	if (url.protocol === 'http:' && receiver === 'internet')
		return judged(
			'doubtful',
			`The webhook URL ${webhookUrl} is not encrypted: customers' messages can be read on the way`,
		);
	return { verdict: 'fine' };
}

export const remedyOfReach = (thenDo: string): string =>
	`Set the environment variable WEBHOOK_URL to the address at which the service reaches this n8n, e.g. https://n8n.example.com/, restart n8n, and ${thenDo}.`;

/** Why the service cannot open an address, or perhaps not. Undefined if nothing tells. */
export function problemOfReach(url: string, serviceUrl: string): string | undefined {
	const [target, service] = [url, serviceUrl].map((each) => networkOf(new URL(each).hostname));
	if (service === 'thisMachine') return undefined;
	const shown = cutText(url, 256);
	if (target === 'thisMachine')
		return `The service cannot reach ${shown}: it is an address of this machine only`;
	return target === 'privateNetwork' && service === 'internet'
		? `The service can reach ${shown} only from the same private network`
		: undefined;
}

function networkOf(hostname: string): Network {
	const host = hostname
		.toLowerCase()
		.replace(/^\[|\]$/g, '')
		.replace(/\.$/, '');
	if (host === 'localhost' || host.endsWith('.localhost')) return 'thisMachine';
	const ipv4 = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(host);
	if (ipv4) return networkOfIpv4(Number(ipv4[1]), Number(ipv4[2]));
	if (host.includes(':')) return networkOfIpv6(host);
	// Only the local network knows a name without a dot, such as that of a container.
	return !host.includes('.') || /\.(local|internal|lan|home\.arpa)$/.test(host)
		? 'privateNetwork'
		: 'internet';
}

function networkOfIpv4(first: number, second: number): Network {
	if (first === 127 || first === 0) return 'thisMachine';
	const isPrivate =
		first === 10 ||
		(first === 172 && second >= 16 && second <= 31) ||
		(first === 192 && second === 168) ||
		(first === 169 && second === 254);
	return isPrivate || (first === 100 && second >= 64 && second <= 127)
		? 'privateNetwork'
		: 'internet';
}

function networkOfIpv6(host: string): Network {
	// URL writes an IPv4 address within IPv6 as two hexadecimal groups.
	const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(host)?.[1];
	if (mapped !== undefined)
		return networkOfIpv4(parseInt(mapped, 16) >> 8, parseInt(mapped, 16) & 0xff);
	if (host === '::1' || host === '::') return 'thisMachine';
	return /^(f[cd]|fe[89ab])/.test(host) ? 'privateNetwork' : 'internet';
}

/** When this process last took a delivery of a channel, in ISO format. */
const times = new BoundedMap<string>(10_000);

export function rememberReceived(channelId: string): void {
	times.set(idKey(channelId), new Date().toISOString());
}

export const lastReceived = (channelId: string): string | undefined => times.get(idKey(channelId));
