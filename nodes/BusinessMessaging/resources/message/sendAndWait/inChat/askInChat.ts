import { randomInt } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { lookAt, thisN8n } from '../../../../replies/resumeAddress';
import { type Marker, markerOf, type Takes } from '../../../../replies/questionMark';
import { replyRouter } from '../../../../replies/router';
import { CREDENTIAL_TYPE, type ServiceClient } from '../../../../service/client';
import type { CreateWebhookRequest, SendContent } from '../../../../service/contract';
import { asError, ServiceError } from '../../../../service/errors';
import { webhookApi, type WebhookApi } from '../../../../service/webhooks';
import { withHostClock } from '../../../../shared/tools/clock';
import { log } from '../../../../service/log';
import { describeNode, nodeMark } from '../../../../shared/node/nodeMark';
import { judgeReachability } from '../../../../shared/node/reachability';
import { formsOfLabels } from '../../../../shared/texts/sameWords';
import { sentSpan, type SentSpan } from '../../../../shared/texts/sentSpan';
import { identifierOf } from '../../../../service/recipient';
import { checkLength } from '../../content/splitText';
import { type ChatDraft, chatKinds } from '../kinds';
import { makeLink, seal } from '../links';
import type { ChatQuestion } from '../question';
import { certainlyNotAsked, reportNotAsked, sendQuestion } from '../sendQuestion';
import type { ChatSettings } from '../waitSettings';
import { beginWait } from '../waitLimit';
import { withChoices } from './buttons';
import { readQuestionFallback } from './fallback';
import { type Addressee, type Lock, lockQuestion, queuePlaces } from './lock';
import { describeWebhook, lastingApi, markWhoWasAsked, removeOwn } from './temporaryWebhook';

/**
 * Registers the question's webhook and then sends the question, so a quick reply is not lost. n8n
 * refuses a reply that comes before the execution waits (500, or 409 if it has waited before), and
 * the service delivers it again. If a step fails, the webhook is removed.
 */
export async function askInChat(
	context: IExecuteFunctions,
	client: ServiceClient,
	settings: ChatSettings,
	id: string,
): Promise<ChatQuestion> {
	const { channelId, recipients, question, tellOthers } = settings;
	const content = withChoices(settings.message, { ...question, id });
	checkLengths(content, settings, id);
	const fallback = await readQuestionFallback(context, client, settings, id);
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const lasting = await lastingApi(context, credential, channelId);
	// What it began to register is deleted, also if the execution is cancelled.
	const api: WebhookApi = {
		...webhookApi(client, { kind: 'channel', channelId }),
		create: async (request) => await lasting.create(request),
		delete: async (webhookId) => await lasting.delete(webhookId),
	};
	const { url, signature, hash } = makeLink(context, id);
	checkReachability(context, url, client.baseUrl);
	let webhookId: string | undefined;
	try {
		const marker = markerOf(String(credential.secretKey));
		const describe = describerOf(context, url, marker.key, takesOf(marker, id, question));
		const { made, deadline, registration, addressees, busy } = await lock(
			context,
			api,
			settings,
			marker,
			describe,
		);
		webhookId = made.id;
		if (!made.secret)
			throw new Error(
				'The service registered the webhook without a signing secret. Ask the service whether the account can use webhook signing.',
			);
		replyRouter.noteAsked({ account: client.account, channelId });
		const spans = new Map<string, SentSpan>();
		const messageIds = new Map<string, string>();
		/** What the template's quick replies showed when it left. */
		const titles = new Map<string, string[]>();
		const renew = async (recipient: string) => {
			const again = await readQuestionFallback(context, client, settings, id);
			titles.set(recipient, again?.titles ?? []);
			return again?.content ?? content;
		};
		const failed = await sendQuestion(
			context,
			client,
			addressees.map(({ recipient }) => ({
				index: recipients.indexOf(recipient),
				channelId,
				recipient,
				content,
				...(fallback
					? { fallback: { content: fallback.content, renew: async () => await renew(recipient) } }
					: {}),
			})),
			(index, sending, messageId) => {
				messageIds.set(recipients[index] ?? '', messageId);
				const span = sentSpan(registration, sending);
				if (span) spans.set(recipients[index] ?? '', span);
			},
		);
		reportNotAsked(context, recipients.length, [...busy, ...failed]);
		const without = certainlyNotAsked(failed);
		const waitedFor = addressees.filter(({ recipient }) => !without.includes(recipient));
		const sent = waitedFor.map((one) => spans.get(one.recipient) ?? null);
		const sentIds = waitedFor.map((one) => messageIds.get(one.recipient) ?? null);
		const describedAs = describe(waitedFor, deadline, sent, sentIds);
		await markWhoWasAsked(context, api, made.id, describedAs);
		replyRouter.noteAsked({ account: client.account, channelId });
		// n8n has given it up, and lets nothing wait.
		if (context.getExecutionCancelSignal()?.aborted) await removeOwn(context, lasting, webhookId);
		const [recipient = '', ...approvers] = waitedFor.map((one) => one.recipient);
		const common = {
			id,
			links: [hash],
			channelId,
			recipient,
			...(approvers.length > 0 ? { approvers } : {}),
			sent,
			messageIds: sentIds,
			...(titles.size > 0
				? { templateTitles: waitedFor.map((one) => titles.get(one.recipient) ?? []) }
				: {}),
			webhookId: made.id,
			sealedSecret: seal(made.secret, signature),
			deadline: deadline.toISOString(),
		};
		return question.kind === 'approvalInChat'
			? { ...question, ...common, tellOthers }
			: { ...question, ...common };
	} catch (error) {
		await removeOwn(context, lasting, webhookId);
		throw asError(error);
	}
}

