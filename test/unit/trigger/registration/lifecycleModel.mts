/**
 * A model of what surrounds the trigger's lifecycle methods: a service that fails on demand, and
 * n8n 1 and 2 with their database, main processes and call order. The methods themselves are real,
 * down to the HTTP helper.
 */
import type { IDataObject, IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isRegistered, register, unregister } from '#nodes/trigger/registration/lifecycle.ts';
import { deriveToken, receiverOf } from '#nodes/trigger/registration/token.ts';
import {
	type FakeResponse,
	type FakeWebhook,
	WebhookStore,
} from '../../../core/harness/webhookStore.mts';
import { BASE_URL } from '../../../support/constants.mts';
import { NODE, nodeContext } from '../../../support/context.mts';

export const PRODUCTION_URL = 'https://n8n.example.com/webhook/abc/webhook';
/** Of a restored copy of the database, or after n8n moved. */
export const OTHER_URL = 'https://other-n8n.example.com/webhook/abc/webhook';
export const CHANNELS = ['A'.repeat(32), 'B'.repeat(32)] as const;

/** How a single call fails: without effect, with its effect but no response, or refused. */
export type Fault = 'none' | 'unavailable' | 'lostBefore' | 'lostAfter' | 'unauthorized';

export interface ServiceTraits {
	/** What happens to an update. */
	update: 'works' | 'unknownRoute' | 'notAllowed' | 'withoutSecret' | 'withoutBody';
	/** Webhooks that a channel may have. More are refused. */
	limit: number;
	/** Whether a webhook's `customAttributes` are kept. */
	keepsAttributes: boolean;
}

export class ModelService {
	readonly store = new WebhookStore();
	/** One for each call, until none is left. */
	faults: Fault[] = [];
	/**
	 * Turns of the event loop before and after each call, so that several main processes interleave.
	 */
	delays: number[] = [];
	/** Calls that failed since this was last set to 0. */
	failed = 0;

	constructor(readonly traits: ServiceTraits) {}

	async request({
		method = 'GET',
		url,
		body,
	}: IHttpRequestOptions): Promise<{ statusCode: number; headers: object; body: unknown }> {
		await turns(this.delays.shift() ?? 0);
		const fault = this.faults.shift() ?? 'none';
		if (fault !== 'none') this.failed++;
		if (fault === 'lostBefore')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		const response = this.respond(
			fault,
			method,
			url.slice(BASE_URL.length),
			structuredClone((body ?? {}) as Record<string, unknown>),
		);
		await turns(this.delays.shift() ?? 0);
		if (fault === 'lostAfter')
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		return { statusCode: response.status, headers: {}, body: structuredClone(response.body ?? '') };
	}

	private respond(
		fault: Fault,
		method: string,
		path: string,
		body: Record<string, unknown>,
	): FakeResponse {
		if (fault === 'unavailable')
			return { status: 503, body: { error: 503, message: 'Unavailable' } };
		if (fault === 'unauthorized')
			return { status: 401, body: { error: 401, message: 'Unauthorized' } };
		const { update, limit, keepsAttributes } = this.traits;
		if (!keepsAttributes) delete body.customAttributes;
		if (method === 'PATCH' && update === 'unknownRoute')
			return { status: 404, body: 'Cannot PATCH' };
		if (method === 'PATCH' && update === 'notAllowed')
			return { status: 405, body: { error: 405, message: 'Method Not Allowed' } };
		const owner = /channels\/(\w+)/.exec(path)?.[1] ?? 'template';
		if (method === 'POST' && this.store.of(owner).length >= limit) {
			this.failed++;
			return { status: 422, body: { error: 422, message: 'Webhook limit reached' } };
		}
		const response = this.store.respond({ method, path, body });
		if (method !== 'PATCH' || response.status !== 200) return response;
		if (update === 'withoutBody') return { status: 200 };
		if (update === 'withoutSecret')
			return {
				status: 200,
				body: Object.fromEntries(
					Object.entries(response.body as object).filter(([name]) => name !== 'secret'),
				),
			};
		return response;
	}
}

async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The node's fields, as the saved workflow holds them. */
export interface Parameters {
	source: 'channel' | 'template';
	channelId: string;
	events: string[];
}

/** n8n with its database, which keeps the node's static data and parameters. */
export class ModelN8n {
	database: IDataObject | undefined;
	/**
	 * The key in the credential. The service takes any. Somebody who rotates it enters it in both
	 * places.
	 */
	secretKey = 'key 0';
	/** The node's webhook URL. It changes with the address at which n8n was started. */
	url = PRODUCTION_URL;

