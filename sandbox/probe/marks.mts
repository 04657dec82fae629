import { channelPageSchema, webhookListSchema } from '../contract.mts';
import type { Wire } from './wire.mts';

/** Begins the names and descriptions of all that a probe makes, so that any later run finds it. */
export const MARK = 'business-messaging-probe';
const isMarked = (text: string) => text === MARK || text.startsWith(`${MARK} `);

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
export async function removeMarked(wire: Wire, channelId: string): Promise<Removal> {
	const lists = [
		...[`/v1/channels/${channelId}/webhooks`, '/v1/webhooks'].map((path) => ({
			path,
			of: webhooksIn,
		})),
		{ path: `/v1/channels?pageSize=100&query=${MARK}`, of: channelsIn },
	];
	const removal: Removal = { removed: 0, left: [] };
	for (const { path, of } of lists) {
		const answer = await wire.call(path, { always: true }).catch(() => undefined);
		// Without the role, or where the service has no such list, no run made anything there.
		const root = path.split('?')[0]!;
		for (const id of answer?.status === 200 ? of(answer.body) : []) {
			if (await isRemoved(wire, `${root}/${encodeURIComponent(id)}`)) removal.removed += 1;
			else removal.left.push(root.replace(channelId, '<channel>'));
		}
		if (answer === undefined) removal.left.push(root.replace(channelId, '<channel>'));
	}
	return removal;
}

async function isRemoved(wire: Wire, path: string): Promise<boolean> {
	for (let tries = 0; tries < TRIES; tries += 1) {
		const request = { method: 'DELETE', always: true };
		const status = (await wire.call(path, request).catch(() => undefined))?.status ?? 0;
		if ((status >= 200 && status < 300) || status === 404) return true;
	}
	return false;
}

function webhooksIn(body: unknown): string[] {
	return (webhookListSchema.safeParse(body).data ?? [])
		.filter(({ description }) => isMarked(description ?? ''))
		.map(({ id }) => id);
}

function channelsIn(body: unknown): string[] {
	return (channelPageSchema.safeParse(body).data?.content ?? [])
		.filter(({ name, phoneConnected }) => isMarked(name ?? '') && phoneConnected !== true)
		.map(({ id }) => id);
}
