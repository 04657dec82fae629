import { z } from 'zod';

import {
	businessesSchema,
	CHANNEL_PAGE_SIZE,
	channelPageSchema,
	channelSchema,
	idKey,
} from '../contract.mts';
import { ask, NO_ROLE, type Run } from './runContext.mts';

type Page = z.infer<typeof channelPageSchema>;

const isText = (value: unknown) => typeof value === 'string';
const isTruth = (value: unknown) => typeof value === 'boolean';
const isCount = (value: unknown) => typeof value === 'number';
const isTextOrNull = (value: unknown) => value === null || isText(value);

/** Fields of a channel, by their published types. */
const FIELDS: Record<string, (value: unknown) => boolean> = {
	...{ tenant: isText, paymentStatus: isText, trial: isTruth, phoneConnected: isTruth },
	created: (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
	due: (value) => value === null || isCount(value),
	...{ phoneNumberConnected: isTextOrNull, businessId: isTextOrNull, webhooksCount: isCount },
};

const SHOWN = channelSchema.extend({
	webhooks: z.array(
		z.object({ id: z.string(), url: z.string(), events: z.array(z.string()) }).passthrough(),
	),
});

/** Asks by GET requests alone. */
export async function probeReading(run: Run): Promise<string | void> {
	const { call, findings, channelId, unknownId, wrongKey: key } = run;
	const own = `/v1/channels/${channelId}`;
	await ask(run, {
		'channels.wrong-key': ['/v1/channels', { key }],
		'channel.wrong-key': [own, { key }],
		'template-webhooks.wrong-key': ['/v1/webhooks', { key }],
	});
	await probeBusinesses(run);
	if (!run.hasRole) {
		await ask(run, { 'channels.role': ['/v1/channels'], 'channel.role': [own] });
		findings.skipAll(NO_ROLE, 'webhooks', 'deliveries', 'conversation');
		return NO_ROLE;
	}
	findings.skip('the account has the role', 'channels.role', 'channel.role');
	const unknown = `/v1/channels/${unknownId}`;
	await ask(run, {
		'channel.unknown': [unknown],
		'webhooks.unknown-channel': [`${unknown}/webhooks`],
		'webhooks.unknown': [`${own}/webhooks/${unknownId}`],
		'template-webhooks.unknown': [`/v1/webhooks/${unknownId}`],
		'channels.unknown-type': ['/v1/channels?type=NO_SUCH_TYPE'],
	});
	const shown = await call(own);
	const { data } = SHOWN.safeParse(shown.body);
	findings.success('channel.get', shown, () => idKey(data?.id ?? '') === idKey(channelId));
	const form = data && formOf(data.id);
	findings.note({
		'channel.id-form': form ? form === 'upper' || { word: form } : 'no channel was shown',
	});
	const list = await call('/v1/channels');
	const page = channelPageSchema.safeParse(list.body).data;
	findings.success('channels.page', list, () => page !== undefined);
	if (page) await probeList(run, page);
}

/** The list of businesses. Without one, templates are sent by name. */
async function probeBusinesses({ call, findings, templatesPath }: Run): Promise<void> {
	const answer = await call(templatesPath);
	if (answer.status === 404) findings.skip('not offered (404)', 'templates.businesses');
	else {
		const isWrong = answer.status === 200 && !businessesSchema.safeParse(answer.body).success;
		const found = { ...findings.foundIn(answer), ...(isWrong ? { word: 'body' } : {}) };
		findings.note({ 'templates.businesses': (answer.status === 200 && !isWrong) || found });
	}
}

function formOf(id: string): string {
	if (/^[0-9A-F]{32}$/.test(id)) return 'upper';
	if (/^[0-9a-f]{32}$/.test(id)) return 'lower';
	return id.includes('-') ? 'hyphens' : 'other';
}

async function probeList({ call, findings, channelId, unknownId }: Run, page: Page): Promise<void> {
	const pageOf = async (query: string) => {
		const answer = await call(`/v1/channels?${query}`);
		return { answer, page: channelPageSchema.safeParse(answer.body).data };
	};
	const idsOf = (one?: Page) => one?.content.map(({ id }) => id).join();
	const { max } = CHANNEL_PAGE_SIZE;
	const zeroth = await pageOf('page=0');
	const large = (await pageOf(`pageSize=${max + 1}`)).page?.pageSize;
	const found = await pageOf(`query=${channelId}`);
	const none = await pageOf(`query=${unknownId}`);
	const isFound = found.page?.content.some(({ id }) => idKey(id) === idKey(channelId)) ?? false;
	const times = page.content.map(({ created }) => Date.parse(String(created)));
	const isOrdered = times.every((time, at) => at === 0 || time <= times[at - 1]!);
	const [channel] = page.content;
	const wrong = Object.keys(FIELDS).filter((name) => channel && !FIELDS[name]!(channel[name]));
	findings.note({
		'channels.first-page':
			(zeroth.page?.page === 0 && idsOf(zeroth.page) === idsOf(page)) ||
			(zeroth.page ? { number: zeroth.page.page } : findings.foundIn(zeroth.answer)),
		'channels.default-page-size': page.pageSize === CHANNEL_PAGE_SIZE.default || {
			number: page.pageSize,
		},
		'channels.largest-page': large === undefined || large <= max || { number: large },
		'channels.newest-first':
			times.length < 2 || times.some(Number.isNaN)
				? 'needs two channels'
				: isOrdered || { word: 'otherwise' },
		'channels.fields': channel
			? wrong.length === 0 || { names: wrong }
			: 'the account has no channel',
		'channels.query':
			(isFound && none.page?.total === 0) ||
			(found.page
				? { word: isFound ? 'finds-others' : 'finds-none' }
				: findings.foundIn(found.answer)),
	});
}
