import type { Webhook, WebhookWithSecret } from '#nodes/service/contract/webhooks.ts';
import type { WebhookApi } from '#nodes/service/webhooks.ts';
import { applyPlan, isAsWanted } from '#nodes/trigger/registration/apply.ts';
import type { KnownWebhook, RunMemory } from '#nodes/trigger/registration/plan.ts';
import {
	away,
	channel,
	failed,
	failing,
	outcomeOf,
	serviceWith,
	stored,
	template,
	wanted,
	webhook,
} from './webhookList.mts';

const nothingStored = { listShowsDisabled: true };
/** Applies the plan to these webhooks. */
async function apply(
	listed: Webhook[],
	changes: Partial<WebhookApi> = {},
	start: Pick<RunMemory, 'stored' | 'listShowsDisabled'> = channel,
) {
	const { api, list, calls } = serviceWith(listed, changes);
	const outcome = await outcomeOf(async (store) => await applyPlan(api, wanted, start, store));
	return { ...outcome, outcome, list, calls };
}
const otherEvents = () => webhook({ events: ['BLOCK'] });

it.each<[string, Webhook[], boolean]>([
	['is as wanted', [webhook()], true],
	['has other events', [otherEvents()], false],
	['is missing', [], false],
	['goes to another address', [webhook(away)], false],
])('the check tells whether the webhook %s', async (_what, list, is) => {
	expect(await isAsWanted(serviceWith(list).api, wanted, channel)).toBe(is);
	expect(await isAsWanted(serviceWith(list).api, wanted, nothingStored)).toBe(false);
});

