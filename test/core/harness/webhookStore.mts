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
	/** After the root of the service. */
	path: string;
	body: Record<string, unknown>;
}

export interface FakeResponse {
	status: number;
	body?: unknown;
}

/** The webhook routes of the service, as published, in memory. The sandbox is the whole service; this is for tests of the nodes alone. */
export class WebhookStore {
	private readonly owners = new Map<string, FakeWebhook[]>();
	private readonly secrets = new Map<string, string>();
	private created = 0;

	/** @param owner a channel id, or `template` */
	of(owner: string): FakeWebhook[] {
		const found = this.owners.get(owner) ?? [];
		this.owners.set(owner, found);
		return found;
	}

	all(): FakeWebhook[] {
		return [...this.owners.values()].flat();
	}

	/** The secret in force. */
	secretOf(id: string | undefined): string | undefined {
		return id === undefined ? undefined : this.secrets.get(id);
	}

	/** Puts a webhook there, as if it had been registered before. */
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
			createdAt: new Date(Date.UTC(2026, 0, 1) + this.created++ * 1000)
				.toISOString()
				.replace('Z', '+0000'),
		};
		this.of(owner).push(added);
		return added;
	}

	respond({ method, path, body }: FakeRequest): FakeResponse {
		const [, channelId, id] =
			/^\/v1(?:\/channels\/([0-9A-F]{32}))?\/webhooks(?:\/([0-9A-F]{32}))?$/i.exec(path) ?? [];
		const isTemplate = channelId === undefined;
		const owner = channelId ?? 'template';
		const list = this.of(owner);
		if (method === 'GET')
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
		if (method === 'DELETE') {
			list.splice(list.indexOf(webhook), 1);
			return { status: 204 };
		}
		Object.assign(webhook, body);
		return { status: 200, body: this.withSecret(webhook, body) };
	}

	private withSecret(webhook: FakeWebhook, body: Record<string, unknown>): unknown {
		if (body.signing !== true) return asListed(webhook);
		const secret = randomBytes(32).toString('hex');
		this.secrets.set(webhook.id, secret);
		return { ...asListed(webhook), secret };
	}
}

/** As the lists show it: never the credentials. */
function asListed({ auth, ...webhook }: FakeWebhook): Record<string, unknown> {
	return { ...webhook, auth: { type: auth.type, configured: auth.type !== 'NONE' } };
}
