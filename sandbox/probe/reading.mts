import { z } from 'zod';

import {
	businessesSchema,
	channelPageSchema,
	channelSchema,
	CHANNEL_PAGE_SIZE,
	idKey,
} from '../contract.mts';
import type { Answer } from './answer.mts';
import { safeWord } from './answer.mts';
import { NO_ROLE, type Run } from './runContext.mts';

/** Fields of a channel, by their published types. */
const FIELDS: Record<string, (value: unknown) => boolean> = {
	tenant: (value) => typeof value === 'string',
	created: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
	due: (value) => value === null || typeof value === 'number',
	paymentStatus: (value) => typeof value === 'string',
	trial: (value) => typeof value === 'boolean',
	phoneConnected: (value) => typeof value === 'boolean',
	phoneNumberConnected: (value) => value === null || typeof value === 'string',
	businessId: (value) => value === null || typeof value === 'string',
	webhooksCount: (value) => typeof value === 'number',
};

/** Asks by GET requests alone. */
export async function probeReading(run: Run): Promise<void> {
	const { wire, findings, channelId, unknownId, wrongKey: key } = run;
	findings.refusal('channels.wrong-key', await wire.call('/v1/channels', { key }));
	findings.refusal('channel.wrong-key', await wire.call(`/v1/channels/${channelId}`, { key }));
	findings.refusal('template-webhooks.wrong-key', await wire.call('/v1/webhooks', { key }));
	await probeTemplates(run);
	const list = await wire.call('/v1/channels');
	const shown = await wire.call(`/v1/channels/${channelId}`);
	if (!run.hasRole) {
		findings.refusal('channels.role', list);
		findings.refusal('channel.role', shown);
		for (const need of ['reading', 'webhooks', 'deliveries', 'conversation'] as const)
			findings.skipAll(need, NO_ROLE);
		return;
	}
	for (const id of ['channels.role', 'channel.role'] as const)
		findings.skip(id, 'the account has the role');
	const unknown = `/v1/channels/${unknownId}`;
	findings.refusal('channel.unknown', await wire.call(unknown));
	findings.refusal('webhooks.unknown-channel', await wire.call(`${unknown}/webhooks`));
	const webhook = `/v1/channels/${channelId}/webhooks/${unknownId}`;
	findings.refusal('webhooks.unknown', await wire.call(webhook));
	findings.refusal('template-webhooks.unknown', await wire.call(`/v1/webhooks/${unknownId}`));
	probeChannel(run, shown);
	const page = channelPageSchema.safeParse(list.body).data;
	findings.success('channels.page', list, () => page !== undefined);
	if (page) await probeList(run, page);
}

/** The list of businesses. Without one, templates are sent by name. */
async function probeTemplates({ wire, findings, templatesPath }: Run): Promise<void> {
	const answer = await wire.call(templatesPath);
	if (answer.status === 404) return findings.skip('templates.businesses', 'not offered (404)');
	const isList = businessesSchema.safeParse(answer.body).success;
	findings.record('templates.businesses', answer.status === 200 && isList, {
		...findings.foundIn(answer),
		...(answer.status === 200 && !isList ? { word: 'body' } : {}),
	});
}

function probeChannel({ findings, channelId }: Run, answer: Answer): void {
	const schema = channelSchema.extend({
		webhooks: z.array(
			z.object({ id: z.string(), url: z.string(), events: z.array(z.string()) }).passthrough(),
		),
	});
	const { data, success } = schema.safeParse(answer.body);
	findings.success(
		'channel.get',
		answer,
		() => success && idKey(data?.id ?? '') === idKey(channelId),
	);
	if (data === undefined) return findings.skip('channel.id-form', 'no channel was shown');
	const form = /^[0-9A-F]{32}$/.test(data.id)
		? 'upper'
		: /^[0-9a-f]{32}$/.test(data.id)
			? 'lower'
			: data.id.includes('-')
				? 'hyphens'
				: 'other';
	findings.record('channel.id-form', form === 'upper', { word: form });
}

async function probeList(run: Run, page: z.infer<typeof channelPageSchema>): Promise<void> {
	const { wire, findings, channelId, unknownId } = run;
	const pageOf = async (query: string) => {
		const answer = await wire.call(`/v1/channels?${query}`);
		return { answer, page: channelPageSchema.safeParse(answer.body).data };
	};
	const idsOf = ({ content = [] }: Partial<typeof page> = {}) => content.map(({ id }) => id).join();

	const zeroth = await pageOf('page=0');
	const isZero = zeroth.page?.page === 0 && idsOf(zeroth.page) === idsOf(page);
	findings.record('channels.first-page', isZero, {
		...(zeroth.page ? { number: zeroth.page.page } : findings.foundIn(zeroth.answer)),
	});
	findings.record('channels.default-page-size', page.pageSize === CHANNEL_PAGE_SIZE.default, {
		number: page.pageSize,
	});
	const large = await pageOf(`pageSize=${CHANNEL_PAGE_SIZE.max + 1}`);
	findings.record('channels.largest-page', (large.page?.pageSize ?? 0) <= CHANNEL_PAGE_SIZE.max, {
		...(large.page ? { number: large.page.pageSize } : {}),
	});
	probeOrder(run, page);
	probeFields(run, page);
	const found = await pageOf(`query=${channelId}`);
	const none = await pageOf(`query=${unknownId}`);
	const isFound = found.page?.content.some(({ id }) => idKey(id) === idKey(channelId)) ?? false;
	findings.record('channels.query', isFound && none.page?.total === 0, {
		...(found.page
			? { word: isFound ? 'finds-others' : 'finds-none' }
			: findings.foundIn(found.answer)),
	});
	findings.refusal('channels.unknown-type', (await pageOf('type=NO_SUCH_TYPE')).answer);
}

function probeOrder({ findings }: Run, { content }: z.infer<typeof channelPageSchema>): void {
	const times = content.map(({ created }) => Date.parse(String(created)));
	if (times.length < 2 || times.some(Number.isNaN))
		return findings.skip('channels.newest-first', 'needs two channels');
	const isNewestFirst = times.every((time, at) => at === 0 || time <= times[at - 1]!);
	findings.record('channels.newest-first', isNewestFirst, { word: 'otherwise' });
}

function probeFields({ findings }: Run, { content }: z.infer<typeof channelPageSchema>): void {
	const [channel] = content;
	if (!channel) return findings.skip('channels.fields', 'the account has no channel');
	const wrong = Object.entries(FIELDS)
		.filter(([name, isRight]) => !isRight(channel[name]))
		.map(([name]) => safeWord(name) ?? '');
	findings.record('channels.fields', wrong.length === 0, { names: wrong });
}
