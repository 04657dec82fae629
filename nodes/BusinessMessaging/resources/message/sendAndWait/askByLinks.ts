import type { IExecuteFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../../service/client';
import type { SendContent } from '../../../service/contract';
import { mayBeDone } from '../../../service/errors';
import type { Says } from './links';
import { makeLink } from './links';
import type { ApprovalQuestion, FormQuestion } from './question';
import { sayWhoWasNotAsked, sendQuestion } from './sendQuestion';
import type { Asked, Settings } from './settings';

type AskedByLinks = Extract<Asked, { kind: 'approval' | 'freeText' | 'customForm' }> & {
	id: string;
};

/** Sends the question with its links, to each person with links of their own. */
export async function askByLinks(
	context: IExecuteFunctions,
	client: ServiceClient,
	settings: Settings,
	asked: AskedByLinks,
): Promise<ApprovalQuestion | FormQuestion> {
	const { channelId, recipients, message, tellOthers } = settings;
	const isOne = recipients.length === 1;
	const messages = recipients.map((recipient, index) => {
		const approver = String(index);
		const links = linksOf(asked, settings).map(({ label, says }) => ({
			label,
			...makeLink(context, asked.id, isOne ? says : { ...says, approver }),
		}));
		const content = contentOf(message, links, settings.linkAs === 'button');
		const hashes = links.map(({ hash }) => hash);
		return { index, channelId, recipient, content, approver, hashes };
	});
	const notAsked = await sendQuestion(context, client, messages);
	sayWhoWasNotAsked(context, recipients.length, notAsked);
	// Who may have been asked may answer.
	const without = notAsked.filter(({ error }) => !mayBeDone(error)).map((one) => one.recipient);
	const sent = messages.filter(({ recipient }) => !without.includes(recipient));
	const links = sent.flatMap(({ hashes }) => hashes);
	if (asked.kind !== 'approval' || isOne) return { ...asked, links };
	const people = Object.fromEntries(sent.map(({ approver, recipient }) => [approver, recipient]));
	return { ...asked, links, several: { channelId, people, tellOthers } };
}

/** From version 1.1 on, an approval has one link, to a page with both choices. */
function linksOf(
	asked: AskedByLinks,
	{ linkLabel, linkAs }: Settings,
): Array<{ label: string; says: Says }> {
	if (asked.kind !== 'approval' || linkAs) return [{ label: linkLabel, says: {} }];
	const yes = { label: asked.approveLabel, says: { approved: 'true' } };
	return asked.disapproveLabel === undefined
		? [yes]
		: [yes, { label: asked.disapproveLabel, says: { approved: 'false' } }];
}

/** The question with its links below it: as buttons, or as lines. */
function contentOf(
	message: string,
	links: ReadonlyArray<{ label: string; url: string }>,
	asButtons: boolean,
): SendContent {
	if (asButtons)
		return {
			type: 'INTERACTIVE_ACTION',
			body: { message },
			attachments: links.map(({ label, url }, index) => ({
				id: String(index + 1),
				name: 'URL',
				title: label,
				url,
			})),
		};
	const lines = links.map(({ label, url }) => `${label}: ${url}`);
	return { type: 'TEXT', body: { message: [message, ...lines].join('\n\n') } };
}
