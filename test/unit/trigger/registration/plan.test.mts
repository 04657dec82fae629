import { hashToken } from '#nodes/delivery/open.ts';
import type { Webhook } from '#nodes/service/contract/webhooks.ts';
import { isHidden, makePlan, movedAway, type RunMemory } from '#nodes/trigger/registration/plan.ts';
import { stored as known, wanted as wantedWebhook, webhook } from './webhookList.mts';

const wanted = { ...wantedWebhook, events: ['MESSAGE_RECEIVED', 'CONNECTED'] };
const AGO = '2026-01-01T00:00:00.000+0000';
const LATER = '2026-01-01T00:00:01.000+0000';
const AWAY = 'https://former.example/webhook/abc/webhook';
const HEX = '019E4C54B1B375A28970B605CA9B0AAA';
const UUID = '019e4c54-b1b3-75a2-8970-b605ca9b0aaa';

const listed = (changes: Partial<Webhook> = {}): Webhook =>
	webhook({ events: ['CONNECTED', 'MESSAGE_RECEIVED'], createdAt: AGO, ...changes });
const plan = (list: Array<Partial<Webhook>>, memory: Partial<RunMemory> = {}) =>
	makePlan(list.map(listed), wanted, { listShowsDisabled: true, ...memory });

const stored = known;
const before = new Set<string>();
const create = { kind: 'create' };
const remove = (id: string) => ({ kind: 'delete', id });
const update = (changes: object) => ({ kind: 'update', id: 'A', changes });
const adopt = (customAttributes: object, id = 'A') => ({ kind: 'adopt', id, customAttributes });
const setToken = update({ auth: { type: 'BEARER', token: wanted.token } });
const setEvents = update({ events: wanted.events });
const madeAs = (id: string) => ({ made: { ...known, id }, before });
const v1 = { n8nSigning: 'v1' };
const v2 = { n8nSigning: 'v2' };
const { tokenHash: _missing, ...older } = known;
const ofAnotherKey = { ...known, tokenHash: hashToken('of another key') };

type Row = [what: string, list: Array<Partial<Webhook>>, memory: Partial<RunMemory>, object[]];

it.each<Row>([
	['another secret is in force', [{ customAttributes: v2 }], { stored }, [adopt(v2)]],
	['no secret is in force', [{ signing: false }], { stored }, [adopt(v1)]],
	['the service keeps no attributes', [{ customAttributes: null }], { stored }, []],
	['it was there before, unknown', [{}], { before: new Set(['A']) }, [adopt(v1)]],
	['it is disabled', [{ status: 'DISABLED' }], { stored }, [update({ status: 'ENABLED' })]],
	['an event differs', [{ events: ['CONNECTED', 'BLOCK'] }], { stored }, [setEvents]],
	['an event is missing', [{ events: ['CONNECTED'] }], { stored }, [setEvents]],
	['one is too many', [{ events: [...wanted.events, 'BLOCK'] }], { stored }, [setEvents]],
	[
		'its payload has another form',
		[{ payloadFormat: 'OTHER' }],
		{ stored },
		[update({ payloadFormat: 'DEFAULT' })],
	],
	['its payload has the form', [{ payloadFormat: 'DEFAULT' }], { stored }, []],
	['it has no token', [{ auth: { type: 'NONE', configured: false } }], { stored }, [setToken]],
	['it has basic auth', [{ auth: { type: 'BASIC', configured: true } }], { stored }, [setToken]],
	['its token is unset', [{ auth: { type: 'BEARER', configured: false } }], { stored }, [setToken]],
	['it may have a token', [{ auth: { type: 'BEARER' } }], { stored }, []],
	['its auth says nothing', [{ auth: {} }], { stored }, []],
	['the hash of its token is missing', [{}], { stored: older }, [setToken]],
	["its token is another key's", [{}], { stored: ofAnotherKey }, [setToken]],
	["the stored one goes elsewhere, by the node's mark", [{ url: AWAY }], { stored }, [create]],
	['or by no mark', [{ url: AWAY, customAttributes: null }], { stored }, [create]],
	[
		'several have no age',
		['B', 'A', 'C'].map((id) => ({ id, createdAt: null })),
		{},
		[adopt(v1), remove('B'), remove('C')],
	],
	['one is older, and one stored', [{ id: 'B', createdAt: '2020' }, {}], { stored }, [remove('B')]],
	['its ID is spelt otherwise', [{ id: HEX }], { stored: { ...known, id: UUID } }, []],
	['or was before', [{ id: HEX }], { before: new Set([UUID]) }, [adopt(v1, HEX)]],
])('if %s', (_what, list, memory, steps) => {
	expect(plan(list, memory).steps).toEqual(steps);
	expect(plan(list.toReversed(), memory).steps).toHaveLength(steps.length);
	if (list.length === 1) expect('registered' in plan(list, memory)).toBe(steps.length === 0);
});

