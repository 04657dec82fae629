import type { AddressInfo } from 'node:net';

import { closeContext, createContext } from './context.mts';
import { StartError } from './core/errors.mts';
import { hostNamed } from './core/loopback.mts';
import { DELIVERY_TIMEOUT } from './contract.mts';
import { createApp } from './http/app.mts';
import { DEMO_SECRET_KEY, seedIfNew } from './seed.mts';
import type { NewTenants } from './seedTenants.mts';
import { importIfNew, type StateFile } from './stateFile.mts';

export interface SandboxOptions {
	/** 0, the default, takes a free one. */
	port?: number;
	/** Address to listen at. Default 127.0.0.1: this machine alone. */
	host?: string;
	/** SQLite file that keeps the state. Default `:memory:`. */
	dataFile?: string;
	/** Makes ids and delivery offsets of a new data file the same in every run. */
	seed?: string;
	/** False: a new data file starts without the demo tenant. */
	demo?: boolean;
	/** What a new data file holds besides. Throws a Refusal when it cannot be. */
	tenants?: NewTenants;
	/** What a new data file holds instead: the state that another sandbox exported. Throws a Refusal when it cannot be. */
	state?: StateFile;
	/** Hosts besides this machine that deliveries may go to; `*` is any. */
	allowDeliveryTo?: readonly string[];
	/** Host names besides this machine's under which the sandbox may be called, from other machines too. */
	allowHosts?: readonly string[];
	/** What page and control API ask for, of all but this machine's loopback. With it, other machines may call them by the sandbox's address. */
	token?: string;
	/** Milliseconds that a receiver has for its response. */
	deliveryTimeout?: number;
}

export interface Sandbox {
	/** Address of the service, without a slash at the end. */
	url: string;
	/** Whether its data file was new, and got what was asked for. */
	isNew: boolean;
	/** Whether the demo tenant's key is good. */
	hasDemo: boolean;
	close: () => Promise<void>;
}

/** The service, listening. Throws a StartError with one sentence for a person when it cannot. */
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
				`--allow-host takes the name of one host, without http:// and port, not '${name}'.`,
			);
		return host;
	});
	const context = createContext({
		dataFile,
		allowDeliveryTo,
		deliveryTimeout: options.deliveryTimeout ?? DELIVERY_TIMEOUT,
	});
	try {
		const isNew =
			options.state === undefined
				? seedIfNew(context, { seed, demo, tenants })
				: importIfNew(context, options.state);
		const shown =
			host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
		// Who named the sandbox for others, as for an n8n in a container, has receivers that know it under that name.
		const filesAt = (at: number) => `http://${allowedHosts[0] ?? shown}:${at}`;
		// What is under way in the data file moves on before the sandbox listens.
		context.origin.set(filesAt(port));
		const app = await createApp(context, { address: host, allowedHosts, token: options.token });
		await app.listen({ port, host });
		const { port: actual } = app.server.address() as AddressInfo;
		context.origin.set(filesAt(actual));
		return {
			url: `http://${shown}:${actual}`,
			isNew,
			hasDemo: context.tenants.findBySecretKey(DEMO_SECRET_KEY) !== undefined,
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
				`Port ${port} is taken. Stop what uses it or choose another with --port.`,
			);
		if (code === 'EACCES')
			throw new StartError(
				`Port ${port} may not be used by you. Choose one above 1023 with --port.`,
			);
		if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
			throw new StartError(`This machine has no address ${host}. Choose another with --host.`);
		throw error;
	}
}
