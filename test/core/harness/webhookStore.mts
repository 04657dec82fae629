import { randomBytes } from 'node:crypto';

export interface FakeWebhook extends Record<string, unknown> {
	id: string;
	url: string;
	events: string[];
	status: 'ENABLED' | 'DISABLED';
	signing: boolean;
	auth: { type: string; token?: string };
	customAttributes: Record<string, unknown>;
	createdAt: string;
}

export interface FakeRequest {
	method: string;
	/** The path after the root of the service. */
	path: string;
	body: Record<string, unknown>;
}

export interface FakeResponse {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
}

/** The service's published webhook routes, in memory, for tests without the sandbox. */
export class WebhookStore {
	private readonly owners = new Map<string, FakeWebhook[]>();
	private readonly secrets = new Map<string, string>();
	private changes = 0;

	/** @param owner a channel id, or `template` */
	of(owner: string): FakeWebhook[] {
		const found = this.owners.get(owner) ?? [];
		this.owners.set(owner, found);
		return found;
	}

	all(): FakeWebhook[] {
		return [...this.owners.values()].flat();
	}

	/** The active secret. */
	secretOf(id: string | undefined): string | undefined {
		return id === undefined ? undefined : this.secrets.get(id);
	}

	/** Puts a webhook there, as if an earlier run had registered it. */
	add(owner: string, webhook: Partial<FakeWebhook>): FakeWebhook {
		const added: FakeWebhook = {
			url: '',
			events: [],
			signing: false,
			auth: { type: 'NONE' },
			customAttributes: {},
			...webhook,
			id: webhook.id ?? randomBytes(16).toString('hex').toUpperCase(),
			status: webhook.status ?? 'ENABLED',
			createdAt: this.now().toISOString().replace('Z', '+0000'),
		};
		this.of(owner).push(added);
		return added;
	}

	/** The service's clock, which advances a second with each change. */
	private now(): Date {
		return new Date(Date.UTC(2026, 0, 1) + this.changes++ * 1000);
	}

	respond({ method, path, body }: FakeRequest): FakeResponse {
		const [, channelId, id] =
			/^\/v1(?:\/channels\/([0-9A-F]{32}))?\/webhooks(?:\/([0-9A-F]{32}))?$/i.exec(path) ?? [];
		const isTemplate = channelId === undefined;
		const owner = channelId ?? 'template';
		const list = this.of(owner);
		if (method === 'GET' && id === undefined)
			return {
				status: 200,
				body: list.filter(({ status }) => !isTemplate || status === 'ENABLED').map(asListed),
			};
		if (method === 'POST') {
			const added = this.add(owner, { channelId: channelId ?? null, ...body });
			return { status: 201, body: this.withSecret(added, body) };
		}
		const webhook = list.find((candidate) => candidate.id === id);
		if (!webhook)
			return {
				status: 404,
				body: isTemplate
					? { error: 'Webhook not found' }
					: { error: 404, message: 'Webhook not found' },
			};
		if (method === 'GET') return { status: 200, body: asListed(webhook) };
		if (method === 'DELETE') {
			list.splice(list.indexOf(webhook), 1);
			return { status: 204 };
		}
		Object.assign(webhook, body, { updatedAt: this.now().toISOString().replace('Z', '+0000') });
		return { status: 200, body: this.withSecret(webhook, body) };
	}

	private withSecret(webhook: FakeWebhook, body: Record<string, unknown>): unknown {
		if (body.signing !== true) return asListed(webhook);
		const secret = randomBytes(32).toString('hex');
		this.secrets.set(webhook.id, secret);
		return { ...asListed(webhook), secret };
	}
}

/** A webhook as the lists show it, without credentials. */
function asListed({ auth, ...webhook }: FakeWebhook): Record<string, unknown> {
	return { ...webhook, auth: { type: auth.type, configured: auth.type !== 'NONE' } };
}
