import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../../service/client';
import type { ListedTemplate, SendContent } from '../../../../service/contract';
import { quickRepliesOf, valuesIn } from '../../../../service/template/quickReplies';
import { readFallback } from '../../template/fallback';
import { matchLabel } from '../kinds/choices';
import type { ChatSettings } from '../settings';

/** A template that asks a question if the window is closed. */
export interface QuestionFallback {
	content: SendContent;
	/** The titles of its quick replies, as far as they can be read: see `chatQuestionShape`. */
	titles: string[];
}

/**
 * Reads the template that asks if the window is closed.
 * @returns undefined if there is none
 * @throws Error that names the field, or what the template lacks for the answers
 */
export async function readQuestionFallback(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ channelId, question }: ChatSettings,
): Promise<QuestionFallback | undefined> {
	const ready = await readFallback(context, 0, client, channelId);
	if (!ready) return undefined;
	const { content, template } = ready;
	const titles = template ? quickRepliesOf(template) : [];
	if (question.kind === 'approvalInChat') checkOrder(titles, question.choices);
	else checkChoices(question.choices, content, template);
	return { content, titles: question.kind === 'approvalInChat' ? titles : [] };
}

/** The first quick reply approves. Titles in the other order would turn decisions round. */
function checkOrder(titles: readonly string[], [approve = '', decline]: readonly string[]): void {
	const [first = null, second = null] = titles;
	const isTurned =
		matchLabel(second, [approve]) !== undefined ||
		(decline !== undefined && matchLabel(first, [decline]) !== undefined);
	if (isTurned)
		throw new Error(
			`The first quick reply of the template approves, but it is "${first}". Choose a template with the quick reply for "${approve}" first.`,
		);
}

function checkChoices(
	choices: readonly string[],
	content: SendContent,
	template: ListedTemplate | undefined,
): void {
	const titles = template ? quickRepliesOf(template) : [];
	const values = valuesIn(content).map((value) => value.toLowerCase());
	const missing = choices.filter(
		(choice) =>
			matchLabel(choice, titles) === undefined &&
			!values.some((value) => value.includes(choice.toLowerCase())),
	);
	if (missing.length > 0)
		throw new Error(
			`The template does not show ${missing.map((choice) => `"${choice}"`).join(', ')}${template ? '' : ', as far as it can be read'}. Each choice must be one of its quick replies, or in the value of a variable.`,
		);
}
