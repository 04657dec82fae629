import {
	RESERVED_DELIVERY_HEADERS,
	webhookListSchema,
	webhookSchema,
	WEBHOOK_TIME_RESOLUTION,
	WEBHOOK_URL_MAX,
	webhookWithSecretSchema,
} from '../contract.mts';
import type { Answer } from './answer.mts';
import { safeWord } from './answer.mts';
import { MARK, removeMarked } from './marks.mts';
import { type Run, without } from './runContext.mts';

/** Nobody owns it, so that nothing is ever delivered there. */
const NOWHERE = `https://${MARK}.invalid/`;
/** Seldom happens. */
const EVENTS = ['DISCONNECTED'];

/** Asks about webhooks to which nothing is delivered. */
export async function probeWebhooks(run: Run): Promise<void> {
	const { wire, findings, allowed, channelId, webhookKey, publicUrl, token } = run;
	if (!allowed.has('webhooks')) return findings.skipAll('webhooks', without('--allow webhooks'));
	if (!run.hasRole) return;
	const root = `/v1/channels/${channelId}/webhooks`;
	const url = publicUrl === undefined ? NOWHERE : `${publicUrl}/${token}/unused`;
	const plain = { url, events: EVENTS, description: MARK };
	const make = async (more: object = {}) => await wire.call(root, { body: { ...plain, ...more } });
	await probeRefusals(run, root, plain);
	const { date: before } = await wire.call(root);
	const auth = { type: 'BEARER', token: webhookKey };
	const created = await make({ signing: true, auth });
	const { data: webhook } = webhookWithSecretSchema.safeParse(created.body);
	findings.success('webhook.create', created, () => webhook !== undefined);
	if (webhook) {
		const path = `${root}/${encodeURIComponent(webhook.id)}`;
		probeSecret(run, webhook.secret);
		probeTime(run, webhook.createdAt, before, created.date);
		findings.success('webhook.get', await wire.call(path), isWebhook);
		await probeUpdates(run, path, webhook.secret);
		await probeMore(run, root, make);
		const kinds = await kindsRefused(make, webhookKey);
		if (webhook.auth?.type !== auth.type || webhook.auth.configured !== true) kinds.push(auth.type);
		findings.record('webhook.auth', kinds.length === 0, { names: kinds });
		await probeReservedHeaders(run, make);
		const answer = await wire.call(path, { method: 'DELETE' });
		findings.success('webhook.delete', answer, (body) => body === undefined);
	} else findings.skipAll('webhooks', 'no webhook could be created');
	await probeTemplateWebhooks(run, plain);
	// Not only at the end: an account may have room for few.
	await removeMarked(wire, channelId);
}

const isWebhook = (body: unknown): boolean => webhookSchema.safeParse(body).success;

/** Requests that the service must refuse. What it takes instead has the mark. */
async function probeRefusals(
	{ wire, findings }: Run,
	root: string,
	plain: { url: string; events: string[]; description: string },
): Promise<void> {
	const { url, events, description } = plain;
	const refused = async (body: unknown) => await wire.call(root, { body });
	findings.refusal('webhook.url-required', await refused({ events, description }));
	findings.refusal('webhook.events-required', await refused({ url, description }));
	findings.refusal('webhook.malformed', await refused('{"url": '));
	findings.refusal('webhook.wrong-type', await refused({ ...plain, events: 5 }));
	const ofTemplates = { ...plain, events: ['UPDATE_TEMPLATE_STATUS'] };
	findings.refusal('webhook.template-events', await refused(ofTemplates));
	const long = `${NOWHERE}${'x'.repeat(WEBHOOK_URL_MAX + 1 - NOWHERE.length)}`;
	const answer = await refused({ ...plain, url: long });
	findings.record('webhook.long-url', answer.status >= 400, findings.foundIn(answer));
}

function probeSecret({ findings }: Run, secret: string | null | undefined): void {
	const form =
		secret === null || secret === undefined
			? 'missing'
			: /^[0-9a-f]+$/.test(secret)
				? 'lower'
				: /^[0-9A-F]+$/i.test(secret)
					? 'upper'
					: 'other';
	const number = secret?.length ?? 0;
	findings.record('webhook.secret', form === 'lower' && number === 64, { word: form, number });
}

