import type { Webhook } from '../../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import type { ServiceError } from '../../../../nodes/BusinessMessaging/service/errors/index.ts';
import {
	applyPlan,
	isAsWanted,
	type StoreWebhook,
} from '../../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
import type { KnownWebhook } from '../../../../nodes/BusinessMessaging/trigger/registration/plan.ts';
import {
	channel,
	failed,
	outcomeOf,
	serviceWith,
	stored,
	template,
	wanted,
	webhook,
} from './webhookList.mts';

type Given = Parameters<typeof applyPlan> extends [...infer Rest, StoreWebhook] ? Rest : never;
const apply = async (...given: Given) => await outcomeOf((store) => applyPlan(...given, store));

describe('the check whether everything is right', () => {
	it('passes if there is nothing to do and the secret is known', async () => {
		expect(await isAsWanted(serviceWith([webhook()]).api, wanted, { stored, ...channel })).toBe(
			true,
		);
	});

	it('fails if the webhook has other events, or an unknown secret, or is missing', async () => {
		expect(
			await isAsWanted(serviceWith([webhook({ events: ['BLOCK'] })]).api, wanted, {
				stored,
				...channel,
			}),
		).toBe(false);
		expect(await isAsWanted(serviceWith([webhook()]).api, wanted, channel)).toBe(false);
		expect(await isAsWanted(serviceWith([]).api, wanted, channel)).toBe(false);
	});
});

