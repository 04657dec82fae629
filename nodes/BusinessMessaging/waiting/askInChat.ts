import { randomInt } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { withHostClock } from '../sending/hostClock';
import type { ServiceClient } from '../service/client';
import { asError, ServiceError } from '../service/errors';
import type { WebhookApi } from '../service/webhooks';
import { webhookApi } from '../service/webhooks';
import { judgeReachability } from '../trigger/reachability';
import type { OwnerMark } from '../trigger/registration';
import { listChoices } from './choices';
import type { ChatQuestion } from './question';
import { seal } from './question';
import type { Asked, Settings } from './settings';
import { describeWebhook, recipientHash, sweep, watchDeadline } from './temporaryWebhook';
import { takeTurn } from './turn';

type AskedInChat = Extract<Asked, { kind: 'replyInChat' }> & { id: string };

/** Longest text that the service shows of a webhook's description. */
const DESCRIPTION_MAX = 200;

/**
 * Registers the question's webhook and then sends it, so that a quick answer is not lost: one that comes before the execution waits is refused by n8n
 * (500, or 409 when it has waited before), and the service delivers it again. Whatever fails, the webhook is removed.
 */
export async function askInChat(
	context: IExecuteFunctions,
	client: ServiceClient,
	settings: Settings,
	asked: AskedInChat,
	sendOut: (text: string) => Promise<void>,
): Promise<ChatQuestion> {
	const { channelId, recipient } = settings;
	const deadline = settings.deadline!;
	const api = webhookApi(client, { kind: 'channel', channelId });
	const url = context.getSignedResumeUrl({ question: asked.id });
	checkReachability(context, url, client.baseUrl);
	const own = { instanceId: context.getInstanceId(), executionId: context.getExecutionId() };
	const run = async (): Promise<ChatQuestion> => {
		const { id: webhookId, secret } = await register(context, api, url, settings);
		if (!secret) throw new Error('The service registered the webhook without giving a signing secret. Check with the service that webhook signing is available to the account.');
		const sealedSecret = seal(secret, new URL(url).searchParams.get('signature') ?? '');
		await sendOut([settings.message, ...(asked.choices.length > 0 ? [listChoices(asked.choices)] : [])].join('\n\n'));
		return { ...asked, channelId, recipient, webhookId, sealedSecret, deadline: deadline.toISOString() };
	};
	const warn = (message: string) => context.logger.warn(message, { workflowId: context.getWorkflow().id, node: context.getNode().name });
	const question = await run().catch(async (error: unknown) => {
		// The list tells: a registration whose answer got lost may have been made.
		await sweep(api, own, () => Date.now()).catch((left: unknown) => {
			warn(`The webhook of a question that failed could not be removed: ${asError(left).message}. It is removed after its deadline`);
		});
		throw asError(error);
	});
	watchDeadline({ api, baseUrl: client.baseUrl, channelId, deadline, instanceId: own.instanceId, warn });
	return question;
}

/** @throws ServiceError with the reason `n8n_unreachable` when the service certainly cannot deliver the answer */
function checkReachability(context: IExecuteFunctions, url: string, serviceUrl: string): void {
	const reachability = judgeReachability(url, serviceUrl, 'run the workflow again');
	if (reachability.verdict === 'fine') return;
	// The signature in the URL is nobody's business.
	const { remedy, ...judged } = reachability;
	const problem = judged.problem.replace(/\?\S*/, '');
	if (judged.verdict === 'unreachable') throw new ServiceError('ask in the chat', { reason: 'n8n_unreachable', effect: 'none', cause: problem, hint: remedy });
	context.logger.warn(`${problem}. ${remedy}`, { node: context.getNode().name });
}

async function register(context: IExecuteFunctions, api: WebhookApi, url: string, { channelId, recipient, deadline, queue }: Settings) {
	const { id: workflowId, name } = context.getWorkflow();
	const { id: nodeId, name: nodeName } = context.getNode();
	const instanceId = context.getInstanceId();
	const executionId = context.getExecutionId();
	const owner: OwnerMark = { instanceId, ...(workflowId ? { workflowId } : {}), nodeId };
	const until = deadline?.toISOString() ?? '';
	const mark = { executionId, recipient: recipientHash(channelId, recipient), deadline: until, wrongAnswers: 0 };
	const description = `n8n workflow "${name ?? ''}", node "${nodeName}": waits for an answer until ${until}`.slice(0, DESCRIPTION_MAX);
	const signal = context.getExecutionCancelSignal();
	return await withHostClock(
		signal,
		async (clock) =>
			await takeTurn(api, {
				webhook: describeWebhook(url, description, owner, mark),
				recipient: mark.recipient,
				instanceId,
				executionId,
				queue,
				clock,
				isCancelled: () => signal?.aborted === true,
				random: () => randomInt(1000) / 1000,
			}),
	);
}