describe('the change', () => {
	it('stores no ID of the secret that the service did not keep', async () => {
		const create = async () => webhook({ customAttributes: {}, secret: 'made' });
		const { known } = await apply([], { create }, nothingStored);
		expect(known).toMatchObject({ secret: 'made' });
		expect(known).not.toHaveProperty('secretVersion');
	});

	it('keeps the one of several webhooks of its own whose secret it knows', async () => {
		const { outcome, list } = await apply([
			webhook({ id: 'B', createdAt: '2026-01-01T00:00:00Z' }),
			webhook({ createdAt: '2026-01-02T00:00:00Z' }),
			webhook({ id: 'C', url: 'https://other.example' }),
		]);
		expect(outcome).toEqual({ known: stored });
		expect(list.map(({ id }) => id)).toEqual(['A', 'C']);
	});

	it.each<[string, number, string, object]>([
		// Strictly: not even that nothing is known.
		['leaves to another process what that registered first, and stores nothing', 2, 'A', {}],
		['deletes what another process registered later, and knows its own secret', 0, 'B', stored],
	])('%s', async (_what, ours, deleted, known) => {
		const ages = ['2026-01-00', '2026-01-01', '2026-01-02'];
		const create: WebhookApi['create'] = async ({ customAttributes }) => {
			const attributes = customAttributes ? { customAttributes } : {};
			const made = webhook({ ...attributes, createdAt: ages[ours]!, secret: 'made' });
			list.push(made, webhook({ id: 'B', createdAt: ages[1]! }));
			return made;
		};
		const list: WebhookWithSecret[] = [];
		const { outcome, calls } = await apply(list, { create }, nothingStored);
		if (known === stored) expect(outcome).toMatchObject({ known: { id: 'A', secret: 'made' } });
		else expect(outcome).toStrictEqual({});
		expect(calls).toEqual(['list', 'create', 'list', `delete ${deleted}`, 'list']);
	});

	it('registers again what it had taken over and the service then lost', async () => {
		const others = otherEvents();
		const update: WebhookApi['update'] = async (_id, { customAttributes }) => {
			if (others.description) return await Promise.reject(failed('not_found', 404));
			others.description = 'Changed since, so the list is not behind';
			return webhook({ secret: 'renewed', ...(customAttributes ? { customAttributes } : {}) });
		};
		const list = async () => [{ ...others }];
		const { known, failure, calls } = await apply([others], { list, update }, nothingStored);
		expect(failure).toBeUndefined();
		expect(known).toMatchObject({ secret: 'made' });
		const takesOver = ['list', 'update A', 'list', 'update A', 'delete A'];
		expect(calls).toEqual([...takesOver, 'list', 'create', 'list']);
	});

	it("takes over a webhook of unknown secret: marks it as its own, and keeps others' attributes", async () => {
		const customAttributes = { team: 'Sales', n8nSigning: 'of a lost secret' };
		const { known, list } = await apply([webhook({ customAttributes })], {}, nothingStored);
		expect(known).toMatchObject({ id: 'A', secret: 'renewed' });
		const n8nSigning = (known as KnownWebhook).secretVersion;
		expect(list).toMatchObject([
			{ customAttributes: { team: 'Sales', n8n: wanted.node, n8nSigning } },
		]);
	});

	it('registers a new one if what it stored goes to another address, and says so', async () => {
		const { known, moved, calls, list } = await apply([webhook(away)]);
		expect({ known, moved }).toMatchObject({
			known: { url: wanted.url, secret: 'made' },
			moved: away,
		});
		expect(calls).toEqual(['list', 'create', 'list']);
		expect(list).toEqual([webhook(away), expect.objectContaining({ url: wanted.url })]);
	});

	describe('of a template webhook that the list may hide', () => {
		const run = async (get: () => Promise<Webhook>) => {
			const list: Webhook[] = [];
			const update: WebhookApi['update'] = async () => {
				list.push(webhook());
				return webhook();
			};
			return await apply(list, { get, update }, template);
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

		it.each(['not_found', 'method_not_allowed'] as const)(
			'registers another if the answer is %s',
			async (reason) => {
				const { calls } = await run(failing(reason));
				expect(calls.filter((call) => call !== 'list' && call !== 'get A')).toEqual(['create']);
			},
		);

		it('fails if it cannot be read', async () => {
			const { failure, known } = await run(failing('unreachable'));
			expect([failure, known]).toMatchObject([{ reason: 'unreachable' }, stored]);
		});
	});

	it.each<[string, Partial<Webhook>, string, object]>([
		['a new secret', { customAttributes: { n8nSigning: 'v2' } }, 'update A', { secret: 'renewed' }],
		['other events', { events: ['BLOCK'] }, 'update A', stored],
		['a removal', { signing: false }, 'create', { secret: 'made' }],
	])('knows what it did if the list is behind it: %s', async (what, changes, done, known) => {
		const behind = webhook(changes);
		const list = async () => [{ ...behind }];
		const update = async () => await Promise.reject(failed('not_found', 404));
		const given = what === 'a removal' ? { list, update } : { list };
		const { known: outcome, calls } = await apply([{ ...behind }], given);
		expect(outcome).toMatchObject(known);
		expect(calls.filter((call) => call === done)).toHaveLength(1);
	});

	it('gives up, and says why, if something else keeps changing the webhook', async () => {
		const update = async () => otherEvents();
		const { known, failure, calls } = await apply([otherEvents()], { update });
		expect(failure).toMatchObject({
			name: 'RegistrationError',
			message: expect.stringContaining('did not settle'),
			hint: expect.stringMatching(/^Check whether another n8n/),
		});
		expect(known).toEqual(stored);
		expect(calls.filter((call) => call === 'list')).toHaveLength(6);
	});

	const replaced = ['list', 'update A', 'delete A', 'list', 'create', 'list'];

	it.each<[string, Error, isReplaced: boolean]>([
		['does not know the webhook', failed('not_found', 404), true],
		['has no update', failed('method_not_allowed', 405), true],
		['has no such address', failed('unexpected_response', 404), true],
		['answers without a webhook', failed('unexpected_response', 200), true],
		['is not available', failed('service_unavailable', 503), false],
		['answers by a redirect in a strange form', failed('unexpected_response', 300), false],
		['answers in a strange form', failed('unexpected_response'), false],
		['is not reached', failed('unreachable'), false],
		['gives a 404 that means something else', failed('rejected', 404), false],
		['breaks', new TypeError('broken'), false],
	])('replaces the webhook or fails if the service %s', async (_what, error, isReplaced) => {
		const update = async () => await Promise.reject(error);
		const { outcome, calls } = await apply([otherEvents()], { update });
		if (isReplaced) expect(outcome).toEqual({ known: expect.objectContaining({ secret: 'made' }) });
		else expect(outcome).toEqual({ known: stored, failure: error });
		expect(calls).toEqual(isReplaced ? replaced : replaced.slice(0, 2));
	});

	it.each<[string, Webhook[], Partial<WebhookApi>, object]>([
		[
			'a webhook that it had to delete and could not replace',
			[otherEvents()],
			{ update: failing('not_found') },
			{ known: 'nothing' },
		],
		['what goes to another address', [webhook(away)], {}, { known: 'nothing', moved: away }],
	])('if it cannot create, it knows of %s', async (_what, list, changes, outcome) => {
		const create = failing('service_unavailable');
		expect((await apply(list, { ...changes, create })).outcome).toEqual({
			...outcome,
			failure: expect.objectContaining({ reason: 'service_unavailable' }),
		});
	});

	it('knows what it created, even if a later step fails', async () => {
		let lists = 0;
		const list = async () => (lists++ === 0 ? [] : Promise.reject(failed('unreachable')));
		expect((await apply([], { list }, nothingStored)).outcome).toMatchObject({
			known: { secret: 'made' },
			failure: { reason: 'unreachable' },
		});
	});
});