	constructor(
		readonly service: ModelService,
		public parameters: Parameters,
	) {}

	get owner(): string {
		return this.parameters.source === 'template' ? 'template' : this.parameters.channelId;
	}

	/** The token that a registration would set now. */
	get wantedToken(): string {
		const context = hookContext(this.service, {}, this.parameters, this.secretKey, this.url);
		return deriveToken(this.secretKey, receiverOf(context, this.url));
	}

	private get testUrl(): string {
		return this.url.replace('/webhook/', '/webhook-test/');
	}

	/** The node's own webhooks, on whatever channel. */
	own(): FakeWebhook[] {
		return this.service.store.all().filter(({ url }) => url === this.url);
	}

	/** The webhooks of tests on the currently chosen channel. */
	ownTests(): FakeWebhook[] {
		return this.service.store.of(this.owner).filter(({ url }) => url === this.testUrl);
	}

	/** A process that has loaded the workflow. */
	private load({
		staticData = this.database ?? {},
		parameters = this.parameters,
		isTest = false,
	} = {}) {
		const data = structuredClone(staticData);
		const loaded = JSON.stringify(data);
		const url = isTest ? this.testUrl : this.url;
		const context = hookContext(this.service, data, parameters, this.secretKey, url);
		const save = () => {
			// n8n saves only what changed, and then the whole.
			if (JSON.stringify(data) !== loaded) this.database = structuredClone(data);
		};
		return { context, save };
	}

	private async activate(context: IHookFunctions): Promise<void> {
		if (!(await isRegistered(context))) await register(context);
	}

	/** 2.41: five attempts. After each failed one, `delete`. The state is saved at the end. */
	async publish2(): Promise<boolean> {
		const { context, save } = this.load();
		for (let attempt = 0; attempt < 5; attempt++) {
			try {
				await this.activate(context);
				save();
				return true;
			} catch {
				await unregister(context).catch(() => undefined);
			}
		}
		save();
		return false;
	}

	/**
	 * 1.123, publish and startup: once. A failure removes the webhooks known to the database, not
	 * those that the attempt learnt of.
	 */
	async publish1(): Promise<boolean> {
		const { context, save } = this.load();
		try {
			await this.activate(context);
		} catch {
			await this.unpublish();
			return false;
		}
		save();
		return true;
	}

	/** 1.123 with several main processes: each does it at startup, from the same database. */
	async startMains(count: number): Promise<boolean> {
		const mains = Array.from({ length: count }, async () => await this.publish1());
		return (await Promise.all(mains)).every(Boolean);
	}

	/** The process is killed between registering and saving. */
	async publishAndCrash(): Promise<void> {
		await this.activate(this.load().context).catch(() => undefined);
	}

	async unpublish(parameters = this.parameters): Promise<boolean> {
		const { context, save } = this.load({ parameters });
		const succeeded = await unregister(context).catch(() => false);
		save();
		return succeeded;
	}

	/** A changed node: `delete` with the old fields, then publish with the new ones in any case. */
	async change(
		parameters: Parameters,
		publish: () => Promise<boolean>,
	): Promise<{ removed: boolean; published: boolean }> {
		const removed = await this.unpublish();
		this.parameters = parameters;
		return { removed, published: await publish() };
	}

	/** A test listens with an empty state, and ends. Returns the webhooks that it listened with. */
	async test(): Promise<{ listened: FakeWebhook[] | undefined; removed: boolean }> {
		const { context } = this.load({ staticData: {}, isTest: true });
		const listened = await this.activate(context).then(
			() => structuredClone(this.ownTests()),
			() => undefined,
		);
		return { listened, removed: await unregister(context).catch(() => false) };
	}
}

/** As much of n8n's context as the lifecycle methods use. */
function hookContext(
	service: ModelService,
	staticData: IDataObject,
	parameters: Parameters,
	secretKey: string,
	url: string,
): IHookFunctions {
	const isTest = url.includes('/webhook-test/');
	const { source, channelId, events } = parameters;
	const fields: IDataObject = {
		source,
		channelId,
		channelEvents: events,
		templateEvents: events,
		registration: 'automatic',
		options: {},
	};
	return nodeContext((options) => service.request(options), {
		credential: { secretKey },
		getNode: () => ({ ...NODE, webhookId: 'abc' }),
		getNodeParameter: (name: string, fallback: unknown) => fields[name] ?? fallback,
		getNodeWebhookUrl: () => url,
		getActivationMode: () => (isTest ? 'manual' : 'activate'),
		getWorkflowStaticData: () => staticData,
		logger: { info: () => {}, warn: () => {} },
	});
}
