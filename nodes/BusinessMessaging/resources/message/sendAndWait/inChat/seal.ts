import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

import { requireSignature } from '../links';

/** Only the resume URL gives this key. n8n signs the URL, and does not store it. */
const sealingKey = (signature: string): Buffer =>
	createHash('sha256')
		.update(`n8n business messaging sealed secret v1\n${requireSignature(signature)}`)
		.digest();

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