/** @throws Error that names the field, if no channel takes a text of its length */
function checkLengths(content: SendContent, { question }: ChatSettings, id: string): void {
	const isListed = !question.buttons && question.choices.length > 0;
	const and = isListed ? ' with its choices' : '';
	checkLength(content, `"Message"${and}`);
	const again = chatKinds[question.kind].again?.(question);
	if (!again || again.atMost === 0) return;
	checkLength(withChoices(again.text, { ...question, id }), `"Ask Again With"${and}`);
}

const warnOfStuck = (context: IExecuteFunctions) => (error: Error) =>
	log(
		context,
		'warn',
		`The webhook of an earlier question could not be removed: ${error.message}. The next question tries again`,
	);

/** @throws ServiceError `n8n_unreachable`, if the service certainly cannot deliver the reply */
function checkReachability(context: IExecuteFunctions, url: string, serviceUrl: string): void {
	// The query holds the signature, which no message may show.
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
	log(context, 'warn', `${problem}. ${remedy}`);
}

type Describe = (
	addressees: readonly Addressee[],
	deadline: Date,
	sent?: Array<SentSpan | null>,
	messageIds?: Array<string | null>,
) => CreateWebhookRequest;

/** What the question would take, for its mark. */
function takesOf(marker: Marker, id: string, question: ChatDraft): Omit<Takes, 'messageIds'> {
	const { kind, choices } = question;
	const { takesBareTaps } = chatKinds[kind];
	const takesAnyWords = chatKinds[kind].again !== undefined;
	return {
		question: id,
		takesBareTaps,
		tapsCarryIds: kind !== 'approvalInChat' || question.tapsCarryIds !== false,
		...(takesAnyWords
			? {}
			: {
					words: formsOfLabels(choices)
						.flat()
						.map((form) => marker.words(id, form)),
				}),
	};
}

/** Describes the question's webhook to the service. */
function describerOf(
	context: IExecuteFunctions,
	url: string,
	key: string,
	takes: Omit<Takes, 'messageIds'>,
): Describe {
	const node = nodeMark(context);
	const executionId = context.getExecutionId();
	return (addressees, deadline, sent = [], messageIds = []) => {
		const until = deadline.toISOString();
		const description = describeNode(context, `: waits for a reply until ${until}`);
		const [recipient = '', ...approvers] = addressees.map(({ mark }) => mark);
		return describeWebhook(url, description, node, {
			executionId,
			key,
			takes: { ...takes, messageIds },
			recipient,
			...(approvers.length > 0 ? { approvers } : {}),
			deadline: until,
			wrongAnswers: 0,
			sent,
		});
	};
}

async function lock(
	context: IExecuteFunctions,
	api: WebhookApi,
	{ channelId, recipients, queue, limit }: ChatSettings,
	marker: Marker,
	describe: Describe,
): Promise<Lock> {
	const own = thisN8n(context);
	const addressees = recipients.map((recipient) => ({
		recipient,
		mark: marker.person(channelId, identifierOf(recipient)),
	}));
	const signal = context.getExecutionCancelSignal();
	return await withHostClock(
		signal,
		async (clock) =>
			await lockQuestion(api, {
				describe,
				beginWait: (now) => beginWait(limit, now),
				addressees,
				...own,
				look: async (question) => await lookAt(context, question, own),
				executionId: context.getExecutionId(),
				onStuck: warnOfStuck(context),
				queue,
				places: queuePlaces,
				clock,
				isCancelled: () => signal?.aborted === true,
				random: () => randomInt(1000) / 1000,
			}),
	);
}
