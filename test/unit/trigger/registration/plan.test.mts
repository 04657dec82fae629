import type { Webhook } from '../../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import {
	isHidden,
	makePlan,
	movedAway,
	type RunMemory,
	type WantedWebhook,
} from '../../../../nodes/BusinessMessaging/trigger/registration/plan.ts';
import { hashToken } from '../../../../nodes/BusinessMessaging/delivery/verify.ts';

const wanted: WantedWebhook = {
	url: 'https://n8n.example.com/webhook/abc/webhook',
	events: ['MESSAGE_RECEIVED', 'CONNECTED'],
	token: 'token',
	description: 'A workflow',
	owner: { instanceId: 'i', workflowId: 'w', nodeId: 'n' },
};

function listed(changes: Partial<Webhook> = {}): Webhook {
	return {
		id: 'A',
		url: wanted.url,
		events: ['CONNECTED', 'MESSAGE_RECEIVED'],
		status: 'ENABLED',
		signing: true,
		auth: { type: 'BEARER', configured: true },
		customAttributes: { n8nSigning: 'v1' },
		createdAt: '2026-01-01T00:00:00.000+0000',
		...changes,
	};
}

const known = {
	id: 'A',
	url: wanted.url,
	secret: 's',
	secretVersion: 'v1',
	tokenHash: hashToken(wanted.token),
};
const stepsFor = (list: Webhook[], memory: Partial<RunMemory> = {}) =>
	makePlan(list, wanted, { listShowsDisabled: true, ...memory }).steps;

it('has nothing to do if its webhook is right, with the events in any order', () => {
	expect(makePlan([listed()], wanted, { stored: known, listShowsDisabled: true })).toEqual({
		steps: [],
		registered: known,
	});
});

it('asks for a new secret if the active one is not the stored one', () => {
	expect(
		stepsFor([listed({ customAttributes: { n8nSigning: 'v2', mine: 1 } })], { stored: known }),
	).toEqual([{ kind: 'adopt', id: 'A', customAttributes: { n8nSigning: 'v2', mine: 1 } }]);
});

it('trusts the stored secret if the service keeps no attributes', () => {
	expect(stepsFor([listed({ customAttributes: null })], { stored: known })).toEqual([]);
});

it('leaves the stored webhook alone, whatever its mark, if it goes to another address', () => {
	const url = 'https://former.example/webhook/abc/webhook';
	for (const customAttributes of [null, {}, { n8n: { ...wanted.owner }, n8nSigning: 'v1' }])
		expect(stepsFor([listed({ url, customAttributes })], { stored: known })).toEqual([
			{ kind: 'create' },
		]);
	expect(
		makePlan([listed({ url }), listed({ id: 'B' })], wanted, {
			stored: known,
			made: { ...known, id: 'B' },
			listShowsDisabled: true,
		}),
	).toMatchObject({ steps: [], registered: { id: 'B' } });
});

it("knows which of its own went to another address, and that another node's ID is none", () => {
	const away = listed({ url: 'https://former.example' });
	const moved = { id: 'A', url: 'https://former.example' };
	expect(movedAway(known, [listed({ id: 'B' }), away], wanted)).toEqual(moved);
	expect(movedAway({ ...known, url: moved.url }, [away], wanted)).toEqual(moved);
	const ofAnother = { ...away, customAttributes: { n8n: { ...wanted.owner, nodeId: 'x' } } };
	for (const list of [[], [listed()], [listed({ id: 'B', url: moved.url })], [ofAnother]])
		expect(movedAway(known, list, wanted)).toBeUndefined();
	expect(movedAway(undefined, [away], wanted)).toBeUndefined();
});

it('keeps the first by ID of several without a creation time', () => {
	const undated = ['B', 'A', 'C'].map((id) => {
		const { createdAt: _none, ...rest } = listed({ id });
		return rest;
	});
	for (const list of [undated, undated.toReversed()])
		expect(stepsFor(list)[0]).toMatchObject({ kind: 'adopt', id: 'A' });
});

