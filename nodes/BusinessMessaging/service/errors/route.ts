/** What errors say about the route of a request. */

/** What the service calls them in its messages. */
const NAMES = { channel: ['channel', 'instance'], webhook: ['webhook'] };

/** `['v1', 'channels', channelId, 'webhooks', webhookId]`, and the same without a channel. */
function idsOf([, resource, first, part, second]: readonly string[]) {
	const webhookId = resource === 'webhooks' ? first : part === 'webhooks' ? second : undefined;
	return [
		{ noun: 'channel' as const, id: resource === 'channels' ? first : undefined },
		{ noun: 'webhook' as const, id: webhookId },
	].flatMap(({ noun, id }) => (id === undefined ? [] : { noun, id }));
}

/** What the service did not find: `ids`, without those of `quoted`, and which of them to check. */
export function describeMissing(
	path: readonly string[],
	message: string,
	quoted: string,
): { ids: string; hint: string } {
	const all = idsOf(path);
	const lowerCase = message.toLowerCase();
	const mentioned = all.filter(({ noun }) => NAMES[noun].some((name) => lowerCase.includes(name)));
	const missing = mentioned.length > 0 ? mentioned : all;
	const nouns = missing.map(({ noun }) => noun);
	const which =
		nouns.length === 0
			? 'the ID: it'
			: nouns.length === 1
				? `the ID of the ${nouns[0]}: it`
				: `the IDs of the ${nouns.join(' and the ')}: they`;
	const ids = missing
		.filter(({ id }) => !quoted.includes(id))
		.map(({ noun, id }) => (missing.length === 1 ? id : `${noun} ${id}`))
		.join(', ');
	return {
		ids: ids && `: ${ids}`,
		hint: `Check ${which} must exist in the account that the secret key belongs to.`,
	};
}

const ASK_FOR_UPGRADE = 'Ask the service to upgrade the account.';

/** What an account without the ENTERPRISE role can do instead. */
export function roleHint(method: string, [, resource, id, part]: readonly string[]): string {
	if (resource === 'webhooks' || part === 'webhooks')
		return `Only accounts with the ENTERPRISE role can list, create, change and delete webhooks. ${ASK_FOR_UPGRADE}`;
	if (resource === 'channels' && id === undefined && method === 'GET')
		return `Only accounts with the ENTERPRISE role can list channels. Choose "By ID" in the field "Channel" and paste the channel ID. ${ASK_FOR_UPGRADE}`;
	if (part === 'subscribe' || part === 'cancel')
		return `Only accounts with the ENTERPRISE role can subscribe channels and cancel subscriptions. ${ASK_FOR_UPGRADE}`;
	if (resource === 'channels' && part === undefined && id !== undefined)
		return `Only accounts with the ENTERPRISE role can get or delete a channel here. Do it in the service's dashboard instead. ${ASK_FOR_UPGRADE}`;
	return `Only accounts with the ENTERPRISE role can do this. ${ASK_FOR_UPGRADE}`;
}
