import type { Webhook } from '../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import { decide, type Knowledge, type WantedWebhook } from '../../../nodes/BusinessMessaging/trigger/registration.ts';

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

const known = { id: 'A', url: wanted.url, secret: 's', secretVersion: 'v1' };
const stepsFor = (list: Webhook[], knowledge: Partial<Knowledge> = {}) => decide(list, wanted, { listShowsDisabled: true, ...knowledge }).steps;

it('has nothing to do when its webhook is as wanted, in whatever order the events are', () => {
	expect(decide([listed()], wanted, { stored: known, listShowsDisabled: true })).toEqual({ steps: [], registered: known });
});

it('asks for a new secret when another than the stored one is in force', () => {
	expect(stepsFor([listed({ customAttributes: { n8nSigning: 'v2', mine: 1 } })], { stored: known })).toEqual([
		{ kind: 'adopt', id: 'A', customAttributes: { n8nSigning: 'v2', mine: 1 } },
	]);
});

it('trusts the stored secret where the service keeps no attributes', () => {
	expect(stepsFor([listed({ customAttributes: null })], { stored: known })).toEqual([]);
});

it('leaves the secret alone of a webhook that another main registered meanwhile', () => {
	expect(decide([listed()], wanted, { before: new Set(), listShowsDisabled: true })).toEqual({ steps: [] });
	expect(stepsFor([listed()], { before: new Set(['A']) })).toMatchObject([{ kind: 'adopt' }]);
});

it('leaves the secret alone that another main replaced right after it did', () => {
	expect(decide([listed({ customAttributes: { n8nSigning: 'v2' } })], wanted, { made: known, before: new Set(['A']), listShowsDisabled: true })).toEqual({ steps: [] });
});

it('keeps the oldest of several that two mains registered at once, so that both keep the same', () => {
	const older = listed({ id: 'B' });
	const newer = listed({ id: 'A', createdAt: '2026-01-01T00:00:01.000+0000' });
	const before = new Set<string>();
	expect(stepsFor([newer, older], { made: { id: 'B', secret: 's' }, before })).toEqual([{ kind: 'delete', id: 'A' }]);
	expect(stepsFor([older, newer], { made: { id: 'A', secret: 's' }, before })).toEqual([{ kind: 'delete', id: 'A' }]);
});

it('prefers the webhook whose secret is stored to an older one', () => {
	expect(stepsFor([listed({ id: 'B', createdAt: '2020-01-01T00:00:00.000+0000' }), listed()], { stored: known })).toEqual([{ kind: 'delete', id: 'B' }]);
});

it('does not create a second one when the list does not show yet what was just created', () => {
	expect(decide([], wanted, { made: known, before: new Set(), listShowsDisabled: true })).toEqual({ steps: [], registered: known });
});

it('sets the token again with the URL that it belongs to, and when the webhook has none', () => {
	const auth = { type: 'BEARER', token: 'token' };
	expect(stepsFor([listed({ url: 'https://old.example/webhook/abc/webhook' })], { stored: known })).toEqual([{ kind: 'update', id: 'A', changes: { url: wanted.url, auth } }]);
	expect(stepsFor([listed({ auth: { type: 'NONE', configured: false } })], { stored: known })).toEqual([{ kind: 'update', id: 'A', changes: { auth } }]);
});

it('enables a template webhook that the list hides, and deletes it when it has another', () => {
	const hidden = { stored: known, listShowsDisabled: false };
	expect(stepsFor([], hidden)).toEqual([{ kind: 'update', id: 'A', changes: { status: 'ENABLED', events: wanted.events } }]);
	expect(stepsFor([listed({ id: 'B' })], hidden)).toMatchObject([{ kind: 'adopt', id: 'B' }, { kind: 'delete', id: 'A' }]);
	expect(stepsFor([], { ...hidden, gone: new Set(['A']) })).toEqual([{ kind: 'create' }]);
});

it('does not touch what the list hides when it was stored for another URL', () => {
	expect(stepsFor([], { stored: { ...known, url: 'https://other.example/webhook' }, listShowsDisabled: false })).toEqual([{ kind: 'create' }]);
});
