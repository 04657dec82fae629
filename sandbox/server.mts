import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { closeContext, createContext } from './context.mts';
import { StartError } from './core/errors.mts';
import { hostNamed, isAllowedHost, isLoopback } from './core/loopback.mts';
import { createApp } from './http/app.mts';
import { demoSecretKey, replacePublishedKey } from './demoKey.mts';
import { seedIfNew } from './seed.mts';
import type { NewTenants } from './seedTenants.mts';

export interface SandboxOptions {
	/** Default 0: a free port. */
	port?: number;
	/** Address to listen on. Default 127.0.0.1: only this machine. */
	host?: string;
	/** SQLite file for the state. Default `:memory:`. */
	dataFile?: string;
	/** Makes the ids and delivery offsets of a new data file the same in every run. */
	seed?: string;
	/** False: a new data file starts without the demo tenant. */
	demo?: boolean;
	/** Further contents of a new data file. Throws a Refusal if they are not possible. */
	tenants?: NewTenants;
	/** Further hosts that deliveries may go to; `*` allows any. */
	allowDeliveryTo?: readonly string[];
	/** Address of the n8n that the page may post to. Default: it posts nowhere. */
	n8n?: string | undefined;
	/** Further host names under which the sandbox may be called, also from other machines. */
	allowHosts?: readonly string[];
	/** Token for the page and the control API. Generated if it is needed and not given. */
	token?: string;
	/** Milliseconds until a receiver's response counts as missing. */
	deliveryTimeout?: number;
}

export interface Sandbox {
	/** Address of the service, without a trailing slash. */
	url: string;
	/** Whether the data file was new and was filled. */
	isNew: boolean;
	/**
	 * The demo tenant's secret key; null if there is none. Random if other machines can call the
	 * sandbox.
	 */
	demoSecretKey: string | null;
	/** Token for the page and the control API; undefined: none needed. */
	token: string | undefined;
	close: () => Promise<void>;
}

/** The n8n that the page may post to. */
function n8nAt(address: string | undefined, allowed: readonly string[]): URL | undefined {
	if (address === undefined) return undefined;
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url && /^https?:$/.test(url.protocol) && isAllowedHost(url.hostname, allowed)) return url;
	throw new StartError(
		`--n8n needs the address of an n8n on this machine, such as http://127.0.0.1:5678, not '${address}'. On another host, name that with --allow-delivery-to, too.`,
	);
}

/** Starts the service. Throws a StartError with one sentence for people if it cannot. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const {
		port = 0,
		host = '127.0.0.1',
		dataFile = ':memory:',
		seed,
		demo,
		tenants,
		allowDeliveryTo = [],
		allowHosts = [],
	} = options;
	const allowedHosts = allowHosts.map((name) => {
		const host = hostNamed(name);
		if (host === undefined)
			throw new StartError(
				`--allow-host needs the name of one host without http:// and port, not '${name}'.`,
			);
		return host;
	});
	// Under another name, a tunnel on this machine can bring in anybody. A given token means a proxy.
	const isOpen = options.token !== undefined || !isLoopback(host) || allowedHosts.length > 0;
	const token = isOpen ? (options.token ?? randomBytes(24).toString('base64url')) : undefined;
	const context = createContext({
		dataFile,
		allowDeliveryTo,
		n8n: n8nAt(options.n8n, allowDeliveryTo),
		isOpen,
		deliveryTimeout: options.deliveryTimeout,
	});
	try {
		const isNew = seedIfNew(context, { seed, demo, tenants });
		replacePublishedKey(context);
		const shown =
			host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
		// Receivers know a sandbox with a given name, as for an n8n in a container, by that name.
		const filesAt = (at: number) => `http://${allowedHosts[0] ?? shown}:${at}`;
		// Messages in flight in the data file move on before the sandbox listens.
		context.origin.set(filesAt(port));
		const app = await createApp(context, { address: host, allowedHosts, token });
		await app.listen({ port, host });
		const { port: actual } = app.server.address() as AddressInfo;
		context.origin.set(filesAt(actual));
		return {
			url: `http://${shown}:${actual}`,
			isNew,
			demoSecretKey: demoSecretKey(context),
			token,
			close: async () => {
				await app.close();
				await closeContext(context);
			},
		};
	} catch (error) {
		await closeContext(context);
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRINUSE')
			throw new StartError(
				`Port ${port} is already in use. Stop the program that uses it or choose another port with --port.`,
			);
		if (code === 'EACCES')
			throw new StartError(
				`You are not allowed to use port ${port}. Choose one above 1023 with --port.`,
			);
		if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
			throw new StartError(`This machine has no address ${host}. Choose another with --host.`);
		throw error;
	}
}
