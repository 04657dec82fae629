import type { Webhook } from '../../../../nodes/BusinessMessaging/service/contract/webhooks.ts';
import type { WebhookOwner } from '../../../../nodes/BusinessMessaging/service/webhooks.ts';
import {
	checkManualRegistration,
	isForAnother,
	readManualProof,
	requireManualProof,
} from '../../../../nodes/BusinessMessaging/trigger/registration/manual.ts';

const URL = 'https://n8n.example.com/webhook/abc/webhook';
const channel: WebhookOwner = { kind: 'channel', channelId: 'C' };
const template: WebhookOwner = { kind: 'template' };
const webhook = (changes: Partial<Webhook> = {}): Webhook => ({
	id: 'A',
	url: URL,
	events: ['CONNECTED', 'BLOCK'],
	status: 'ENABLED',
	signing: true,
	...changes,
});
const check = (listed: Webhook[], events: string[], owner: WebhookOwner = channel) =>
	checkManualRegistration(listed, URL, events, owner);

/** The error's message and its description. */
function refusalOf(run: () => void): { message: string; hint?: string } {
	try {
		run();
	} catch (error) {
		return error as Error & { hint: string };
	}
	throw new Error('nothing was refused');
}

test('accepts a webhook with this URL that delivers the events, with more events or beside others', () => {
	expect(() => check([webhook()], ['BLOCK'])).not.toThrow();
	expect(() =>
		check(
			[webhook({ id: 'B', url: 'https://other.example', status: 'DISABLED' }), webhook()],
			['CONNECTED', 'BLOCK'],
		),
	).not.toThrow();
});

test('accepts two webhooks with this URL that share the events', () => {
	expect(() =>
		check(
			[webhook({ events: ['CONNECTED'] }), webhook({ id: 'B', events: ['BLOCK'] })],
			['CONNECTED', 'BLOCK'],
		),
	).not.toThrow();
});

test('names the URL and the events to register if it is missing, on the channel or the account', () => {
	expect(
		refusalOf(() => check([webhook({ url: `${URL}/` })], ['CONNECTED', 'BLOCK'])),
	).toMatchObject({
		message: `No webhook with the URL ${URL} is registered on this channel`,
		hint: "Register exactly this URL in the service's dashboard with the events CONNECTED, BLOCK, and publish again.",
	});
	expect(refusalOf(() => check([], ['UPDATE_TEMPLATE_STATUS'], template))).toMatchObject({
		message: `No webhook with the URL ${URL} is registered on the account, as a template webhook`,
		hint: expect.stringContaining(
			', or enable it, because the service lists only enabled template webhooks, and publish again.',
		),
	});
});

test('distinguishes a disabled webhook, which does not deliver, from a missing one', () => {
	expect(refusalOf(() => check([webhook({ status: 'DISABLED' })], ['BLOCK']))).toMatchObject({
		message: `The webhook with the URL ${URL} is disabled`,
		hint: expect.stringMatching(/^Enable it/),
	});
	expect(
		refusalOf(() =>
			check(
				[webhook({ status: 'DISABLED' }), webhook({ id: 'B', events: ['CONNECTED'] })],
				['BLOCK'],
			),
		).message,
	).toContain('does not deliver BLOCK');
});

test('names only the events that are not delivered', () => {
	expect(
		refusalOf(() => check([webhook()], ['MESSAGE_STATUS', 'BLOCK', 'INITIAL_DATA'])),
	).toMatchObject({
		message: `The webhook with the URL ${URL} does not deliver MESSAGE_STATUS, INITIAL_DATA`,
		hint: expect.stringMatching(/^Add these events to it.*publish again\.$/),
	});
});

test('accepts several signing secrets in the credential, while one replaces the other, and a token', () => {
	expect(readManualProof({ webhookSecret: ' old \n new ', webhookToken: ' token ' })).toEqual({
		secrets: ['old', 'new'],
		token: 'token',
	});
	expect(readManualProof({ webhookSecret: '', webhookToken: '' })).toEqual({
		secrets: [],
		token: '',
	});
	expect(readManualProof({})).toEqual({ secrets: [], token: '' });
	expect(readManualProof({ webhookSecret: 5, webhookToken: 5 })).toEqual({
		secrets: [],
		token: '',
	});
});

test('needs a secret or a token, because otherwise anyone could start the workflow', () => {
	expect(() => requireManualProof({ secrets: ['s'], token: '' })).not.toThrow();
	expect(() => requireManualProof({ secrets: [], token: 't' })).not.toThrow();
	expect(refusalOf(() => requireManualProof({ secrets: [], token: '' }))).toMatchObject({
		message: expect.stringContaining('neither a signing secret nor a token'),
		hint: expect.stringMatching(/^Enter the Webhook Secret, or the Webhook Token/),
	});
});

test('a body names its channel in any form of the id', () => {
	const hex = '019E4C54B1B375A28970B605CA9B03C3';
	const uuid = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
	const body = (channel_id: string) => ({ message: { channel_id } });
	for (const [named, channelId] of [
		[hex, uuid],
		[uuid, hex],
		[hex.toLowerCase(), hex],
	] as const) {
		expect(isForAnother(body(named), { kind: 'channel', channelId })).toBe(false);
		expect(isForAnother([body(named.replace('3', '4'))], { kind: 'channel', channelId })).toBe(
			true,
		);
		expect(isForAnother(body(named), { kind: 'template' })).toBe(true);
	}
});

test('a body whose channel is no text names none', () => {
	for (const channel_id of [7, null, { id: 'C' }])
		expect(isForAnother({ message: { channel_id } }, channel)).toBe(false);
});
