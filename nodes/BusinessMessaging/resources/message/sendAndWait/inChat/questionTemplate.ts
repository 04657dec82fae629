import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../../service/client';
import type { ListedTemplate, SendContent } from '../../../../service/contract';
import {
	payloadsIn,
	quickRepliesOf,
	valuesIn,
	withPayloads,
} from '../../../../service/template/components';
import type { QuickReply } from '../../../../service/template/components';
import { steadyClock } from '../../../../shared/tools/clock';
import { readFallback } from '../../template/fallback';
import { matchTitle } from '../kinds/matchChoices';
import type { ChatSettings } from '../waitSettings';
import { idOfQuickReply } from './questionButtons';

/**
 * Reads the template that asks if the window is closed, never from memory: a change of its labels
 * would change what a tap means. Its quick replies that name a choice carry the question's IDs, so
 * that a tap on them names this question.
 * @param notBefore what was read earlier, by the steady clock, is read again. Left out: all
 * @returns `titles` of the quick replies that carry the choices' IDs, by choice. Empty: none.
 * Undefined if there is no template
 * @throws Error that names the field, or what the template lacks for the answers
 */
export async function readQuestionFallback(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ channelId, question: { kind, choices } }: ChatSettings,
	id: string,
	notBefore = steadyClock.now(),
): Promise<{ content: SendContent; titles: string[] } | undefined> {
	const ready = await readFallback({ context, index: 0, client, channelId }, notBefore);
	if (!ready) return undefined;
	const { template } = ready;
	const { content } = ready.leaves;
	const replies = template ? quickRepliesOf(template) : [];
	if (kind !== 'approvalInChat') checkTemplateChoices(choices, content, template);
	else if (template) checkTemplateLabels(choices, replies);
	const named = replies.flatMap(({ index, title }) => {
		const choice = matchTitle(title, choices);
		if (choice === undefined) return [];
		return [{ index, title, choice, payload: idOfQuickReply(id, choice) }];
	});
	// Without choices each quick reply answers, and of a template that is not known each could.
	const isAnyTaken = !template || choices.length === 0;
	const taken = payloadsIn(content).find(
		(index) => isAnyTaken || named.some((one) => one.index === index),
	);
	if (taken !== undefined) throw payloadError(taken, replies);
	const titles = choices.map(
		(_label, choice) => named.find((one) => one.choice === choice)?.title ?? '',
	);
	return { content: withPayloads(content, named), titles };
}

function payloadError(taken: number, replies: readonly QuickReply[]): Error {
	const title = replies.find(({ index }) => index === taken)?.title;
	return new Error(
		`Button ${taken + 1}${title === undefined ? '' : ` "${title}"`} of the template has a payload. A tap on it would not count as an answer, because the question marks its buttons itself. Remove the payload.`,
	);
}

/** Each label is a quick reply, in any order. A tap means what its words say. */
function checkTemplateLabels(labels: readonly string[], replies: readonly QuickReply[]): void {
	const titles = replies.map(({ title }) => title);
	const missing = labels.filter((label) => matchTitle(label, titles) === undefined);
	if (missing.length === 0) return;
	const fields = ['"Approve Button Label"', '"Decline Button Label"'].slice(0, labels.length);
	throw new Error(
		`The template has no quick reply ${quoted(missing)}. ${
			titles.length === 0
				? 'It has no quick replies at all: choose another one.'
				: `Its quick replies are ${quoted(titles)}: enter them in ${fields.join(' and ')}, or choose another template.`
		}`,
	);
}

function checkTemplateChoices(
	choices: readonly string[],
	content: SendContent,
	template: ListedTemplate | undefined,
): void {
	const titles = template ? quickRepliesOf(template).map(({ title }) => title) : [];
	const values = valuesIn(content).map((value) => value.toLowerCase());
	const missing = choices.filter(
		(choice) =>
			matchTitle(choice, titles) === undefined &&
			!values.some((value) => value.includes(choice.toLowerCase())),
	);
	if (missing.length > 0)
		throw new Error(
			`The template does not show ${quoted(missing)}${template ? '' : ', as far as it can be read'}. Each choice must be one of its quick replies, or in the value of a variable.`,
		);
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');
