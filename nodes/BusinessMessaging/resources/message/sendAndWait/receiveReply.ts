import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { DeliveryMemory, refuse, respond } from '../../../delivery/respond';
import { log } from '../../../service/log';
import { asError } from '../../../service/errors';
import { CHECK_ACCEPTS } from '../../../replies/waitingExecution';
import { noticePage, showPage } from './kinds/pages';
import { CLOSED, receiveByLink } from './byLink/receiveByLink';
import { receiveInChat } from './inChat/receiveInChat';
import { isInChat, readQuestion, type Question } from './kinds';
import { isGenuine } from './links';

/** The questions answered in this process, with their replies. n8n 1 would resume one twice. */
const memory = new DeliveryMemory();

/** Receives a request to the resume URL. Never throws, because n8n would fail the execution. */
export async function receiveReply(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = readQuestion(context);
		const { question: id } = context.getQueryData() as IDataObject;
		// In a loop, the execution waits with another question than the link's.
		if (!question || id !== question.id) return showClosed(context, question);
		if (!isGenuine(context, question)) return refuseLink(context, question);
		return isInChat(question)
			? await receiveInChat(context, question, memory)
			: await receiveByLink(context, question, memory);
	} catch (error) {
		log(context, 'error', `A reply could not be received: ${asError(error).message}`);
		return respond(context, 503, { message: 'Temporarily unavailable' });
	}
}

/** A check is told whether another question waits here, and a person reads a page. */
function showClosed(context: IWebhookFunctions, waiting?: Question): IWebhookResponseData {
	const { method, headers } = context.getRequestObject();
	const isCheck = method === 'GET' && headers.accept === CHECK_ACCEPTS;
	return isCheck && waiting
		? respond(context, 200, { question: null })
		: showPage(context, 200, noticePage(CLOSED));
}

function refuseLink(context: IWebhookFunctions, question: Question): IWebhookResponseData {
	const reason = 'the signature is not the one of a link that was sent with the question';
	if (isInChat(question)) return refuse(context, 401, 'Unauthorized', reason);
	log(context, 'warn', `A reply was refused with 401: ${reason}`);
	return showPage(
		context,
		401,
		noticePage('This link is not valid. Please open the one in the message.'),
	);
}
