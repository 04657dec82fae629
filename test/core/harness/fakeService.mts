import { SECRET_KEY } from '../../support/constants.mts';
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
	/** Puts a webhook there, as if an earlier run had registered it. */
	add: WebhookStore['add'];
	/** A webhook's active secret. */
	secretOf: WebhookStore['secretOf'];
	requests: FakeRequest[];
	/** Asked before the store. What it returns is the response. It may take its time. */
	intercept: (request: FakeRequest) => FakeResponse | undefined | Promise<FakeResponse | undefined>;
	/** Milliseconds until a response arrives. */
	delay: (request: FakeRequest) => number;
	close(): Promise<void>;
}

/** The webhook routes of the service over HTTP, with failures on demand. */
export async function startFakeService(fake = {} as FakeService): Promise<FakeService> {
	const store = new WebhookStore();
	Object.assign(fake, { requests: [], intercept: () => undefined, delay: () => 0 });
	const { url, close } = await startScriptedService(
		({ method, url: path, headers, body }, response) => {
			const request: FakeRequest = {
				method,
				path,
				body: JSON.parse(body || '{}') as FakeRequest['body'],
			};
			fake.requests.push(request);
			const isKnown = headers.authorization === `Bearer ${SECRET_KEY}`;
			const refusal: FakeResponse = { status: 401, body: { error: 401, message: 'Unauthorized' } };
			const answer = (instead: FakeResponse | undefined) => {
				const given = instead ?? (isKnown ? store.respond(request) : refusal);
				const milliseconds = fake.delay(request);
				const respond = () => respondJson(response, given.status, given.body, given.headers);
				if (milliseconds > 0) setTimeout(respond, milliseconds);
				else respond();
			};
			const instead = fake.intercept(request);
			if (instead instanceof Promise) void instead.then(answer);
			else answer(instead);
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

/** A service of its own for each test of a file, after which nothing is mocked any longer. */
export function fakeServiceOfEachTest(): FakeService {
	const fake = {} as FakeService;
	beforeEach(async () => void (await startFakeService(fake)));
	afterEach(async () => {
		jest.restoreAllMocks();
		await fake.close();
	});
	return fake;
}
