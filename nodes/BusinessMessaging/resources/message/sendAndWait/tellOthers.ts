import type { IWebhookFunctions } from 'n8n-workflow';

import { log } from '../../../delivery/respond';
import { limiterOf } from '../../../sending/rateLimiter';
import { createServiceClient } from '../../../service/client';
import { asError } from '../../../service/errors';
import { sendMessage } from '../../../service/messages';
import { normalizeIdentifier } from '../../../shared/phoneNumbers';

/** What the other approvers are told, unless the user says otherwise. */
export const TELL_OTHERS = '{name} answered: {answer}';

/** Longest name that is passed on: it is free for whoever replies. In UTF-16 units. */
const NAME_MAX = 100;

/** Who replied to an approval. */
export interface Responder {
	identifier: string;
	/** As the service knows it. */
	name: string | null;
	[field: string]: string | null;
}

/** Who were asked for an approval, and what those are told who were not first. */
export interface AskedPeople {
	channelId: string;
	people: readonly string[];
	/** Empty: nothing. */
	text: string;
}

/**
 * Tells all who were asked and were not first. Never throws: what fails stands in n8n's log, and the execution goes on all the same.
 * @param answer the words of the reply
 */
export async function tellOthers(
	context: IWebhookFunctions,
	{ channelId, people, text }: AskedPeople,
	{ identifier, name }: Responder,
	answer: string,
): Promise<void> {
	if (text === '') return;
	const who = Array.from(name?.trim() || identifier)
		.slice(0, NAME_MAX)
		.join('');
	// The name goes last: nothing in it is replaced.
	const message = text.replaceAll('{answer}', () => answer).replaceAll('{name}', () => who);
	const others = people.filter(
		(person) => normalizeIdentifier(person) !== normalizeIdentifier(identifier),
	);
	const results = await Promise.allSettled(
		others.map(async (recipient) => {
			const client = await createServiceClient(context);
			// After all that the channel waits for.
			const place = await limiterOf(client.account, channelId).enter(0, others);
			try {
				const content = { type: 'TEXT', body: { message } };
				await sendMessage(client, { channelId, recipient, content });
			} finally {
				place?.leave();
			}
		}),
	);
	for (const told of results)
		if (told.status === 'rejected')
			log(context, 'warn', `An approver was not told: ${asError(told.reason).message}`);
}
