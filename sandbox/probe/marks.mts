import { CHANNEL_PAGE_SIZE, channelPageSchema, webhookListSchema } from '../contract.mts';
import type { Call } from './wire.mts';

/** Begins the names and descriptions of all that a probe makes, so that any later run finds it. */
export const MARK = 'business-messaging-probe';
const isMarked = (text: string | null | undefined) => text === MARK || text?.startsWith(`${MARK} `);

/** Tries to remove one thing. */
const TRIES = 3;

/** What could not be removed, as the paths of the service without IDs. */
export interface Removal {
	removed: number;
	left: string[];
}

/**
 * Removes all webhooks and channels with a probe's mark, whichever run made them. The service's
 * lists decide, not the run's memory: a response may have been lost.
 *
 * @param channelId whose webhooks are looked at
 */
export async function removeMarked(call: Call, channelId: string): Promise<Removal> {
	const removal: Removal = { removed: 0, left: [] };
	for (const [root, query, markedIn] of [
		[`/v1/channels/${channelId}/webhooks`, '', webhooksIn],
		['/v1/webhooks', '', webhooksIn],
		['/v1/channels', `?pageSize=${CHANNEL_PAGE_SIZE.max}&query=${MARK}`, channelsIn],
	] as const) {
		const shown = root.replace(channelId, '<channel>');
		const answer = await call(root + query, { always: true }).catch(() => undefined);
		if (answer === undefined) removal.left.push(shown);
		// Without the role, or where the service has no such list, no run made anything there.
		for (const { id } of answer?.status === 200 ? markedIn(answer.body) : [])
			if (await isRemoved(call, `${root}/${encodeURIComponent(id)}`)) removal.removed += 1;
			else removal.left.push(shown);
	}
	return removal;
}

async function isRemoved(call: Call, path: string): Promise<boolean> {
	const request = { method: 'DELETE', always: true };
	for (let tries = 0; tries < TRIES; tries += 1) {
		const { status } = (await call(path, request).catch(() => undefined)) ?? { status: 0 };
		if ((status >= 200 && status < 300) || status === 404) return true;
	}
	return false;
}

const webhooksIn = (body: unknown) =>
	(webhookListSchema.safeParse(body).data ?? []).filter(({ description }) => isMarked(description));

const channelsIn = (body: unknown) =>
	(channelPageSchema.safeParse(body).data?.content ?? []).filter(
		({ name, phoneConnected }) => isMarked(name) && phoneConnected !== true,
	);