it('keeps the secret of a webhook that another main process registered meanwhile', () => {
	expect(makePlan([listed()], wanted, { before: new Set(), listShowsDisabled: true })).toEqual({
		steps: [],
	});
	expect(stepsFor([listed()], { before: new Set(['A']) })).toMatchObject([{ kind: 'adopt' }]);
});

it('keeps the secret that another main process replaced right after it did', () => {
	expect(
		makePlan([listed({ customAttributes: { n8nSigning: 'v2' } })], wanted, {
			made: known,
			before: new Set(['A']),
			listShowsDisabled: true,
		}),
	).toEqual({ steps: [] });
});

it('keeps the oldest of several that two main processes registered at once, so both keep the same', () => {
	const older = listed({ id: 'B' });
	const newer = listed({ id: 'A', createdAt: '2026-01-01T00:00:01.000+0000' });
	const before = new Set<string>();
	expect(stepsFor([newer, older], { made: { ...known, id: 'B' }, before })).toEqual([
		{ kind: 'delete', id: 'A' },
	]);
	expect(stepsFor([older, newer], { made: { ...known, id: 'A' }, before })).toEqual([
		{ kind: 'delete', id: 'A' },
	]);
});

it('prefers the webhook whose secret is stored to an older one', () => {
	expect(
		stepsFor([listed({ id: 'B', createdAt: '2020-01-01T00:00:00.000+0000' }), listed()], {
			stored: known,
		}),
	).toEqual([{ kind: 'delete', id: 'B' }]);
});

it('does not create a second one if the list does not show yet what it just created', () => {
	expect(makePlan([], wanted, { made: known, before: new Set(), listShowsDisabled: true })).toEqual(
		{
			steps: [],
			registered: known,
		},
	);
});

it('sets the token again if the webhook has none', () => {
	expect(
		stepsFor([listed({ auth: { type: 'NONE', configured: false } })], { stored: known }),
	).toEqual([{ kind: 'update', id: 'A', changes: { auth: { type: 'BEARER', token: 'token' } } }]);
});

it("sets the token again, and keeps the secret, if its hash is missing or of another key's token", () => {
	const changes = { auth: { type: 'BEARER', token: 'token' } };
	const { tokenHash: _missing, ...older } = known;
	expect(stepsFor([listed()], { stored: older })).toEqual([{ kind: 'update', id: 'A', changes }]);
	expect(
		stepsFor([listed()], { stored: { ...known, tokenHash: hashToken('of another key') } }),
	).toEqual([{ kind: 'update', id: 'A', changes }]);
	// What another main process has just registered has the same token, and that process stores its
	// hash.
	expect(stepsFor([listed()], { before: new Set() })).toEqual([]);
});

it('looks for a template webhook that the list may hide, and for no other', () => {
	const hidden = { listShowsDisabled: false };
	expect(isHidden(known, [], wanted.url, hidden)).toBe(true);
	expect(isHidden(known, [listed({ id: 'B' })], wanted.url, hidden)).toBe(true);
	expect(isHidden(known, [listed()], wanted.url, hidden)).toBe(false);
	expect(isHidden(known, [], wanted.url, { listShowsDisabled: true })).toBe(false);
	expect(isHidden(known, [], wanted.url, { ...hidden, gone: new Set(['A']) })).toBe(false);
	expect(isHidden({ ...known, url: 'https://other.example' }, [], wanted.url, hidden)).toBe(false);
});

it('asks for a new secret if the webhook is no longer signed', () => {
	expect(stepsFor([listed({ signing: false })], { stored: known })).toEqual([
		{ kind: 'adopt', id: 'A', customAttributes: { n8nSigning: 'v1' } },
	]);
});

it('is not done while there is anything to do, even with the secret at hand', () => {
	expect(
		makePlan([listed({ status: 'DISABLED' })], wanted, { stored: known, listShowsDisabled: true }),
	).toEqual({
		steps: [{ kind: 'update', id: 'A', changes: { status: 'ENABLED' } }],
	});
});