/** Whether `createdAt` is between two of the service's Date headers, which have whole seconds. */
function probeTime(
	{ findings }: Run,
	createdAt: string | null | undefined,
	before: number | undefined,
	after: number | undefined,
): void {
	// Not every parser reads +0000.
	const time = Date.parse((createdAt ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
	if (Number.isNaN(time)) return findings.record('webhook.time', false, { word: 'unreadable' });
	if (before === undefined || after === undefined)
		return findings.skip('webhook.time', 'the responses have no Date header');
	const late = time - (after + 1000);
	const early = before - WEBHOOK_TIME_RESOLUTION - time;
	const seconds = Math.min(86_400, Math.round(Math.max(late, early, 0) / 1000));
	findings.record('webhook.time', seconds <= 1, { seconds });
}

async function probeUpdates(
	{ wire, findings }: Run,
	path: string,
	first: string | null | undefined,
): Promise<void> {
	const update = async (body: object) => await wire.call(path, { method: 'PATCH', body });
	const description = `${MARK} updated`;
	const updated = await update({ description });
	findings.success(
		'webhook.update',
		updated,
		(body) => webhookSchema.safeParse(body).data?.description === description,
	);
	const { data } = webhookSchema.safeParse((await update({ events: ['CONNECTED'] })).body);
	const events = data?.events ?? [];
	findings.record('webhook.events-replaced', events.join() === 'CONNECTED', {
		names: events.map((event) => safeWord(event) ?? ''),
	});
	const secrets = [first];
	for (let times = 0; times < 2; times += 1) {
		const { data } = webhookWithSecretSchema.safeParse((await update({ signing: true })).body);
		secrets.push(data?.secret);
	}
	const isNew = secrets.every(Boolean) && new Set(secrets).size === secrets.length;
	findings.record('webhook.new-secret', isNew, {
		word: secrets.every(Boolean) ? 'same' : 'missing',
	});
}

type Make = (more?: object) => Promise<Answer>;

async function probeMore({ wire, findings }: Run, root: string, make: Make): Promise<void> {
	const second = await make();
	const { secret } = (second.body ?? {}) as { secret?: unknown };
	findings.record('webhook.no-secret', secret === null, {
		word: secret === undefined ? 'missing' : 'other',
	});
	const listed = webhookListSchema.safeParse((await wire.call(root)).body).data ?? [];
	const ours = listed.filter(({ description }) => description?.startsWith(MARK));
	findings.record('webhook.several', ours.length > 1, findings.foundIn(second));
}

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

async function probeReservedHeaders({ findings }: Run, make: Make): Promise<void> {
	const taken: string[] = [];
	for (const headerName of RESERVED_DELIVERY_HEADERS) {
		const answer = await make({ auth: { type: 'CUSTOM_HEADER', headerName, headerValue: 'x' } });
		if (answer.status < 300) taken.push(headerName);
	}
	findings.record('webhook.reserved-headers', taken.length === 0, { names: taken });
}

async function probeTemplateWebhooks(
	{ wire, findings, webhookKey }: Run,
	plain: object,
): Promise<void> {
	const root = '/v1/webhooks';
	findings.refusal('template-webhook.channel-events', await wire.call(root, { body: plain }));
	const body = { ...plain, events: ['UPDATE_TEMPLATE_STATUS'] };
	const created = await wire.call(root, { body });
	findings.success('template-webhook.create', created, isWebhook);
	const { data } = webhookSchema.safeParse(created.body);
	if (!data) return;
	const flat = await wire.call(root, { body: { ...body, authType: 'BEARER', token: webhookKey } });
	const type = webhookSchema.safeParse(flat.body).data?.auth?.type;
	findings.record('webhook.flat-auth', type === 'BEARER', {
		...findings.foundIn(flat),
		...(type === undefined ? {} : { word: safeWord(type) ?? '' }),
	});
	const path = `${root}/${encodeURIComponent(data.id)}`;
	findings.success('template-webhook.get', await wire.call(path), isWebhook);
	const update = { method: 'PATCH', body: { description: `${MARK} updated` } };
	findings.success('template-webhook.update', await wire.call(path, update), isWebhook);
	const answer = await wire.call(path, { method: 'DELETE' });
	findings.success('template-webhook.delete', answer, (empty) => empty === undefined);
}