describe('of several main processes', () => {
	it.each<Row>([
		['an unknown one is that of another', [{}], { before }, []],
		['another has replaced the secret', [{ customAttributes: v2 }], madeAs('A'), []],
		['both keep the older', [{ createdAt: LATER }, { id: 'B' }], madeAs('B'), [remove('A')]],
		['both, too', [{ createdAt: LATER }, { id: 'B' }], madeAs('A'), [remove('A')]],
		['both keep the first by ID', [{ id: 'B' }, {}], madeAs('A'), [remove('B')]],
		['one without age is older', [{}, { id: 'B', createdAt: null }], madeAs('B'), [remove('A')]],
		['none in the list is one that is made', [], madeAs('A'), []],
		['one made elsewhere stays', [{ id: 'B', url: `${wanted.url}/` }], madeAs('B'), []],
	])('%s', (_what, list, memory, steps) => {
		for (const order of [list, list.toReversed()]) expect(plan(order, memory).steps).toEqual(steps);
	});

	it('only that which holds the secret has registered it', () => {
		expect(plan([{}], { before }).registered).toBeUndefined();
		expect(plan([{ customAttributes: v2 }], madeAs('A')).registered).toBeUndefined();
		expect(plan([], madeAs('A')).registered).toEqual(known);
		expect(plan([{ url: AWAY }, { id: 'B' }], { stored, ...madeAs('B') })).toMatchObject({
			steps: [],
			registered: { id: 'B' },
		});
		expect(plan([{ events: wanted.events }], { stored })).toEqual({ steps: [], registered: known });
	});
});

it("knows which of its own went to another address, and that another node's ID is none", () => {
	const away = listed({ url: AWAY });
	const moved = { id: 'A', url: AWAY };
	expect(movedAway(known, [listed({ id: 'B' }), away], wanted)).toEqual(moved);
	expect(movedAway({ ...known, url: AWAY }, [away], wanted)).toEqual(moved);
	expect(movedAway({ ...known, id: UUID }, [{ ...away, id: HEX }], wanted)).toEqual({
		id: HEX,
		url: AWAY,
	});
	const ofAnother = { ...away, customAttributes: { n8n: { ...wanted.node, nodeId: 'x' } } };
	for (const list of [[], [listed()], [listed({ id: 'B', url: AWAY })], [ofAnother]])
		expect(movedAway(known, list, wanted)).toBeUndefined();
	expect(movedAway(undefined, [away], wanted)).toBeUndefined();
});

it.each([
	[known, [], {}, true],
	[known, [{ id: 'B' }], {}, true],
	[known, [{}], {}, false],
	[known, [], { listShowsDisabled: true }, false],
	[known, [], { gone: new Set(['A']) }, false],
	[{ ...known, url: AWAY }, [], {}, false],
	[{ ...known, id: UUID }, [{ id: HEX }], {}, false],
	[{ ...known, id: UUID }, [], { gone: new Set([HEX]) }, false],
])('whether the list may hide %j, with %j and %j: %s', (webhookStored, list, memory, is) => {
	const given = { listShowsDisabled: false, ...memory };
	expect(isHidden(webhookStored, list.map(listed), wanted.url, given)).toBe(is);
});