it('sets the events if one differs or is too many', () => {
	const changed = [{ kind: 'update', id: 'A', changes: { events: wanted.events } }];
	expect(stepsFor([listed({ events: ['CONNECTED', 'BLOCK'] })], { stored: known })).toEqual(
		changed,
	);
	expect(stepsFor([listed({ events: ['CONNECTED'] })], { stored: known })).toEqual(changed);
	expect(
		stepsFor([listed({ events: ['CONNECTED', 'MESSAGE_RECEIVED', 'BLOCK'] })], { stored: known }),
	).toEqual(changed);
});

it('sets the form of the payload that the node reads', () => {
	expect(stepsFor([listed({ payloadFormat: 'OTHER' })], { stored: known })).toEqual([
		{ kind: 'update', id: 'A', changes: { payloadFormat: 'DEFAULT' } },
	]);
	expect(stepsFor([listed({ payloadFormat: 'DEFAULT' })], { stored: known })).toEqual([]);
});

it('sets the token if another kind of authentication, or a token of nobody, is set', () => {
	const step = { kind: 'update', id: 'A', changes: { auth: { type: 'BEARER', token: 'token' } } };
	expect(
		stepsFor([listed({ auth: { type: 'BASIC', configured: true } })], { stored: known }),
	).toEqual([step]);
	expect(
		stepsFor([listed({ auth: { type: 'BEARER', configured: false } })], { stored: known }),
	).toEqual([step]);
});

it.each([{ type: 'BEARER' }, { type: 'BEARER', configured: null }])(
	'takes the token for set if the service does not say whether it is: %j',
	(auth) => {
		expect(
			makePlan([listed({ auth })], wanted, { stored: known, listShowsDisabled: true }),
		).toEqual({ steps: [], registered: known });
	},
);

it('leaves what it made in this run alone, too, if the service shows another URL', () => {
	const made = { ...known, id: 'B' };
	expect(
		makePlan([listed({ id: 'B', url: `${wanted.url}/` })], wanted, {
			made,
			before: new Set(),
			listShowsDisabled: true,
		}),
	).toEqual({ steps: [], registered: made });
});

it('keeps the one with the smaller ID of two with the same or no known age', () => {
	const before = new Set<string>();
	const tokenHash = hashToken(wanted.token);
	const made = { id: 'A', secret: 's', tokenHash };
	expect(stepsFor([listed({ id: 'B' }), listed()], { made, before })).toEqual([
		{ kind: 'delete', id: 'B' },
	]);
	expect(stepsFor([listed(), listed({ id: 'B' })], { made, before })).toEqual([
		{ kind: 'delete', id: 'B' },
	]);
	const ageless = { createdAt: null };
	expect(stepsFor([listed({ id: 'B', ...ageless }), listed(ageless)], { made, before })).toEqual([
		{ kind: 'delete', id: 'B' },
	]);
	expect(
		stepsFor([listed(), listed({ id: 'B', ...ageless })], {
			made: { id: 'B', secret: 's', tokenHash },
			before,
		}),
	).toEqual([{ kind: 'delete', id: 'A' }]);
});

describe('an id in another form, with hyphens or in lower case, is the same id', () => {
	const hex = '019E4C54B1B375A28970B605CA9B0AAA';
	const uuid = '019e4c54-b1b3-75a2-8970-b605ca9b0aaa';
	const stored = { ...known, id: uuid };

	it('for its own webhook, also with another URL', () => {
		expect(stepsFor([listed({ id: hex })], { stored })).toEqual([]);
		const url = 'https://old.example/webhook';
		expect(movedAway(stored, [listed({ id: hex, url })], wanted)).toEqual({ id: hex, url });
	});

	it('for one that is gone, or was there before, or is listed', () => {
		const hidden = { listShowsDisabled: false };
		const isHiddenIn = (list: Webhook[], gone: string[]) =>
			isHidden(stored, list, wanted.url, { ...hidden, gone: new Set(gone) });
		expect([isHiddenIn([], []), isHiddenIn([], [hex])]).toEqual([true, false]);
		expect(isHiddenIn([listed({ id: hex })], [])).toBe(false);
		expect(stepsFor([listed({ id: hex })], { before: new Set([uuid]) })).toMatchObject([
			{ kind: 'adopt' },
		]);
	});
});
