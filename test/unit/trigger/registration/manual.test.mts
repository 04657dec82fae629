import type { JsonValue } from 'n8n-workflow';

import type { Webhook } from '#nodes/service/contract/webhooks.ts';
import type { WebhookOwner } from '#nodes/service/webhooks.ts';
import {
	checkManualRegistration,
	isForAnother,
	requireManualProof,
} from '#nodes/trigger/registration/manual.ts';
import { CHANNEL } from '../../../support/constants.mts';
import { wanted, webhook } from './webhookList.mts';

const UUID = '019e4c54-b1b3-75a2-8970-b605ca9b03c3';
const channel: WebhookOwner = { kind: 'channel', channelId: CHANNEL };
const template: WebhookOwner = { kind: 'template' };
const { url } = wanted;

type Listed = Array<Partial<Webhook>>;
const check = (list: Listed, events: string[], owner: WebhookOwner = channel) =>
	checkManualRegistration(
		list.map((changes) => webhook({ events: ['CONNECTED', 'BLOCK'], ...changes })),
		url,
		events,
		owner,
	);

const [both, disabled] = [['CONNECTED', 'BLOCK'], { status: 'DISABLED' } as const];

test.each<[string, Listed, string[]]>([
	['with more events', [{}], ['BLOCK']],
	['beside others', [{ id: 'B', url: 'https://other.example', ...disabled }, {}], both],
	[
		'beside another that shares the events',
		[{ events: ['CONNECTED'] }, { events: ['BLOCK'] }],
		both,
	],
])('accepts a webhook with this URL that delivers the events: %s', (_what, list, events) => {
	expect(() => check(list, events)).not.toThrow();
});

test.each<[string, Listed, string[], WebhookOwner, message: string, hint: RegExp]>([
	[
		'missing on the channel',
		[{ url: `${url}/` }],
		both,
		channel,
		`No webhook with the URL ${url} is registered on this channel`,
		/^Register exactly this URL in the service's dashboard with the events CONNECTED, BLOCK, and publish again\.$/,
	],
	[
		'missing on the account',
		[],
		['UPDATE_TEMPLATE_STATUS'],
		template,
		`No webhook with the URL ${url} is registered on the account, as a template webhook`,
		/, or enable it, because the service lists only enabled template webhooks, and publish again\.$/,
	],
	[
		'disabled, which does not deliver',
		[disabled],
		['BLOCK'],
		channel,
		`The webhook with the URL ${url} is disabled`,
		/^Enable it/,
	],
	[
		'without some events',
		[{}, { events: ['INITIAL_DATA'], ...disabled }],
		['MESSAGE_STATUS', 'BLOCK', 'INITIAL_DATA'],
		channel,
		`The webhook with the URL ${url} does not deliver MESSAGE_STATUS, INITIAL_DATA`,
		/^Add these events to it.*publish again\.$/,
	],
])('says what is wrong and what to do: %s', (_what, list, events, owner, message, hint) => {
	expect(() => check(list, events, owner)).toThrow(
		expect.objectContaining({ message, hint: expect.stringMatching(hint) as string }) as Error,
	);
});

test('needs a secret or a token, because otherwise anyone could start the workflow', () => {
	expect(() => requireManualProof({ secrets: ['s'], token: '' })).not.toThrow();
	expect(() => requireManualProof({ secrets: [], token: 't' })).not.toThrow();
	expect(() => requireManualProof({ secrets: [], token: '' })).toThrow(
		expect.objectContaining({
			message: expect.stringContaining('neither a signing secret nor a token') as string,
			hint: expect.stringMatching(/^Enter the Webhook Secret, or the Webhook Token/) as string,
		}) as Error,
	);
});

const on = (channel_id: JsonValue) => ({ message: { channel_id } });
const ofTemplate = [
	{ field: 'message_template_status_update', value: { event: 'APPROVED' }, waba_id: '9' },
];

test.each<[body: JsonValue, ofChannel: boolean, ofTemplates: boolean]>([
	[on(CHANNEL), false, true],
	[on(UUID), false, true],
	[on(CHANNEL.replace('3', '4')), true, true],
	[[on(CHANNEL), on(CHANNEL.replace('3', '4'))], true, true],
	[ofTemplate, true, false],
	[on(7), false, false],
	[on(null), false, false],
	[{ message: { _id: '1', metadata: { from_me: false } } }, false, false],
	[{ battery: 80, message: 'low', value: {} }, false, false],
	[null, false, false],
])('whether the body %j is for another: than the channel %s, than templates %s', (body, ...is) => {
	for (const channelId of [CHANNEL, UUID])
		expect(isForAnother(body, { kind: 'channel', channelId })).toBe(is[0]);
	expect(isForAnother(body, template)).toBe(is[1]);
});
