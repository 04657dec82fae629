/** What errors say of the route that was asked for. */

interface AskedId {
	noun: 'channel' | 'webhook';
	/** What the service calls it in its messages. */
	names: string[];
	id: string;
}

/** `['v1', 'channels', channelId, 'webhooks', webhookId]`, and the same without a channel. */
function idsOf(path: readonly string[]): AskedId[] {
	const [, resource, first, part, second] = path;
	const channelId = resource === 'channels' ? first : undefined;
	const webhookId = resource === 'webhooks' ? first : part === 'webhooks' ? second : undefined;
	return [
		...(channelId === undefined
			? []
			: [{ noun: 'channel' as const, names: ['channel', 'instance'], id: channelId }]),
		...(webhookId === undefined
			? []
			: [{ noun: 'webhook' as const, names: ['webhook'], id: webhookId }]),
	];
}

/**
 * What is not there, by what the service said of it.
 * @returns `named` fit to follow the service's words: the ids that were asked for; `hint`, which of them to check
 */
export function askedFor(path: readonly string[], said: string): { named: string; hint: string } {
	const ids = idsOf(path);
	const words = said.toLowerCase();
	const meant = ids.filter(({ names }) => names.some((name) => words.includes(name)));
	const asked = meant.length > 0 ? meant : ids;
	const nouns = asked.map(({ noun }) => noun);
	const which =
		nouns.length === 0
			? 'the ID: it'
			: nouns.length === 1
				? `the ID of the ${nouns[0]}: it`
				: `the IDs of the ${nouns.join(' and the ')}: they`;
	const named = asked
		.filter(({ id }) => !said.includes(id))
		.map(({ noun, id }) => (asked.length === 1 ? id : `${noun} ${id}`))
		.join(', ');
	return {
		named: named && `: ${named}`,
		hint: `Check ${which} must exist in the account that the secret key belongs to.`,
	};
}

const ASK_FOR_UPGRADE = 'Ask the service to upgrade the account.';

/** What an account without the ENTERPRISE role can do instead. */
export function roleHint(method: string, [, resource, id, part]: readonly string[]): string {
	if (resource === 'webhooks' || part === 'webhooks')
		return `The service allows webhooks to be listed, created, changed and deleted only by accounts with the ENTERPRISE role. ${ASK_FOR_UPGRADE}`;
	if (resource === 'channels' && id === undefined && method === 'GET')
		return `The service lists channels only for accounts with the ENTERPRISE role. Choose "By ID" in the field "Channel" and paste the channel ID: connecting and sending need no list. ${ASK_FOR_UPGRADE}`;
	if (resource === 'channels' && (part === undefined || part === 'disconnect') && id !== undefined)
		return `The service lets only accounts with the ENTERPRISE role look at, disconnect and delete a channel here. Do it in the service's dashboard instead. ${ASK_FOR_UPGRADE}`;
	return `The service allows this only to accounts with the ENTERPRISE role. ${ASK_FOR_UPGRADE}`;
}
