import type { StoreWebhook } from '../../../../nodes/BusinessMessaging/trigger/registration/apply.ts';
import { removeOwn as remove } from '../../../../nodes/BusinessMessaging/trigger/registration/remove.ts';
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
	it('deletes what goes to its exact URL, and nothing else', async () => {
		const { api, list } = serviceWith([
			webhook(),
			webhook({ id: 'B' }),
			webhook({ id: 'C', url: 'https://other.example' }),
		]);
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({ known: 'nothing' });
		expect(list.map(({ id }) => id)).toEqual(['C']);
	});

	const away = { id: 'A', url: 'https://production.example/webhook/abc/webhook' };

	it('leaves the stored one alone that goes to another address, and says so', async () => {
		const { api, list, calls } = serviceWith([webhook(away), webhook({ id: 'B' })]);
		expect(await removeOwn(api, wanted, { stored, ...channel })).toEqual({
			known: 'nothing',
			moved: away,
		});
		expect(list.map(({ id }) => id)).toEqual(['A']);
		expect(calls).toEqual(['list', 'delete B']);
	});

	it('reads the stored one if the list of template webhooks may hide it, and not if the list shows all', async () => {
		const hidden = (changes: object) =>
			serviceWith([], { get: async () => webhook(changes), delete: async () => {} });
		const own = hidden({});
		expect(await removeOwn(own.api, wanted, { stored, ...template })).toEqual({ known: 'nothing' });
		expect(own.calls).toEqual(['list', 'get A', 'delete A']);
		const another = hidden(away);
		expect(await removeOwn(another.api, wanted, { stored, ...template })).toEqual({
			known: 'nothing',
			moved: away,
		});
		expect(another.calls).toEqual(['list', 'get A']);
		const shown = serviceWith([]);
		expect(await removeOwn(shown.api, wanted, { stored, ...channel })).toEqual({
			known: 'nothing',
		});
		expect(shown.calls).toEqual(['list']);
	});

	const list = async () => await Promise.reject(failed('unreachable'));

	it('reads the stored one if the list failed, deletes it if it is its own, and reports the list', async () => {
		const { api, calls } = serviceWith([webhook()], { list });
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'get A', 'delete A']);
		const another = serviceWith([webhook(away)], { list });
		expect(await removeOwn(another.api, wanted, { stored, ...channel })).toMatchObject({
			known: 'nothing',
			moved: away,
			failure: { reason: 'unreachable' },
		});
		expect(another.list).toHaveLength(1);
	});

	it('lets the stored one stay, and keeps it in mind, if it cannot be read either', async () => {
		const { api, calls } = serviceWith([webhook()], { list, get: list });
		expect(await removeOwn(api, wanted, { stored, ...channel })).toMatchObject({
			known: stored,
			failure: { reason: 'unreachable' },
		});
		expect(calls).toEqual(['list', 'get A']);
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
		const hidden = serviceWith([webhook({ id: 'B' })], {
			get: async () => webhook(),
			delete: async () => {},
		});
		await removeOwn(hidden.api, byHand, { stored, ...template });
		expect(hidden.calls).toEqual(['list', 'get A', 'delete A']);
	});
});
