import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../../service/client';
import type { SendContent } from '../../../../service/contract';
import { checkLength } from '../../content/splitText';
import type { LinkLook } from '../kinds/kind';
import { makeLink } from '../links';
import type { LinkQuestion } from '../kinds';
import { sendQuestion } from '../sendQuestion';
import type { LinkSettings } from '../waitSettings';

/** Sends the question with a link to its page. Each person gets a link of their own. */
export async function askByLink(
	context: IExecuteFunctions,
	client: ServiceClient,
	{ channelId, recipients, message, question, link, limit, tellOthers }: LinkSettings,
	id: string,
): Promise<LinkQuestion> {
	const isOne = recipients.length === 1;
	const messages = recipients.map((recipient, index) => {
		const approver = String(index);
		const { url, hash } = makeLink(context, id, isOne ? undefined : approver);
		return { index, channelId, recipient, content: contentOf(message, link, url), approver, hash };
	});
	for (const { content } of messages)
		checkLength(content, link.as === 'button' ? '"Message"' : '"Message" with its link');
	// Any other wait begins once everybody was asked.
	const until = limit && 'at' in limit ? limit.at : undefined;
	const without = await sendQuestion(context, client, messages, until);
	const sent = messages.filter(({ recipient }) => !without.includes(recipient));
	const links = sent.map(({ hash }) => hash);
	if (question.kind !== 'approval' || isOne) return { ...question, id, links };
	const people = Object.fromEntries(sent.map(({ approver, recipient }) => [approver, recipient]));
	return { ...question, id, links, several: { channelId, people, tellOthers } };
}

const contentOf = (message: string, { label, as }: LinkLook, url: string): SendContent =>
	as === 'button'
		? {
				type: 'INTERACTIVE_ACTION',
				body: { message },
				attachments: [{ id: '1', name: 'URL', title: label, url }],
			}
		: { type: 'TEXT', body: { message: `${message}\n\n${label}: ${url}` } };
