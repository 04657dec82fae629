import { randomInt } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { askedPeople, whereOf } from '../../../delivery/askedPeople';
import { withHostClock } from '../../../shared/clock';
import type { ServiceClient } from '../../../service/client';
import { CREDENTIAL_TYPE } from '../../../service/client';
import type { CreateWebhookRequest } from '../../../service/contract';
import { asError, mayBeDone, ServiceError } from '../../../service/errors';
import type { WebhookApi } from '../../../service/webhooks';
import { webhookApi } from '../../../service/webhooks';
import { describeOwner, ownerMark } from '../../../shared/ownerMark';
import { judgeReachability } from '../../../shared/reachability';
import { recipientMarker } from '../../../shared/waitingQuestion';
import { withChoices } from './buttons';
import { makeLink } from './links';
import type { ChatQuestion } from './question';
import { seal } from './question';
import type { Addressee, Lock } from './questionLock';
import { lockQuestion } from './questionLock';
import { sayWhoWasNotAsked, sendQuestion } from './sendQuestion';
import type { Asked, Settings } from './settings';
import { describeWebhook, sweep } from './temporaryWebhook';

type AskedInChat = Extract<Asked, { kind: 'replyInChat' | 'approvalInChat' }> & { id: string };

/**
 * Registers the question's webhook and then sends it, so that a quick reply is not lost: one that comes before the execution waits is refused by n8n
 * (500, or 409 when it has waited before), and the service delivers it again. Whatever fails, the webhook is removed.
 */
export async function askInChat(
	context: IExecuteFunctions,
	client: ServiceClient,
	settings: Settings,
	asked: AskedInChat,
): Promise<ChatQuestion> {
	const { channelId, recipients } = settings;
	const deadline = settings.deadline!;
	const api = webhookApi(client, { kind: 'channel', channelId });
	const { url, signature, hash } = makeLink(context, asked.id);
	checkReachability(context, url, client.baseUrl);
	try {
		const describe = describerOf(context, url, deadline);
		const { made, addressees, busy } = await lock(context, api, settings, describe);
		if (!made.secret)
			throw new Error(
				'The service registered the webhook without giving a signing secret. Check with the service that webhook signing is available to the account.',
			);
		askedPeople.asked(whereOf(context, channelId));
		const content = withChoices(settings.message, asked);
		const failed = await sendQuestion(
			context,
			client,
			addressees.map(({ recipient }) => ({
				index: recipients.indexOf(recipient),
				channelId,
				recipient,
				content,
			})),
		);
		sayWhoWasNotAsked(context, recipients.length, [...busy, ...failed]);
		// Who may have been asked may reply.
		const without = failed.filter(({ error }) => !mayBeDone(error)).map((one) => one.recipient);
		const waitedFor = addressees.filter(({ recipient }) => !without.includes(recipient));
		if (without.length > 0) await letGo(context, api, made.id, describe(waitedFor));
		const [recipient = '', ...approvers] = waitedFor.map((one) => one.recipient);
		const common = {
			links: [hash],
			channelId,
			recipient,
			...(approvers.length > 0 ? { approvers } : {}),
			webhookId: made.id,
			sealedSecret: seal(made.secret, signature),
			deadline: deadline.toISOString(),
		};
		return asked.kind === 'approvalInChat'
			? { ...asked, ...common, tellOthers: settings.tellOthers }
			: { ...asked, ...common };
	} catch (error) {
		await removeLeftovers(context, api);
		throw asError(error);
	}
}

/** Whoever could not be asked may be asked something else meanwhile. */
async function letGo(
	context: IExecuteFunctions,
	api: WebhookApi,
	webhookId: string,
	{ customAttributes }: CreateWebhookRequest,
): Promise<void> {
	try {
		await api.update(webhookId, { customAttributes });
	} catch (error) {
		context.logger.warn(
			`Who could not be asked is asked nothing else until this question is over: ${asError(error).message}`,
			{ workflowId: context.getWorkflow().id, node: context.getNode().name },
		);
	}
}

/** The list tells what is left: a registration whose response got lost may have been made. */
async function removeLeftovers(context: IExecuteFunctions, api: WebhookApi): Promise<void> {
	const own = { instanceId: context.getInstanceId(), executionId: context.getExecutionId() };
	try {
		await sweep(api, own, Date.now);
	} catch (error) {
		const { id: workflowId } = context.getWorkflow();
		context.logger.warn(
			`The webhook of a question that failed could not be removed: ${asError(error).message}. It is removed when the next question is asked`,
			{ workflowId, node: context.getNode().name },
		);
	}
}

/** @throws ServiceError with the reason `n8n_unreachable` when the service certainly cannot deliver the reply */
function checkReachability(context: IExecuteFunctions, url: string, serviceUrl: string): void {
	// The signature in the URL's query is nobody's business.
	const { origin, pathname } = new URL(url);
	const reachability = judgeReachability(origin + pathname, serviceUrl, 'run the workflow again');
	if (reachability.verdict === 'fine') return;
	const { verdict, problem, remedy } = reachability;
	if (verdict === 'unreachable')
		throw new ServiceError('ask in the chat', {
			reason: 'n8n_unreachable',
			effect: 'none',
			cause: problem,
			hint: remedy,
		});
	context.logger.warn(`${problem}. ${remedy}`, { node: context.getNode().name });
}

type Describe = (addressees: readonly Addressee[]) => CreateWebhookRequest;

/** What the webhook of a question to certain people is registered with. */
function describerOf(context: IExecuteFunctions, url: string, deadline: Date): Describe {
	const until = deadline.toISOString();
	const description = describeOwner(context, `: waits for an answer until ${until}`);
	const owner = ownerMark(context);
	const executionId = context.getExecutionId();
	return (addressees) => {
		const [recipient = '', ...approvers] = addressees.map(({ mark }) => mark);
		return describeWebhook(url, description, owner, {
			executionId,
			recipient,
			...(approvers.length > 0 ? { approvers } : {}),
			deadline: until,
			wrongAnswers: 0,
		});
	};
}

async function lock(
	context: IExecuteFunctions,
	api: WebhookApi,
	{ channelId, recipients, queue }: Settings,
	describe: Describe,
): Promise<Lock> {
	const { secretKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const marksOf = recipientMarker(String(secretKey));
	const addressees = recipients.map((recipient) => ({
		recipient,
		...marksOf(channelId, recipient),
	}));
	const signal = context.getExecutionCancelSignal();
	return await withHostClock(
		signal,
		async (clock) =>
			await lockQuestion(api, {
				describe,
				addressees,
				instanceId: context.getInstanceId(),
				executionId: context.getExecutionId(),
				queue,
				clock,
				isCancelled: () => signal?.aborted === true,
				random: () => randomInt(1000) / 1000,
			}),
	);
}
