import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { asError } from '../service/errors';
import { DeliveryMemory, settleWithAnswer } from '../trigger/deduplication';
import { answerJson, log } from '../trigger/response';
import { answerInChat } from './answerInChat';
import { isProgram } from './bots';
import { readSubmission } from './form';
import { confirmationPage, formPage, noticePage, setPageHeaders, showPage } from './pages';
import type { ApprovalQuestion, FormQuestion, Outcome, Question } from './question';
import { readQuestion } from './question';

/** Questions that this process has passed an answer on for: n8n 1 would go on twice with one execution. */
const answered = new DeliveryMemory();

const OVER = 'This question is closed. There is nothing to do.';

/** Receives what comes to the resume URL of a waiting execution. n8n has checked the URL's signature. Never throws: n8n would fail the execution. */
export async function receiveAnswer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const question = readQuestion(context);
		const { question: asked, approved } = context.getQueryData() as IDataObject;
		// The link of an earlier question of the same execution, as loops ask them.
		if (!question || asked !== question.id) return showPage(context, 200, noticePage(OVER));
		if (question.kind === 'replyInChat') return await answerInChat(context, question, answered);
		const { method, headers } = context.getRequestObject();
		if (isProgram(headers['user-agent'])) return showPage(context, 200, noticePage(''));
		if (question.kind === 'approval') return answerApproval(context, question, method === 'POST', approved);
		return answerForm(context, question, method === 'POST');
	} catch (error) {
		log(context, 'error', `An answer could not be received: ${asError(error).message}`);
		return answerJson(context, 503, 'Temporarily unavailable');
	}
}

/** Only the button answers. A link that is opened, by a person or by a program, shows the button. */
function answerApproval(context: IWebhookFunctions, question: ApprovalQuestion, isAnswer: boolean, approved: unknown): IWebhookResponseData {
	const label = approved === 'true' ? question.approveLabel : question.disapproveLabel;
	if (label === undefined || (approved !== 'true' && approved !== 'false')) return showPage(context, 404, noticePage(OVER));
	if (!isAnswer) return showPage(context, 200, confirmationPage(question.message, label));
	return goOn(context, question, { approved: approved === 'true' });
}

function answerForm(context: IWebhookFunctions, question: FormQuestion, isAnswer: boolean): IWebhookResponseData {
	const { fields, title, message, buttonLabel } = question;
	if (!isAnswer) return showPage(context, 200, formPage({ fields, title, message, buttonLabel }));
	const body = context.getBodyData();
	// n8n gives the fields of a multipart form as `data`.
	const entered = (typeof body.data === 'object' && body.data !== null ? body.data : body) as IDataObject;
	const submission = readSubmission(fields, entered);
	if ('problems' in submission) return showPage(context, 422, formPage({ fields, title, message, buttonLabel, problems: submission.problems, entered }));
	// A free text has one field.
	return goOn(context, question, question.kind === 'freeText' ? { text: Object.values(submission.values)[0] } : submission.values);
}

/** Goes on with the execution, unless an answer was passed on already, and thanks on a page. */
function goOn(context: IWebhookFunctions, question: Question, values: IDataObject): IWebhookResponseData {
	const admission = answered.admit(question.id);
	if (admission.state !== 'new') return showPage(context, 200, noticePage(question.answeredText));
	settleWithAnswer(context.getResponseObject(), admission);
	setPageHeaders(context);
	// What the server says goes last: a form field may have the same name.
	const data = { ...values, outcome: 'answered' satisfies Outcome, respondedAt: new Date().toISOString() };
	return { webhookResponse: noticePage(question.answeredText), workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]] };
}
