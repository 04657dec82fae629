import {
	type StoreWebhook,
	removeOwn as remove,
} from '../../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
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

type GivenToRemove = Parameters<typeof remove> extends [...infer Rest, StoreWebhook] ? Rest : never;
const removeOwn = async (...given: GivenToRemove) =>
	await outcomeOf((store) => remove(...given, store));

describe('removal', () => {
	it('deletes its own by URL and by stored ID, and nothing else', async () => {
		const { api, list } = serviceWith([
			webhook(),
			webhook({ id: 'B' }),
			webhook({ id: 'C', url: 'https://other.example' }),
		]);
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(list.map(({ id }) => id)).toEqual(['C']);
	});

	it('tries the stored one if the list of template webhooks hides it, and not if the list shows all', async () => {
		const hidden = serviceWith([], { delete: async () => {} });
		expect(await removeOwn(hidden.api, wanted, { stored, ...template })).toEqual({
			known: 'nothing',
		});
		expect(hidden.calls).toEqual(['list', 'delete A']);
		const shown = serviceWith([]);
		expect(await removeOwn(shown.api, wanted, { stored, ...channel })).toEqual({
			known: 'nothing',
		});
		expect(shown.calls).toEqual(['list']);
	});

	it('tries the stored one even if the list failed, and reports the list', async () => {
		const { api, calls } = serviceWith([webhook()], {
			list: async () => Promise.reject(failed('unreachable')),
		});
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'delete A']);
	});

	it('has nothing to do for a channel that is gone', async () => {
		const { api } = serviceWith([], { list: async () => Promise.reject(failed('not_found')) });
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(await removeOwn(api, wanted, channel)).toEqual({ known: 'nothing' });
	});

	it('keeps in mind what it could not delete, after it tried everything else', async () => {
		const { api, calls } = serviceWith([webhook(), webhook({ id: 'B' })], {
			delete: async (id) => (id === 'A' ? Promise.reject(failed('unreachable')) : undefined),
		});
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: stored,
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'delete A', 'delete B']);
	});

	it('leaves alone what was registered by hand at its URL, and deletes the stored one, even if unlisted', async () => {
		const byHand = { ...wanted, onlyStored: true };
		const { api, list } = serviceWith([webhook(), webhook({ id: 'B' })]);
		expect(await removeOwn(api, byHand, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(list.map(({ id }) => id)).toEqual(['B']);
		expect(await removeOwn(api, byHand, channel)).toEqual({ known: 'nothing' });
		expect(list).toHaveLength(1);
		const hidden = serviceWith([webhook({ id: 'B' })], { delete: async () => {} });
		await removeOwn(hidden.api, byHand, { stored, ...template });
		expect(hidden.calls).toEqual(['list', 'delete A']);
	});

	it('keeps in mind what it registered with another URL until a list shows whose that is', async () => {
		const moved = { ...stored, url: 'https://former.example' };
		const failing = serviceWith([], { list: async () => Promise.reject(failed('unreachable')) });
		expect(await removeOwn(failing.api, wanted, { stored: moved, ...channel })).toMatchObject({
			known: moved,
			failure: { reason: 'unreachable' },
		});
		expect(failing.calls).toEqual(['list']);
		const { api, list } = serviceWith([webhook({ url: moved.url })]);
		expect(await removeOwn(api, wanted, { stored: moved, ...channel })).toEqual({
			known: 'nothing',
		});
		expect(list).toEqual([]);
	});
});
