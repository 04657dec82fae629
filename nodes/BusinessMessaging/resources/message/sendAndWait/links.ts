import { hash, randomBytes, createCipheriv, createDecipheriv } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { equalInConstantTime } from '../../../service/signature';
import { notDone } from '../../../service/errors';
import { brokenBaseOfLinks } from '../../../workarounds/pathOfLinks';
import type { Question } from './kinds';

/** A resume URL of a question: of its page, or of its webhook. Anyone who has it can reply. */
export interface Link {
	url: string;
	/** n8n's HMAC-SHA256 over the URL's path and query, made with a key of its own. */
	signature: string;
	/** All that is kept of the link. */
	hash: string;
}

/** @param approver the index of the person it is sent to. Absent if only one person is asked */
export function makeLink(context: IExecuteFunctions, questionId: string, approver?: string): Link {
	const query = { ...(approver === undefined ? {} : { approver }), question: questionId };
	const url = context.getSignedResumeUrl(query);
	const signature = requireSignature(new URL(url).searchParams.get('signature') ?? '');
	return { url, signature, hash: hashOfLink(questionId, signature, approver) };
}

/** @throws Error if n8n did not sign */
export function requireSignature(signature: string): string {
	if (signature === '')
		throw new Error(
			'n8n gave a resume URL without a signature. Check that this n8n is one of the supported versions.',
		);
	return signature;
}

/** Binds the signature to the rest of the link. It cannot be reversed: a signature has 256 bits. */
export function hashOfLink(questionId: string, signature: string, approver?: string): string {
	const parts = [questionId, null, signature, ...(approver === undefined ? [] : [approver])];
	return hash('sha256', `n8n business messaging link v1\n${JSON.stringify(parts)}`, 'hex');
}

const PARAMETERS = ['question', 'approver', 'signature'];

/**
 * Whether a request came by a link that was sent with the question. n8n checks the signature, too,
 * but n8n 2 also accepts the resume token from the execution's record in its place.
 */
export function isGenuine(context: IWebhookFunctions, { id, links }: Question): boolean {
	const query = context.getQueryData() as IDataObject;
	const { approver, signature } = query;
	if (Object.keys(query).some((name) => !PARAMETERS.includes(name))) return false;
	if (typeof signature !== 'string') return false;
	if (approver !== undefined && typeof approver !== 'string') return false;
	const given = hashOfLink(id, signature, approver);
	return links.some((link) => equalInConstantTime(link, given));
}

/** Refuses to ask where n8n would refuse every reply. @throws ServiceError `n8n_unreachable` */
export function requireWorkingLinks(context: IExecuteFunctions, questionId: string): void {
	const base = brokenBaseOfLinks(context, makeLink(context, questionId).url);
	if (base === undefined) return;
	const { origin, pathname } = new URL(base);
	throw notDone('ask the question', 'n8n_unreachable', {
		cause: `this n8n would refuse every reply, because its WEBHOOK_URL has a path, ${base}`,
		hint: `Nothing was sent. n8n signs its links with the path ${pathname}, and checks them without it. Set the environment variable WEBHOOK_URL to ${origin}/, and let the proxy pass /webhook/ and /webhook-waiting/ on as they are. The editor can stay at its path. Or give n8n a host name of its own. Then restart n8n, publish workflows with a trigger again, and run this workflow again.`,
	});
}

/** Only the resume URL gives this key. n8n signs the URL, and does not store it. */
const sealingKey = (signature: string): Buffer =>
	hash(
		'sha256',
		`n8n business messaging sealed secret v1\n${requireSignature(signature)}`,
		'buffer',
	);

/** Encrypts what no record may show. @param signature in the query of the resume URL */
export function seal(text: string, signature: string): string {
	const iv = randomBytes(12);
	const cipher = createCipheriv('aes-256-gcm', sealingKey(signature), iv);
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws Error if the text was sealed with another signature, or changed */
export function unseal(sealedText: string, signature: string): string {
	const sealed = Buffer.from(sealedText, 'base64url');
	const decipher = createDecipheriv('aes-256-gcm', sealingKey(signature), sealed.subarray(0, 12));
	decipher.setAuthTag(sealed.subarray(12, 28));
	return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
