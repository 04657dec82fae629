import { randomInt } from 'node:crypto';

import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { askAddress, thisN8n } from '../../../../replies/waitingExecution';
import { type Marker, markerOf, type Takes, type WaitMark } from '../../../../replies/questionMark';
import { replyRouter } from '../../../../replies/router';
import { CREDENTIAL_TYPE, type ServiceClient } from '../../../../service/client';
import type { SendContent } from '../../../../service/contract';
import { asError, notDone } from '../../../../service/errors';
import { webhookApi, type WebhookApi } from '../../../../service/webhooks';
import { steadyClock, withHostClock } from '../../../../shared/tools/clock';
import { log, warnOf } from '../../../../service/log';
import { describeNode, nodeMark } from '../../../../shared/node/nodeMark';
import { judgeReachability } from '../../../../shared/node/reachability';
import { formsOfLabels } from '../../../../shared/texts/sameWords';
import { sentSpan, type SentSpan } from '../../../../shared/texts/sentSpan';
import { identifierOf } from '../../../../service/recipient';
import type { OnSent } from '../../batch/sendItems';
import { checkLength } from '../../content/splitText';
import { type ChatDraft, chatKinds, type ChatQuestion, repliesTo } from '../kinds';
import { makeLink, seal } from '../links';
import { sendQuestion } from '../sendQuestion';
import { beginWait, type ChatSettings } from '../waitSettings';
import { withChoices } from './questionButtons';
import { readQuestionFallback } from './questionTemplate';
import { type PersonToAsk, type Lock, lockQuestion, type LockRequest, queuePlaces } from './lock';
import { attributesOf, lastingApi, markWhoWasAsked, removeQuestion } from './temporaryWebhook';

/** Milliseconds in which people who are asked at the same time share a reading of the template. */
const MOMENT = 2000;

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
	const readAt = steadyClock.now();
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
		const locked = await lock(context, api, settings, marker, describe);
		const { made, deadline, registration, busy } = locked;
		webhookId = made.id;
		if (!made.secret)
			throw new Error(
				'The service registered the webhook without a signing secret. Ask the service whether the account can use webhook signing.',
			);
		// Replies are dated by the service, and n8n ends a wait up to a minute late.
		const end = steadyClock.now() + deadline.getTime() - Date.now();
		const ends = sentSpan(registration, { start: end, end })?.until;
		replyRouter.noteAsked({ account: client.account, channelId });
		const asked = locked.addressees.map((one): Asked => ({ ...one, span: null, messageId: null }));
		const renew = async (one: Asked) => {
			const since = Math.max(readAt, steadyClock.now() - MOMENT);
			const again = await readQuestionFallback(context, client, settings, id, since);
			one.titles = again?.titles ?? [];
			return again?.content ?? content;
		};
		const messages = asked.map((one) => ({
			index: recipients.indexOf(one.recipient),
			...{ channelId, recipient: one.recipient, content },
			...(fallback
				? { fallback: { content: fallback.content, renew: async () => await renew(one) } }
				: {}),
		}));
		const onSent: OnSent = (index, sending, messageId) => {
			const one = asked.find(({ recipient }) => recipient === recipients[index]);
			if (one) Object.assign(one, { messageId, span: sentSpan(registration, sending) ?? null });
		};
		const without = await sendQuestion(context, client, messages, deadline, { busy, onSent });
		const waitedFor = asked.filter(({ recipient }) => !without.includes(recipient));
		await markWhoWasAsked(context, api, made.id, describe(waitedFor, deadline, ends));
		replyRouter.noteAsked({ account: client.account, channelId });
		// n8n has given it up, and lets nothing wait.
		if (context.getExecutionCancelSignal()?.aborted)
			await removeQuestion(context, lasting, webhookId);
		const [recipient = '', ...approvers] = waitedFor.map((one) => one.recipient);
		const common = {
			id,
			links: [hash],
			channelId,
			recipient,
			...(approvers.length > 0 ? { approvers } : {}),
			sent: waitedFor.map(({ span }) => span),
			messageIds: waitedFor.map((one) => one.messageId),
			...(asked.some(({ titles }) => titles)
				? { templateTitles: waitedFor.map(({ titles = [] }) => titles) }
				: {}),
			webhookId: made.id,
			sealedSecret: seal(made.secret, signature),
			deadline: deadline.toISOString(),
			...(ends === undefined ? {} : { ends }),
		};
		return question.kind === 'approvalInChat'
			? { ...question, ...common, tellOthers }
			: { ...question, ...common };
	} catch (error) {
		await removeQuestion(context, lasting, webhookId);
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

/** @throws ServiceError `n8n_unreachable`, if the service certainly cannot deliver the reply */
function checkReachability(context: IExecuteFunctions, url: string, serviceUrl: string): void {
	// The query holds the signature, which no message may show.
	const { origin, pathname } = new URL(url);
	const reachability = judgeReachability(origin + pathname, serviceUrl, 'run the workflow again');
	if (reachability.verdict === 'fine') return;
	const { verdict, problem, remedy } = reachability;
	if (verdict === 'unreachable')
		throw notDone('ask in the chat', 'n8n_unreachable', { cause: problem, hint: remedy });
	log(context, 'warn', `${problem}. ${remedy}`);
}

/** A person whom the question asked, and what is known of the message. Null: unknown. */
interface Asked extends PersonToAsk {
	span: SentSpan | null;
	messageId: string | null;
	/** What the template's quick replies showed when it left. */
	titles?: string[];
}

/** What the question would take, for its mark. */
function takesOf(marker: Marker, id: string, question: ChatDraft): Omit<Takes, 'messageIds'> {
	const { takesAnyWords, ...taps } = repliesTo(question);
	const forms = formsOfLabels(question.choices).flat();
	return {
		question: id,
		...taps,
		...(takesAnyWords ? {} : { words: forms.map((form) => marker.words(id, form)) }),
	};
}

function describerOf(
	context: IExecuteFunctions,
	url: string,
	key: string,
	takes: Omit<Takes, 'messageIds'>,
): LockRequest['describe'] {
	const node = nodeMark(context);
	const executionId = context.getExecutionId();
	return (people: ReadonlyArray<PersonToAsk | Asked>, until, ends) => {
		const asked = people.filter((one) => 'span' in one);
		const deadline = until.toISOString();
		const [recipient = '', ...approvers] = people.map(({ mark }) => mark);
		const mark: WaitMark = {
			...{ executionId, key, recipient, deadline },
			takes: { ...takes, messageIds: asked.map(({ messageId }) => messageId) },
			...(approvers.length > 0 ? { approvers } : {}),
			wrongAnswers: 0,
			sent: asked.map(({ span }) => span),
			...(ends === undefined ? {} : { ends }),
		};
		return {
			url,
			events: ['MESSAGE_RECEIVED'],
			description: describeNode(context, `: waits for a reply until ${deadline}`),
			signing: true,
			payloadFormat: 'DEFAULT',
			customAttributes: attributesOf(node, mark),
		};
	};
}

const STUCK = 'The webhook of an earlier question could not be removed';

async function lock(
	context: IExecuteFunctions,
	api: WebhookApi,
	{ channelId, recipients, queue, limit }: ChatSettings,
	marker: Marker,
	describe: LockRequest['describe'],
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
				look: async (question) => await askAddress(context, question, own),
				executionId: context.getExecutionId(),
				onStuck: warnOf(context, STUCK, 'The next question tries again'),
				queue,
				places: queuePlaces,
				clock,
				isCancelled: () => signal?.aborted === true,
				random: () => randomInt(1000) / 1000,
			}),
	);
}