describe('the change', () => {
	it('registers a webhook once, and knows its secret', async () => {
		const { api, list, calls } = serviceWith([]);
		const { known, failure } = await apply(api, wanted, channel);
		expect(failure).toBeUndefined();
		expect(known).toMatchObject({ url: wanted.url, secret: 'made' });
		expect(list).toHaveLength(1);
		expect(calls).toEqual(['list', 'create', 'list']);
	});

	it("stores the secret's id if the service keeps it, and nothing otherwise", async () => {
		const keeping = serviceWith([]);
		const { known } = await apply(keeping.api, wanted, channel);
		expect(known).toMatchObject({
			secretVersion: expect.stringMatching(/^[0-9a-f-]{36}$/),
		});
		expect(keeping.list).toMatchObject([
			{ customAttributes: { n8nSigning: (known as KnownWebhook).secretVersion } },
		]);
		const dropping = serviceWith([], {
			create: async () => webhook({ customAttributes: {}, secret: 'made' }),
		});
		const { known: unversioned } = await apply(dropping.api, wanted, channel);
		expect(unversioned).toMatchObject({ secret: 'made' });
		expect(unversioned).not.toHaveProperty('secretVersion');
	});

	it('keeps the one of several webhooks of its own whose secret it knows', async () => {
		const { api, list } = serviceWith([
			webhook({ id: 'B', createdAt: '2026-01-01T00:00:00Z' }),
			webhook({ createdAt: '2026-01-02T00:00:00Z' }),
			webhook({ id: 'C', url: 'https://other.example' }),
		]);
		expect(await apply(api, wanted, { stored, ...channel })).toEqual({ known: stored });
		expect(list.map(({ id }) => id)).toEqual(['A', 'C']);
	});

	it('leaves a webhook to the process that registered it meanwhile, and stores nothing', async () => {
		const ofAnother = webhook({ id: 'B', createdAt: '2026-01-01T00:00:00Z' });
		const { api, list, calls } = serviceWith([], {
			create: async (request) => {
				const made = webhook({ ...request, createdAt: '2026-01-02T00:00:00Z', secret: 'made' });
				list.push(ofAnother, made);
				return made;
			},
		});
		// Strictly: not even that nothing is known.
		expect(await apply(api, wanted, channel)).toStrictEqual({});
		expect(list).toEqual([ofAnother]);
		expect(calls).toEqual(['list', 'create', 'list', 'delete A', 'list']);
	});

	it('still knows its own secret after it deletes a later webhook of another process', async () => {
		const { api, list, calls } = serviceWith([], {
			create: async (request) => {
				const made = webhook({
					...request,
					auth: { type: 'BEARER', configured: true },
					createdAt: '2026-01-01T00:00:00Z',
					secret: 'made',
				});
				list.push(made, webhook({ id: 'B', createdAt: '2026-01-02T00:00:00Z' }));
				return made;
			},
		});
		expect(await apply(api, wanted, channel)).toMatchObject({ known: { id: 'A', secret: 'made' } });
		expect(calls).toEqual(['list', 'create', 'list', 'delete B', 'list']);
	});

	it('registers again what it had taken over and the service then lost', async () => {
		let updates = 0;
		const { api, calls } = serviceWith([webhook({ events: ['BLOCK'] })], {
			update: async (_id, { customAttributes }) =>
				updates++ === 0
					? webhook({ secret: 'renewed', ...(customAttributes ? { customAttributes } : {}) })
					: Promise.reject(failed('not_found', 404)),
		});
		const { known, failure } = await apply(api, wanted, channel);
		expect(failure).toBeUndefined();
		expect(known).toMatchObject({ secret: 'made' });
		expect(calls).toEqual([
			...['list', 'update A', 'list', 'update A', 'delete A'],
			...['list', 'create', 'list'],
		]);
	});

	it("takes over a webhook of unknown secret: marks it as its own, and keeps the others' attributes", async () => {
		const { api, list } = serviceWith([
			webhook({ customAttributes: { team: 'Sales', n8nSigning: 'of a lost secret' } }),
		]);
		const { known } = await apply(api, wanted, channel);
		expect(known).toMatchObject({ id: 'A', secret: 'renewed' });
		expect(list[0]?.customAttributes).toEqual({
			team: 'Sales',
			n8n: wanted.owner,
			n8nSigning: (known as KnownWebhook).secretVersion,
		});
	});

	it('does not change its input, because n8n may still store it', async () => {
		const given = Object.freeze({ ...stored, tokenHash: 'of another token' });
		const { api } = serviceWith([webhook()], {
			update: async () => Promise.reject(failed('service_unavailable')),
		});
		const { known } = await apply(api, wanted, { stored: given, ...channel });
		expect(given.tokenHash).toBe('of another token');
		expect(known).not.toHaveProperty('tokenHash');
	});

	const away = { id: 'A', url: 'https://production.example/webhook/abc/webhook' };

	it('registers a new one if what it stored goes to another address, and says so', async () => {
		const { api, list, calls } = serviceWith([webhook(away)]);
		const before = structuredClone(list[0]);
		expect(await apply(api, wanted, { stored, ...channel })).toMatchObject({
			known: { url: wanted.url, secret: 'made' },
			moved: away,
		});
		expect(calls).toEqual(['list', 'create', 'list']);
		expect(list).toEqual([before, expect.objectContaining({ url: wanted.url })]);
		expect(await isAsWanted(serviceWith([webhook(away)]).api, wanted, { stored, ...channel })).toBe(
			false,
		);
	});

	it('keeps in mind what goes to another address, if the registration fails', async () => {
		const { api } = serviceWith([webhook(away)], {
			create: async () => Promise.reject(failed('unreachable')),
		});
		expect(await apply(api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			moved: away,
			failure: { reason: 'unreachable' },
		});
	});

	describe('of a template webhook that the list may hide', () => {
		const run = async (get: () => Promise<Webhook>) => {
			const { api, calls, list } = serviceWith([], { get });
			const update = api.update;
			api.update = async (id, request) => {
				if (id === 'A') list.push(webhook());
				return await update(id, request);
			};
			return { ...(await apply(api, wanted, { stored, ...template })), calls };
		};

		it('enables it if it goes to its URL', async () => {
			const { calls, failure } = await run(async () => webhook({ status: 'DISABLED' }));
			expect([failure, calls]).toEqual([undefined, ['list', 'get A', 'update A', 'list']]);
		});

		it('leaves it alone if it goes to another', async () => {
			const { calls, moved } = await run(async () => webhook({ ...away, status: 'DISABLED' }));
			expect(moved).toEqual(away);
			expect(calls).not.toContain('update A');
		});

		it('registers another if the service has none, or cannot show it', async () => {
			for (const reason of ['not_found', 'method_not_allowed'] as const) {
				const { calls } = await run(async () => await Promise.reject(failed(reason)));
				expect(calls.filter((call) => call !== 'list' && call !== 'get A')).toEqual(['create']);
			}
		});

		it('fails if it cannot be read', async () => {
			const { failure, known } = await run(async () => await Promise.reject(failed('unreachable')));
			expect([failure, known]).toMatchObject([{ reason: 'unreachable' }, stored]);
		});
	});

	it('gives up, and says why, if something else keeps changing the webhook', async () => {
		const { api, calls } = serviceWith([webhook({ events: ['BLOCK'] })], {
			update: async () => webhook({ events: ['BLOCK'] }),
		});
		const { known, failure } = await apply(api, wanted, { stored, ...channel });
		expect(failure).toMatchObject({
			name: 'RegistrationError',
			message: expect.stringContaining('did not settle'),
			hint: expect.stringMatching(/^Check whether another n8n/),
		});
		expect(known).toEqual(stored);
		expect(calls.filter((call) => call === 'list')).toHaveLength(6);
	});

	it.each<[string, ServiceError]>([
		['does not know the webhook', failed('not_found', 404)],
		['has no update', failed('method_not_allowed', 405)],
		['has no such address', failed('unexpected_response', 404)],
		['answers without a webhook', failed('unexpected_response', 200)],
	])('replaces the webhook if the service %s', async (_what, error) => {
		const { api, calls } = serviceWith([webhook({ events: ['BLOCK'] })], {
			update: async () => Promise.reject(error),
		});
		const { known, failure } = await apply(api, wanted, { stored, ...channel });
		expect(failure).toBeUndefined();
		expect(calls).toEqual(['list', 'update A', 'delete A', 'list', 'create', 'list']);
		expect(known).toMatchObject({ secret: 'made' });
	});

	it.each<[string, Error]>([
		['is not available', failed('service_unavailable', 503)],
		['answers by a redirect in a strange form', failed('unexpected_response', 300)],
		['answers in a strange form', failed('unexpected_response')],
		['is not reached', failed('unreachable')],
		['gives a 404 that means something else', failed('rejected', 404)],
		['breaks', new TypeError('broken')],
	])('fails, and keeps the webhook and what it knows, if the service %s', async (_what, error) => {
		const { api, calls } = serviceWith([webhook({ events: ['BLOCK'] })], {
			update: async () => Promise.reject(error),
		});
		expect(await apply(api, wanted, { stored, ...channel })).toEqual({
			known: stored,
			failure: error,
		});
		expect(calls).toEqual(['list', 'update A']);
	});

	it('knows nothing more of a webhook that it had to delete and could not replace', async () => {
		const { api } = serviceWith([webhook({ events: ['BLOCK'] })], {
			update: async () => Promise.reject(failed('not_found')),
			create: async () => Promise.reject(failed('service_unavailable')),
		});
		expect(await apply(api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			failure: { reason: 'service_unavailable' },
		});
	});

	it('knows what it created, even if a later step fails', async () => {
		let lists = 0;
		const { api } = serviceWith([], {
			list: async () => (lists++ === 0 ? [] : Promise.reject(failed('unreachable'))),
		});
		expect(await apply(api, wanted, channel)).toMatchObject({
			known: { secret: 'made' },
			failure: { reason: 'unreachable' },
		});
	});

	it('says that the service gave no secret', async () => {
		const { api } = serviceWith([], { create: async () => webhook({ secret: null }) });
		expect((await apply(api, wanted, channel)).failure).toMatchObject({
			message: expect.stringContaining('without giving a signing secret'),
			hint: expect.stringMatching(/^Check with the service/),
		});
	});
});

