import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { setRetryAfter, settle } from '../../../../delivery/respond';
import type { Admission, DeliveryMemory } from '../../../../delivery/respond';
import { hostClock } from '../../../../shared/tools/clock';
import { asPlainObject, isPlainObject } from '../../../../service/parseJson';
import { linkKinds, type LinkQuestion, type Outcome } from '../kinds';
import type { Reply } from '../kinds/kind';
import { tellOthers } from '../tellOthers';
import { noticePage, setPageHeaders, showPage } from '../kinds/pages';

export const CLOSED = 'This question is closed. There is nothing to do.';

const NOT_RECORDED =
	'Your answer was not recorded. Another answer is being recorded right now. Please try again in a moment.';

/** How often, and every how many milliseconds, to check whether an earlier reply was stored. */
const CHECKS = 30;
const CHECK_PAUSE = 100;

/** Only a button replies. Opening the link, which programs do, too, shows the page. */
export async function receiveByLink(
	context: IWebhookFunctions,
	question: LinkQuestion,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const kind = linkKinds[question.kind];
	if (context.getRequestObject().method !== 'POST')
		return showPage(context, 200, kind.page(question));
	const { approver } = context.getQueryData() as IDataObject;
	const reply = kind.read(question, enteredIn(context), approver);
	return 'again' in reply
		? showPage(context, 422, reply.again)
		: await resume(context, question, reply, memory);
}

function enteredIn(context: IWebhookFunctions): IDataObject {
	// Without a body, n8n gives no object.
	const body = asPlainObject(context.getBodyData());
	// n8n puts the fields of a multipart form under `data`.
	return isPlainObject(body.data) ? body.data : body;
}

/** Resumes the execution, unless another reply was stored, and says thank you on a page. */
async function resume(
	context: IWebhookFunctions,
	question: LinkQuestion,
	{ data: values, decision }: Reply,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const admission = await admitInTurn(memory, question.id);
	if (admission.state === 'inFlight') {
		setRetryAfter(context);
		return showPage(context, 503, noticePage(NOT_RECORDED));
	}
	const reply = [question.id, JSON.stringify(values)];
	// The stored reply may be another person's. The same one again is a second click.
	if (admission.state === 'seen') {
		const text = wasStored(memory, reply) ? question.answeredText : CLOSED;
		return showPage(context, 200, noticePage(text));
	}
	settle(context, admission, () => {
		endNew(memory.admit(...reply), true);
		if (decision) void tellOthers(context, decision);
	});
	setPageHeaders(context);
	// The node's own fields go last, because a form field may have the same name.
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

/** Waits for an earlier reply, such as a double click's. Only its end says which one counts. */
async function admitInTurn(memory: DeliveryMemory, questionId: string): Promise<Admission> {
	for (let check = 0; check < CHECKS; check++) {
		const admission = memory.admit(questionId);
		if (admission.state !== 'inFlight') return admission;
		await hostClock.sleep(CHECK_PAUSE);
	}
	return memory.admit(questionId);
}

function wasStored(memory: DeliveryMemory, reply: string[]): boolean {
	const admission = memory.admit(...reply);
	endNew(admission, false);
	return admission.state === 'seen';
}

function endNew(admission: Admission, isConfirmed: boolean): void {
	if (admission.state === 'new') admission.end(isConfirmed);
}
