import {
	RESERVED_DELIVERY_HEADERS,
	webhookListSchema,
	webhookSchema,
	WEBHOOK_TIME_RESOLUTION,
	WEBHOOK_URL_MAX,
	webhookWithSecretSchema,
} from '../contract.mts';
import type { Verdict } from './findings.mts';
import { MARK, removeMarked } from './marks.mts';
import { ask, type Run } from './runContext.mts';
import { type Answer, safeWord } from './wire.mts';

/** Nobody owns it, so that nothing is ever delivered there. */
const NOWHERE = `https://${MARK}.invalid/`;

const isWebhook = (body: unknown) => webhookSchema.safeParse(body).success;
const isEmpty = (body: unknown) => body === undefined;

/** Asks about webhooks to which nothing is delivered. */
export async function probeWebhooks(run: Run): Promise<string | void> {
	const { call, findings, channelId, webhookKey, publicUrl, token } = run;
	if (!run.hasRole) return;
	const root = `/v1/channels/${channelId}/webhooks`;
	const url = publicUrl === undefined ? NOWHERE : `${publicUrl}/${token}/unused`;
	// The event seldom happens.
	const plain = { url, events: ['DISCONNECTED'], description: MARK };
	const make = async (more: object = {}) => await call(root, { body: { ...plain, ...more } });
	await ask(run, {
		'webhook.url-required': [root, { body: { ...plain, url: undefined } }],
		'webhook.events-required': [root, { body: { ...plain, events: undefined } }],
		'webhook.malformed': [root, { body: '{"url": ' }],
		'webhook.wrong-type': [root, { body: { ...plain, events: 5 } }],
		'webhook.template-events': [root, { body: { ...plain, events: TEMPLATE_EVENTS } }],
	});
	const long = await make({ url: NOWHERE.padEnd(WEBHOOK_URL_MAX + 1, 'x') });
	findings.note({ 'webhook.long-url': long.status >= 400 || findings.foundIn(long) });
	const { date: before } = await call(root);
	const created = await make({ signing: true, auth: { type: 'BEARER', token: webhookKey } });
	const { data: webhook } = webhookWithSecretSchema.safeParse(created.body);
	findings.success('webhook.create', created, () => webhook !== undefined);
	if (webhook) {
		const path = `${root}/${encodeURIComponent(webhook.id)}`;
		findings.note({
			'webhook.secret': secretVerdict(webhook.secret),
			'webhook.time': timeVerdict(webhook.createdAt, before, created.date),
		});
		await probeUpdates(run, path, webhook.secret);
		const second = await make();
		const { secret } = (second.body ?? {}) as { secret?: unknown };
		const listed = webhookListSchema.safeParse((await call(root)).body).data ?? [];
		const ours = listed.filter(({ description }) => description?.startsWith(MARK));
		const kinds = await kindsRefused(make, webhookKey);
		if (webhook.auth?.type !== 'BEARER' || webhook.auth.configured !== true) kinds.push('BEARER');
		const taken: string[] = [];
		for (const headerName of RESERVED_DELIVERY_HEADERS) {
			const auth = { type: 'CUSTOM_HEADER', headerName, headerValue: 'x' };
			if ((await make({ auth })).status < 300) taken.push(headerName);
		}
		findings.note({
			'webhook.no-secret': secret === null || { word: secret === undefined ? 'missing' : 'other' },
			'webhook.several': ours.length > 1 || findings.foundIn(second),
			'webhook.auth': kinds.length === 0 || { names: kinds },
			'webhook.reserved-headers': taken.length === 0 || { names: taken },
		});
		await ask(run, { 'webhook.delete': [path, { method: 'DELETE' }, isEmpty] });
	} else findings.skipAll('no webhook could be created', 'webhooks');
	await probeTemplateWebhooks(run, plain);
	// Not only at the end: an account may have room for few.
	await removeMarked(call, channelId);
}

const TEMPLATE_EVENTS = ['UPDATE_TEMPLATE_STATUS'];

