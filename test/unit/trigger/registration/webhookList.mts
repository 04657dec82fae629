/** The ground on which registration and removal are tested. */
import { hashToken } from '#nodes/delivery/open.ts';
import type { Webhook, WebhookWithSecret } from '#nodes/service/contract/webhooks.ts';
import type { FailureReason } from '#nodes/service/errors/index.ts';
import { ServiceError } from '#nodes/service/errors/index.ts';
import type { WebhookApi } from '#nodes/service/webhooks.ts';
import type { StoreWebhook } from '#nodes/trigger/registration/apply.ts';
import type { WantedWebhook } from '#nodes/trigger/registration/plan.ts';

/** What a run stored, and its failure. */
export async function outcomeOf(run: (store: StoreWebhook) => Promise<unknown>) {
	const outcome: {
		known?: Parameters<StoreWebhook>[0];
		moved?: Parameters<StoreWebhook>[1];
		failure?: unknown;
	} = {};
	try {
		await run((known, moved) => Object.assign(outcome, { known }, moved && { moved }));
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
	node: { instanceId: 'i', workflowId: 'w', nodeId: 'n' },
};
export const stored = {
	id: 'A',
	url: wanted.url,
	secret: 's',
	secretVersion: 'v1',
	tokenHash: hashToken(wanted.token),
};
/** Of a channel, whose list shows all, or of templates. */
export const channel = { stored, listShowsDisabled: true };
export const template = { stored, listShowsDisabled: false };
/** The stored webhook of a copy of this n8n. */
export const away = { id: 'A', url: 'https://production.example/webhook/abc/webhook' };

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
/** A call that fails so. */
export const failing = (reason: FailureReason) => async () => await Promise.reject(failed(reason));

/** A list of webhooks that works as the service does, unless a test says otherwise. */
export function serviceWith(list: Webhook[], changes: Partial<WebhookApi> = {}) {
	const calls: string[] = [];
	const auth = { type: 'BEARER', configured: true };
	const find = (id: string): Webhook => {
		const found = list.find((one) => one.id === id);
		if (!found) throw failed('not_found', 404);
		return found;
	};
	const works: WebhookApi = {
		place: 'channel',
		list: async () => [...list],
		get: async (id) => find(id),
		create: async (request) => {
			const made = webhook({ ...request, id: `new ${calls.length}`, auth, secret: 'made' });
			list.push(made);
			return made;
		},
		update: async (id, request) => {
			const found = Object.assign(find(id), request, { auth });
			return { ...found, ...(request.signing ? { secret: 'renewed' } : {}) };
		},
		delete: async (id) => void list.splice(list.indexOf(find(id)), 1),
		...changes,
	};
	const api = new Proxy(works, {
		get: (target, name, receiver) => {
			if (name === 'place') return target.place;
			const call = Reflect.get(target, name, receiver) as (...given: unknown[]) => unknown;
			return (...given: unknown[]) => {
				calls.push(typeof given[0] === 'string' ? `${String(name)} ${given[0]}` : String(name));
				return call(...given);
			};
		},
	});
	return { list, calls, api };
}