describe('a refused registration', () => {
	const stranger = webhook({ id: 'B', url: 'https://user:pass@other.example/hook?key=1#x' });
	const refusedWith = async (error: Error, list: Webhook[]) =>
		(
			await apply(
				serviceWith(list, { create: async () => Promise.reject(error) }).api,
				wanted,
				channel,
			)
		).failure;

	it.each(['rejected', 'forbidden', 'invalid_request'] as const)(
		'as %s names the webhooks that may be in the way, without secrets',
		async (reason) => {
			const failure = await refusedWith(failed(reason), [stranger]);
			expect(failure).toMatchObject({
				message: `Could not act: ${reason}. The place may be held by https://other.example/hook`,
				hint: expect.stringContaining('delete the webhook that holds the place'),
			});
		},
	);

	it('names each of them', async () => {
		const failure = await refusedWith(failed('rejected'), [
			webhook({ id: 'B', url: 'https://a.example/?url=https://user@b.example' }),
			webhook({ id: 'C', url: 'https://c.example/#\nx' }),
		]);
		expect(failure).toMatchObject({
			message: expect.stringMatching(/held by https:\/\/a\.example\/, https:\/\/c\.example\/$/),
		});
	});

	it('names five of many', async () => {
		const many = Array.from({ length: 200 }, (_, index) =>
			webhook({ id: `B${index}`, url: `https://a.example/${index}` }),
		);
		expect(await refusedWith(failed('rejected'), many)).toMatchObject({
			message: expect.stringMatching(/held by https:.*, https:\/\/a\.example\/4 and 195 more$/),
		});
	});

	it('hides a name and password anywhere in a URL', async () => {
		const failure = await refusedWith(failed('rejected'), [
			webhook({ id: 'B', url: 'HTTPS://proxy:pass@a.example/https://user:pass@b.example/hook' }),
			webhook({ id: 'C', url: 'https://c.example/@team' }),
		]);
		expect(failure).toMatchObject({
			message: expect.stringMatching(
				/held by HTTPS:\/\/a\.example\/https:\/\/b\.example\/hook, https:\/\/c\.example\/@team$/,
			),
		});
	});

	it('stays unchanged for another reason, or if no webhook is in the way', async () => {
		const unavailable = failed('service_unavailable');
		expect(await refusedWith(unavailable, [stranger])).toBe(unavailable);
		const rejected = failed('rejected');
		expect(await refusedWith(rejected, [])).toBe(rejected);
		const broken = new TypeError('broken');
		expect(await refusedWith(broken, [stranger])).toBe(broken);
	});
});
