import { respondJson, startScriptedService } from './scriptedService.mts';
import {
	type FakeResponse,
	type FakeRequest,
	type FakeWebhook,
	WebhookStore,
} from './webhookStore.mts';

export interface FakeService {
	url: string;
	/** Webhooks by owner: a channel id, or `template`. */
	webhooks(owner: string): FakeWebhook[];
	/** Puts a webhook there, as if it had been registered before. */
	add: WebhookStore['add'];
	/** The secret in force of a webhook. */
	secretOf: WebhookStore['secretOf'];
	requests: FakeRequest[];
	/** Asked before the store: what it returns is the response instead. */
	intercept: (request: FakeRequest) => FakeResponse | undefined;
	close(): Promise<void>;
}

export const SECRET_KEY = 'sk-test-0123456789';

/** The webhook routes of the service over HTTP, with failures on demand. */
export async function startFakeService(): Promise<FakeService> {
	const store = new WebhookStore();
	const fake = {
		requests: [] as FakeRequest[],
		intercept: (() => undefined) as FakeService['intercept'],
	};
	const { url, close } = await startScriptedService(
		({ method, url: path, headers, body }, response) => {
			const request: FakeRequest = {
				method,
				path,
				body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
			};
			fake.requests.push(request);
			const isKnown = headers.authorization === `Bearer ${SECRET_KEY}`;
			const { status, body: responded } =
				fake.intercept(request) ??
				(isKnown
					? store.respond(request)
					: { status: 401, body: { error: 401, message: 'Unauthorized' } });
			respondJson(response, status, responded);
		},
	);
	return Object.assign(fake, {
		url,
		webhooks: (owner: string) => store.of(owner),
		add: store.add.bind(store),
		secretOf: store.secretOf.bind(store),
		close,
	});
}