function secretVerdict(secret: string | null | undefined): Verdict {
	const number = secret?.length ?? 0;
	if (secret === null || secret === undefined) return { word: 'missing', number };
	if (/^[0-9a-f]+$/.test(secret)) return number === 64 || { word: 'lower', number };
	return { word: /^[0-9A-F]+$/i.test(secret) ? 'upper' : 'other', number };
}

/** Whether `createdAt` is between two of the service's Date headers, which have whole seconds. */
function timeVerdict(
	createdAt: string | null | undefined,
	before: number | undefined,
	after: number | undefined,
): Verdict {
	// Not every parser reads +0000.
	const time = Date.parse((createdAt ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
	if (Number.isNaN(time)) return { word: 'unreadable' };
	if (before === undefined || after === undefined) return 'the responses have no Date header';
	const off = Math.max(time - (after + 1000), before - WEBHOOK_TIME_RESOLUTION - time, 0);
	const seconds = Math.min(86_400, Math.round(off / 1000));
	return seconds <= 1 || { seconds };
}

async function probeUpdates(
	run: Run,
	path: string,
	first: string | null | undefined,
): Promise<void> {
	const update = (body: object) => ({ method: 'PATCH', body });
	const description = `${MARK} updated`;
	await ask(run, {
		'webhook.get': [path, {}, isWebhook],
		'webhook.update': [
			...([path, update({ description })] as const),
			(body) => webhookSchema.safeParse(body).data?.description === description,
		],
	});
	const { body } = await run.call(path, update({ events: ['CONNECTED'] }));
	const names = webhookSchema.safeParse(body).data?.events.map(safeWord) ?? [];
	const secrets = [first];
	while (secrets.length < 3) {
		const { body } = await run.call(path, update({ signing: true }));
		secrets.push(webhookWithSecretSchema.safeParse(body).data?.secret);
	}
	const areAll = secrets.every(Boolean);
	const isNew = areAll && new Set(secrets).size === secrets.length;
	run.findings.note({
		'webhook.events-replaced': names.join() === 'CONNECTED' || { names },
		'webhook.new-secret': isNew || { word: areAll ? 'same' : 'missing' },
	});
}

type Make = (more?: object) => Promise<Answer>;

/** The kinds of credentials that the service does not take. */
async function kindsRefused(make: Make, key: string): Promise<string[]> {
	const refused: string[] = [];
	for (const auth of [
		{ type: 'API_KEY', key },
		{ type: 'BASIC', username: 'probe', password: key },
		{ type: 'CUSTOM_HEADER', headerName: 'x-probe', headerValue: key },
		{ type: 'NONE' },
	]) {
		const answer = await make({ auth });
		const listed = webhookSchema.safeParse(answer.body).data?.auth;
		const isRight = listed?.type === auth.type && listed.configured === (auth.type !== 'NONE');
		if (answer.status >= 300 || !isRight) refused.push(auth.type);
	}
	return refused;
}

async function probeTemplateWebhooks(run: Run, plain: object): Promise<void> {
	const { call, findings, webhookKey } = run;
	const root = '/v1/webhooks';
	await ask(run, { 'template-webhook.channel-events': [root, { body: plain }] });
	const body = { ...plain, events: TEMPLATE_EVENTS };
	const created = await call(root, { body });
	findings.success('template-webhook.create', created, isWebhook);
	const { data } = webhookSchema.safeParse(created.body);
	if (!data) return;
	const flat = await call(root, { body: { ...body, authType: 'BEARER', token: webhookKey } });
	const type = webhookSchema.safeParse(flat.body).data?.auth?.type;
	const word = type === undefined ? {} : { word: safeWord(type) };
	findings.note({
		'webhook.flat-auth': type === 'BEARER' || { ...findings.foundIn(flat), ...word },
	});
	const path = `${root}/${encodeURIComponent(data.id)}`;
	const update = { method: 'PATCH', body: { description: `${MARK} updated` } };
	await ask(run, {
		'template-webhook.get': [path, {}, isWebhook],
		'template-webhook.update': [path, update, isWebhook],
		'template-webhook.delete': [path, { method: 'DELETE' }, isEmpty],
	});
}
