/**
 * What became of each text that was sent under a key, as the last run of its workflow and the
 * service have it.
 */
import type { IDataObject } from 'n8n-workflow';

export interface TextAccount {
	sent: number;
	alreadySent: number;
	inDoubt: number;
	/** Items that are none of these. */
	failed: unknown[];
	/** Texts that the service accepted more than once. */
	acceptedTwice: string[];
	/** Texts that a run reports as sent, but the service never got. */
	neverAccepted: string[];
	/** Number of texts in doubt that the service accepted. */
	inDoubtAndAccepted: number;
}

/**
 * @param texts in the order of the items
 * @param outcomes what the last run gave for each item
 * @param accepted every text that the service accepted, as often as it did
 */
export function accountForTexts(
	texts: readonly string[],
	outcomes: readonly IDataObject[],
	accepted: readonly string[],
): TextAccount {
	const times = new Map<string, number>();
	for (const text of accepted) times.set(text, (times.get(text) ?? 0) + 1);
	const account: TextAccount = {
		sent: 0,
		alreadySent: 0,
		inDoubt: 0,
		failed: [],
		acceptedTwice: [...times].filter(([, count]) => count > 1).map(([text]) => text),
		neverAccepted: [],
		inDoubtAndAccepted: 0,
	};
	for (const [index, text] of texts.entries()) {
		const { messageId, alreadySent, details, error } = outcomes[index] ?? {};
		const isAccepted = times.has(text);
		if ((details as IDataObject | undefined)?.reason === 'unknown_outcome') {
			account.inDoubt++;
			if (isAccepted) account.inDoubtAndAccepted++;
			continue;
		}
		if (alreadySent === true) account.alreadySent++;
		else if (typeof messageId === 'string') account.sent++;
		else account.failed.push(error ?? text);
		if ((alreadySent === true || typeof messageId === 'string') && !isAccepted)
			account.neverAccepted.push(text);
	}
	return account;
}
