import type { IWebhookFunctions } from 'n8n-workflow';

import { log } from '../../../service/log';
import { oneLine } from '../../../service/cutText';
import { sendAlone } from '../../../sending/sendAlone';
import { asError } from '../../../service/errors';
import { clientOfWaiting } from '../../../shared/node/recentCredential';

/** What the other approvers are told by default. Customers choose their names, so it goes last. */
export const TELL_OTHERS = '{answer} was the answer of {name}';

const NAME_MAX = 100;

export interface Responder {
	identifier: string;
	/** From the service. */
	name: string | null;
	[field: string]: string | null;
}

/** An approval that was given or refused, by the first of several. */
export interface Decision {
	approved: boolean;
	responder: Responder;
	/** The words on the button. */
	label: string;
	channelId: string;
	/** Everyone who was asked. */
	people: readonly string[];
	/** The one of them who replied. */
	first: string;
	/** What the others are told. Empty: nothing. */
	text: string;
}

/** Tells the others. Never throws: failures go to n8n's log. */
export async function tellOthers(
	context: IWebhookFunctions,
	{ channelId, people, first, text, label, responder }: Decision,
): Promise<void> {
	if (text === '') return;
	const { identifier, name } = responder;
	const who = oneLine(name ?? '', NAME_MAX) || oneLine(identifier, NAME_MAX);
	// The name goes last, so nothing in it is replaced.
	const message = text.replaceAll('{answer}', () => label).replaceAll('{name}', () => who);
	// No two of them are the same person.
	const others = people.filter((person) => person !== first);
	const results = await Promise.allSettled(
		others.map(async (recipient) => {
			const content = { type: 'TEXT' as const, body: { message } };
			await sendAlone(await clientOfWaiting(context), { channelId, recipient, content });
		}),
	);
	for (const told of results)
		if (told.status === 'rejected')
			log(context, 'warn', `An approver was not told: ${asError(told.reason).message}`);
}
