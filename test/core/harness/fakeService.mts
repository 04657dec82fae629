/** The webhook routes of the service, in memory, with failures on demand. The sandbox is the whole service; this one is for the nodes' core tests. */
import { randomBytes } from 'node:crypto';

import { answerJson, startScriptedService } from './scriptedService.mts';

export interface FakeWebhook extends Record<string, unknown> {
	id: string;
	url: string;
	events: string[];
	status: 'ENABLED' | 'DISABLED';
	signing: boolean;
	auth: { type: string; token?: string };
	customAttributes: Record<string, unknown>;
}

export interface FakeRequest {
	method: string;
	path: string;
	body: Record<string, unknown>;
	authorization: string | undefined;
}

export interface FakeAnswer {
	status: number;
	body?: unknown;
}

export interface FakeService {
	url: string;
	/** Webhooks by owner: a channel id, or `template`. */
	webhooks(owner: string): FakeWebhook[];
	/** The secret in force of a webhook. */
	secretOf(id: string): string | undefined;
	requests: FakeRequest[];
	/** Asked before each request is answered: what it returns is the answer instead. */
	intercept: (request: FakeRequest) => FakeAnswer | undefined;
	close(): Promise<void>;
}

export const SECRET_KEY = 'sk-test-0123456789';

const newId = () => randomBytes(16).toString('hex').toUpperCase();

export async function startFakeService(): Promise<FakeService> {
	const owners = new Map<string, FakeWebhook[]>();
	const secrets = new Map<string, string>();
	const webhooks = (owner: string) => owners.get(owner) ?? owners.set(owner, []).get(owner) ?? [];
	const fake = { requests: [] as FakeRequest[], intercept: (() => undefined) as FakeService['intercept'] };

	function withSecret(webhook: FakeWebhook, body: Record<string, unknown>): unknown {
		if (body.signing !== true) return shown(webhook);
		const secret = randomBytes(32).toString('hex');
		secrets.set(webhook.id, secret);
		return { ...shown(webhook), secret };
	}

	function answer(request: FakeRequest): FakeAnswer {
		const intercepted = fake.intercept(request);
		if (intercepted) return intercepted;
		if (request.authorization !== `Bearer ${SECRET_KEY}`) return { status: 401, body: { error: 401, message: 'Unauthorized' } };
		const [, channelId, id] = /^\/v1(?:\/channels\/([0-9A-F]{32}))?\/webhooks(?:\/([0-9A-F]{32}))?$/i.exec(request.path) ?? [];
		const isTemplate = channelId === undefined;
		const list = webhooks(channelId ?? 'template');
		if (request.method === 'GET') return { status: 200, body: list.filter(({ status }) => !isTemplate || status === 'ENABLED').map(shown) };
		if (request.method === 'POST') {
			const webhook = {
				channelId: channelId ?? null,
				description: null,
				customAttributes: {},
				...request.body,
				id: newId(),
				status: 'ENABLED',
				createdAt: `2026-01-01T00:00:${String(list.length).padStart(2, '0')}.000+0000`,
			} as unknown as FakeWebhook;
			list.push(webhook);
			return { status: 201, body: withSecret(webhook, request.body) };
		}
		const webhook = list.find((candidate) => candidate.id === id);
		if (!webhook) return { status: 404, body: isTemplate ? { error: 'Webhook not found' } : { error: 404, message: 'Webhook not found' } };
		if (request.method === 'DELETE') {
			list.splice(list.indexOf(webhook), 1);
			return { status: 204 };
		}
		Object.assign(webhook, request.body);
		return { status: 200, body: withSecret(webhook, request.body) };
	}

	const { url, close } = await startScriptedService((received, response) => {
		const request: FakeRequest = {
			method: received.method,
			path: received.url,
			body: received.body === '' ? {} : (JSON.parse(received.body) as Record<string, unknown>),
			authorization: received.headers.authorization,
		};
		fake.requests.push(request);
		const { status, body } = answer(request);
		answerJson(response, status, body);
	});
	return Object.assign(fake, { url, webhooks, secretOf: (id: string) => secrets.get(id), close });
}

/** As the lists show it: never the credentials. */
function shown({ auth, ...webhook }: FakeWebhook): Record<string, unknown> {
	return { ...webhook, auth: { type: auth.type, configured: true } };
}
