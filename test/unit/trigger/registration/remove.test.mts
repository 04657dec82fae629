import type { StoreWebhook } from '#nodes/trigger/registration/apply.ts';
import { removeOwn } from '#nodes/trigger/registration/remove.ts';
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

type Service = ReturnType<typeof serviceWith>;
type Given =
	Parameters<typeof removeOwn> extends [unknown, ...infer Rest, StoreWebhook] ? Rest : never;

const list = failing('unreachable');
const deletes = async () => {};
const byHand = { ...wanted, onlyStored: true };
const nothing = { known: 'nothing' };
const moved = { ...nothing, moved: away };
const failure = expect.objectContaining({ reason: 'unreachable' }) as unknown;
/** All with its exact URL. */
const own = () => [webhook(), webhook({ id: 'B' })];
const unlisted = (changes: object = {}) =>
	serviceWith([], { get: async () => webhook(changes), delete: deletes });

it.each<[string, Service, Given, calls: string[], outcome: object]>([
	[
		'deletes what goes to its exact URL, and nothing else',
		serviceWith([...own(), webhook({ id: 'C', url: 'https://other.example' })]),
		[wanted, channel],
		['list', 'delete A', 'delete B'],
		nothing,
	],
	[
		'leaves the stored one alone that goes to another address, and says so',
		serviceWith([webhook(away), webhook({ id: 'B' })]),
		[wanted, channel],
		['list', 'delete B'],
		moved,
	],
	[
		'reads the stored one, which the list of template webhooks may hide',
		unlisted(),
		[wanted, template],
		['list', 'get A', 'delete A'],
		nothing,
	],
	['also from another address', unlisted(away), [wanted, template], ['list', 'get A'], moved],
	['does not if the list shows all', unlisted(), [wanted, channel], ['list'], nothing],
	[
		'reads the stored one if the list failed, and reports the list',
		serviceWith(own(), { list }),
		[wanted, channel],
		['list', 'get A', 'delete A'],
		{ ...nothing, failure },
	],
	[
		'and leaves it alone there, too, if it goes elsewhere',
		serviceWith([webhook(away)], { list }),
		[wanted, channel],
		['list', 'get A'],
		{ ...moved, failure },
	],
	[
		'keeps the stored one in mind if it cannot be read either',
		serviceWith(own(), { list, get: list }),
		[wanted, channel],
		['list', 'get A'],
		{ known: stored, failure },
	],
	[
		'reads nothing for a channel that is gone',
		serviceWith([], { list: failing('not_found') }),
		[wanted, channel],
		['list'],
		nothing,
	],
	[
		'keeps in mind what it could not delete, after it tried everything else',
		serviceWith(own(), {
			delete: async (id) => (id === 'A' ? Promise.reject(failed('unreachable')) : undefined),
		}),
		[wanted, channel],
		['list', 'delete A', 'delete B'],
		{ known: stored, failure },
	],
	[
		'deletes the stored one, and not one registered by hand at its URL',
		serviceWith(own()),
		[byHand, channel],
		['list', 'delete A'],
		nothing,
	],
	[
		'and none if none is stored',
		serviceWith(own()),
		[byHand, { listShowsDisabled: true }],
		['list'],
		nothing,
	],
	[
		'the stored one also if the list hides it',
		serviceWith([webhook({ id: 'B' })], { get: async () => webhook(), delete: deletes }),
		[byHand, template],
		['list', 'get A', 'delete A'],
		nothing,
	],
])('%s', async (_what, { api, calls }, given, wantedCalls, outcome) => {
	expect(await outcomeOf(async (store) => await removeOwn(api, ...given, store))).toEqual(outcome);
	expect(calls).toEqual(wantedCalls);
});
