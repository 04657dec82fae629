import type { AddressInfo } from 'node:net';

import { closeContext, createContext } from './core/context.mts';
import { StartError } from './core/errors.mts';
import { DELIVERY_TIMEOUT } from './contract.mts';
import { createApp } from './http/app.mts';
import { seedIfNew } from './seed.mts';

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
	/** Hosts besides this machine that deliveries may go to; `*` is any. */
	allowDeliveryTo?: readonly string[];
	/** Host names besides this machine's under which the control API and the page may be called. */
	allowHosts?: readonly string[];
	/** Milliseconds that a receiver has for its answer. */
	deliveryTimeout?: number;
}

export interface Sandbox {
	/** Address of the service, without a slash at the end. */
	url: string;
	close: () => Promise<void>;
}

/** The service, listening. Throws a StartError with one sentence for a person when it cannot. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = '127.0.0.1', dataFile = ':memory:', seed, demo, allowDeliveryTo = [], allowHosts = [] } = options;
	const context = createContext({ dataFile, allowDeliveryTo, deliveryTimeout: options.deliveryTimeout ?? DELIVERY_TIMEOUT });
	try {
		seedIfNew(context, { seed, demo });
		const app = await createApp(context, { allowedHosts: allowHosts });
		await app.listen({ port, host });
		const { port: actual } = app.server.address() as AddressInfo;
		const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
		return {
			url: `http://${shown}:${actual}`,
			close: async () => {
				await app.close();
				await closeContext(context);
			},
		};
	} catch (error) {
		await closeContext(context);
		const code = error instanceof Error && 'code' in error ? error.code : undefined;
		if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken. Stop what uses it or choose another with --port.`);
		if (code === 'EACCES') throw new StartError(`Port ${port} may not be used by you. Choose one above 1023 with --port.`);
		if (code === 'EADDRNOTAVAIL') throw new StartError(`This machine has no address ${host}. Choose another with --host.`);
		throw error;
	}
}
