import type { IWebhookFunctions } from 'n8n-workflow';

import { log, oneLine } from '../../../service/log';
import { sendAlone } from '../../../sending/sendAlone';
import { asError } from '../../../service/errors';
import { clientOfWaiting } from '../../../shared/node/recentCredential';

/** What the other approvers are told by default. */
export const TELL_OTHERS = '{name} answered: {answer}';

const NAME_MAX = 100;

export interface Responder {
	identifier: string;
	/** From the service. */
	name: string | null;
	[field: string]: string | null;
}

/** Everyone who was asked for an approval, and what those who were not first are told. */
export interface Approvers {
	channelId: string;
	people: readonly string[];
	/** The one of them who replied. */
	first: string;
	/** Empty: nothing. */
	text: string;
}

/** Tells the others. Never throws: failures go to n8n's log. @param answer the reply's words */
export async function tellOthers(
	context: IWebhookFunctions,
	{ channelId, people, first, text }: Approvers,
	{ identifier, name }: Responder,
	answer: string,
): Promise<void> {
	if (text === '') return;
	const who = oneLine(name ?? '', NAME_MAX) || oneLine(identifier, NAME_MAX);
	// The name goes last, so nothing in it is replaced.
	const message = text.replaceAll('{answer}', () => answer).replaceAll('{name}', () => who);
	// No two of them are the same person.
	const others = people.filter((person) => person !== first);
	const results = await Promise.allSettled(
		others.map(async (recipient) => {
			const client = await clientOfWaiting(context);
			await sendAlone(client, {
				channelId,
				recipient,
				content: { type: 'TEXT', body: { message } },
			});
		}),
	);
	for (const told of results)
		if (told.status === 'rejected')
			log(context, 'warn', `An approver was not told: ${asError(told.reason).message}`);
}
