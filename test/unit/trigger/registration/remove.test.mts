import {
	type Keep,
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

type GivenToRemove = Parameters<typeof remove> extends [...infer Rest, Keep] ? Rest : never;
const removeOwn = async (...given: GivenToRemove) =>
	await outcomeOf((keep) => remove(...given, keep));

describe('removing', () => {
	it('deletes what is its own by its URL and by the stored ID, and nothing else', async () => {
		const { api, list } = serviceWith([
			webhook(),
			webhook({ id: 'B' }),
			webhook({ id: 'C', url: 'https://other.example' }),
		]);
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(list.map(({ id }) => id)).toEqual(['C']);
	});

	it('tries the stored one although the list of template webhooks does not show it, and not where the list shows all', async () => {
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

	it('tries the stored one also where the list failed, and tells of the list', async () => {
		const { api, calls } = serviceWith([webhook()], {
			list: async () => Promise.reject(failed('unreachable')),
		});
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'delete A']);
	});

	it('of a channel that is gone has nothing left to do', async () => {
		const { api } = serviceWith([], { list: async () => Promise.reject(failed('not_found')) });
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(await removeOwn(api, wanted, channel)).toEqual({ known: 'nothing' });
	});

	it('keeps in mind what could not be deleted, after everything else was tried', async () => {
		const { api, calls } = serviceWith([webhook(), webhook({ id: 'B' })], {
			delete: async (id) => (id === 'A' ? Promise.reject(failed('unreachable')) : undefined),
		});
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: stored,
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'delete A', 'delete B']);
	});

	it('leaves alone at its URL what was registered by hand, and deletes the stored one, also where the list does not show it', async () => {
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

	it('keeps in mind what it had registered with another URL until a list shows whose that is', async () => {
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
