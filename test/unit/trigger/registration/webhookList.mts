/** The ground on which registration and removal are tested. */
import { hashToken } from '../../../../nodes/BusinessMessaging/delivery/verify.ts';
import type {
	CreateWebhookRequest,
	UpdateWebhookRequest,
	Webhook,
	WebhookWithSecret,
} from '../../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import type { FailureReason } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import { ServiceError } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import type { WebhookApi } from '../../../../nodes/BusinessMessaging/service/webhooks.ts';
import type { StoreWebhook } from '../../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
import type { WantedWebhook } from '../../../../nodes/BusinessMessaging/trigger/registration/plan.ts';

/** What a run stored, and its failure. */
export async function outcomeOf(run: (store: StoreWebhook) => Promise<unknown>) {
	const outcome: {
		known?: Parameters<StoreWebhook>[0];
		moved?: Parameters<StoreWebhook>[1];
		failure?: unknown;
	} = {};
	try {
		await run((known, moved) => {
			outcome.known = known;
			if (moved) outcome.moved = moved;
		});
	} catch (failure) {
		outcome.failure = failure;
	}
	return outcome;
}

export const wanted: WantedWebhook = {
	url: 'https://n8n.example.com/webhook/abc/webhook',
	events: ['CONNECTED'],
	token: 'token',
	description: 'A workflow',
	owner: { instanceId: 'i', workflowId: 'w', nodeId: 'n' },
};
export const stored = {
	id: 'A',
	url: wanted.url,
	secret: 's',
	secretVersion: 'v1',
	tokenHash: hashToken(wanted.token),
};
export const channel = { listShowsDisabled: true };
export const template = { listShowsDisabled: false };

export const webhook = (changes: Partial<WebhookWithSecret> = {}): WebhookWithSecret => ({
	id: 'A',
	url: wanted.url,
	events: ['CONNECTED'],
	status: 'ENABLED',
	signing: true,
	auth: { type: 'BEARER', configured: true },
	customAttributes: { n8nSigning: 'v1' },
	...changes,
});
export const failed = (reason: FailureReason, status?: number) =>
	new ServiceError('act', {
		reason,
		effect: 'none',
		cause: reason,
		hint: '',
		...(status === undefined ? {} : { status }),
	});

/** A list of webhooks that works as the service does, unless a test says otherwise. */
export function serviceWith(list: Webhook[], changes: Partial<WebhookApi> = {}) {
	const calls: string[] = [];
	const api: WebhookApi = {
		list: async () => [...list],
		get: async (id) => {
			const found = list.find((one) => one.id === id);
			if (!found) throw failed('not_found', 404);
			return found;
		},
		create: async (request) => {
			const made = webhook({
				...request,
				id: `new ${calls.length}`,
				auth: { type: 'BEARER', configured: true },
				secret: 'made',
			});
			list.push(made);
			return made;
		},
		update: async (id, request) => {
			const found = list.find((one) => one.id === id);
			if (!found) throw failed('not_found', 404);
			Object.assign(found, request, { auth: { type: 'BEARER', configured: true } });
			return { ...found, ...(request.signing ? { secret: 'renewed' } : {}) };
		},
		delete: async (id) => {
			const index = list.findIndex((one) => one.id === id);
			if (index < 0) throw failed('not_found', 404);
			list.splice(index, 1);
		},
		...changes,
	};
	const noted =
		<Parameters extends unknown[], Result>(
			name: string,
			call: (...parameters: Parameters) => Promise<Result>,
		) =>
		async (...parameters: Parameters) => {
			calls.push(typeof parameters[0] === 'string' ? `${name} ${parameters[0]}` : name);
			return await call(...parameters);
		};
	return {
		list,
		calls,
		api: {
			list: noted('list', async () => await api.list()),
			get: noted('get', async (id: string) => await api.get(id)),
			create: noted('create', async (request: CreateWebhookRequest) => await api.create(request)),
			update: noted(
				'update',
				async (id: string, request: UpdateWebhookRequest) => await api.update(id, request),
			),
			delete: noted('delete', async (id: string) => await api.delete(id)),
		},
	};
}
