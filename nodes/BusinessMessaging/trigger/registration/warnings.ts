/** What a lifecycle method says in n8n's log. */
import type { IHookFunctions } from 'n8n-workflow';

import { getChannel } from '../../service/channels';
import type { ServiceClient } from '../../service/client';
import type { WebhookOwner } from '../../service/webhooks';
import { log } from '../../service/log';
import { judgeReachability } from '../../shared/reachability';
import { isOfTest } from '../../workarounds/testWebhook';
import { RegistrationError } from './apply';

/** Milliseconds. Publishing does not fail for it. */
const LOOK_TIMEOUT = 5000;

/** The service also registers webhooks on a channel that is not connected. */
export async function warnIfDisconnected(
	context: IHookFunctions,
	client: ServiceClient,
	owner: WebhookOwner,
): Promise<void> {
	if (owner.kind !== 'channel' || isOfTest(context)) return;
	const channel = await getChannel(client, owner.channelId, LOOK_TIMEOUT).catch(() => undefined);
	if (channel?.phoneConnected !== false) return;
	log(
		context,
		'warn',
		'The workflow is published on a channel that is not connected, so no message arrives. Connect it with the operation Channel → Connect',
	);
}

/** @throws RegistrationError if the service certainly cannot deliver */
export function warnOrRefuse(
	context: IHookFunctions,
	{ url, client }: { url: string; client: ServiceClient },
): void {
	const reachability = judgeReachability(url, client.baseUrl);
	if (reachability.verdict === 'fine') return;
	if (reachability.verdict === 'unreachable')
		throw new RegistrationError(reachability.problem, reachability.remedy);
	log(context, 'warn', `${reachability.problem}. ${reachability.remedy}`);
}
