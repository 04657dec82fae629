import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { equalInConstantTime } from '../../../service/signature';
import type { Question } from './question';
import { requireSignature } from './question';

/** A way to answer a question. Whoever has its URL can. */
export interface Link {
	url: string;
	/** n8n's, over the URL's path and query: an HMAC-SHA256 with a key of its own. */
	signature: string;
	/** All that is kept of it. */
	hash: string;
}

/** What a link says. */
export interface Says {
	/** The reply that it stands for, if it stands for one and not for a page that asks: "true" or "false". */
	approved?: string;
	/** The place, in the list of those who were asked, of the person it was sent to. Left out when there is only one. */
	approver?: string;
}

export function makeLink(
	context: IExecuteFunctions | IWebhookFunctions,
	questionId: string,
	says: Says = {},
): Link {
	const url = context.getSignedResumeUrl({ ...says, question: questionId });
	const signature = requireSignature(new URL(url).searchParams.get('signature') ?? '');
	return { url, signature, hash: hashOfLink(questionId, says, signature) };
}

/** Binds the signature to what its link says. Not to be reversed: a signature has 256 bits. */
export function hashOfLink(
	questionId: string,
	{ approved, approver }: Says,
	signature: string,
): string {
	const said = [questionId, approved ?? null, signature];
	if (approver !== undefined) said.push(approver);
	return createHash('sha256')
		.update(`n8n business messaging link v1\n${JSON.stringify(said)}`)
		.digest('hex');
}

/**
 * Whether a request came by a link that was sent with the question. n8n checks a signature, too, but n8n 2 is content with the resume token from the
 * execution's record when the way to the node stands in the signature.
 */
export function isGenuine(context: IWebhookFunctions, { id, links }: Question): boolean {
	const { approved, approver, signature } = context.getQueryData() as IDataObject;
	if (typeof signature !== 'string' || !isTextOrNone(approved) || !isTextOrNone(approver))
		return false;
	const says = {
		...(approved === undefined ? {} : { approved }),
		...(approver === undefined ? {} : { approver }),
	};
	const given = hashOfLink(id, says, signature);
	// Version 0.1.0 kept no hashes with its questions: n8n signs the link once more.
	const sent = links ?? [makeLink(context, id, says).hash];
	return sent.some((hash) => equalInConstantTime(hash, given));
}

const isTextOrNone = (value: unknown): value is string | undefined =>
	value === undefined || typeof value === 'string';
