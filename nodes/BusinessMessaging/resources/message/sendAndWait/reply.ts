import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asError } from '../../../service/errors';
import { DeliveryMemory, settleWithResponse } from '../../../delivery/deduplicate';
import { respondJson, log, refuse } from '../../../delivery/respond';
import { asPlainObject, isPlainObject } from '../../../shared/plainObject';
import { receiveReplyInChat } from './replyInChat';
import { isProgram } from './bots';
import { readSubmission } from './form';
import { isGenuine } from './links';
import {
	CHOICE_NAME,
	choicePage,
	confirmationPage,
	formPage,
	noticePage,
	setPageHeaders,
	showPage,
} from './pages';
import type { ApprovalQuestion, FormQuestion, Outcome, Question } from './question';
import { isInChat, readQuestion } from './question';
import { tellOthers } from './tellOthers';

/** Questions that this process has passed a reply on for: n8n 1 would go on twice with one execution. */
const answered = new DeliveryMemory();

const OVER = 'This question is closed. There is nothing to do.';

/** Receives what comes to the resume URL of a waiting execution. Never throws: n8n would fail the execution. */
export async function receiveReply(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = readQuestion(context);
		const { question: asked, approved } = context.getQueryData() as IDataObject;
		// The link of an earlier question of the same execution, as loops ask them.
		if (!question || asked !== question.id) return showPage(context, 200, noticePage(OVER));
		if (!isGenuine(context, question)) return refuseLink(context, question);
		if (isInChat(question)) return await receiveReplyInChat(context, question, answered);
		const { method, headers } = context.getRequestObject();
		if (isProgram(headers['user-agent'])) return showPage(context, 200, noticePage(''));
		if (question.kind === 'approval')
			return replyToApproval(context, question, method === 'POST', approved);
		return replyToForm(context, question, method === 'POST');
	} catch (error) {
		log(context, 'error', `An answer could not be received: ${asError(error).message}`);
		return respondJson(context, 503, 'Temporarily unavailable');
	}
}

function refuseLink(context: IWebhookFunctions, question: Question): IWebhookResponseData {
	const reason = 'the signature is not the one of a link that was sent with the question';
	if (isInChat(question)) return refuse(context, 401, 'Unauthorized', reason);
	log(context, 'warn', `An answer was refused with 401: ${reason}`);
	return showPage(
		context,
		401,
		noticePage('This link is not valid. Please open the one in the message.'),
	);
}

/** Only a button answers. A link that is opened, by a person or by a program, shows the buttons. */
function replyToApproval(
	context: IWebhookFunctions,
	question: ApprovalQuestion,
	isAnswer: boolean,
	approved: unknown,
): IWebhookResponseData {
	const { message, approveLabel, disapproveLabel } = question;
	const choices = [
		{ value: 'true', label: approveLabel },
		...(disapproveLabel === undefined ? [] : [{ value: 'false', label: disapproveLabel }]),
	];
	// A link of version 1 stands for one reply. That of later ones for a page, which sends what was chosen.
	const isOnPage = approved === undefined;
	const said = isOnPage ? isAnswer && enteredIn(context)[CHOICE_NAME] : approved;
	const chosen = choices.find(({ value }) => value === said);
	if (isOnPage && !(isAnswer && chosen))
		return showPage(context, isAnswer ? 422 : 200, choicePage(message, choices));
	if (!chosen) return showPage(context, 404, noticePage(OVER));
	if (!isAnswer) return showPage(context, 200, confirmationPage(message, chosen.label));
	const { several } = question;
	const { approver } = context.getQueryData() as IDataObject;
	const identifier = several?.people[String(approver)];
	const isApproved = chosen.value === 'true';
	if (!several || identifier === undefined)
		return resumeFromPage(context, question, { approved: isApproved });
	// A link has no name.
	const responder = { identifier, name: null };
	return resumeFromPage(context, question, { approved: isApproved, responder }, () => {
		const { channelId, people, tellOthers: text } = several;
		const asked = { channelId, people: Object.values(people), text };
		void tellOthers(context, asked, responder, chosen.label);
	});
}

/** What was sent with a page. */
function enteredIn(context: IWebhookFunctions): IDataObject {
	// A request without one has none.
	const body = asPlainObject(context.getBodyData());
	// n8n gives the fields of a multipart form as `data`.
	return isPlainObject(body.data) ? body.data : body;
}

function replyToForm(
	context: IWebhookFunctions,
	question: FormQuestion,
	isAnswer: boolean,
): IWebhookResponseData {
	const { fields, title, message, buttonLabel } = question;
	if (!isAnswer) return showPage(context, 200, formPage({ fields, title, message, buttonLabel }));
	const entered = enteredIn(context);
	const submission = readSubmission(fields, entered);
	if ('problems' in submission)
		return showPage(
			context,
			422,
			formPage({ fields, title, message, buttonLabel, problems: submission.problems, entered }),
		);
	// A free text has one field.
	return resumeFromPage(
		context,
		question,
		question.kind === 'freeText'
			? { text: Object.values(submission.values)[0] }
			: submission.values,
	);
}

/** Goes on with the execution, unless a reply was passed on already, and thanks on a page. */
function resumeFromPage(
	context: IWebhookFunctions,
	question: Question,
	values: IDataObject,
	onResumed = () => {},
): IWebhookResponseData {
	const admission = answered.admit(question.id);
	if (admission.state !== 'new') return showPage(context, 200, noticePage(question.answeredText));
	const confirm = () => {
		admission.confirm();
		onResumed();
	};
	settleWithResponse(context.getResponseObject(), { ...admission, confirm });
	setPageHeaders(context);
	// What the server says goes last: a form field may have the same name.
	const data = {
		...values,
		outcome: 'answered' satisfies Outcome,
		respondedAt: new Date().toISOString(),
	};
	return {
		webhookResponse: noticePage(question.answeredText),
		workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]],
	};
}
