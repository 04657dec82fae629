import { randomUUID } from 'node:crypto';

import type { ServiceClient } from '../client';
import {
	createdTemplateSchema,
	templateDoneSchema,
	templateFileSchema,
	templatesSyncedSchema,
} from '../contract';
import type { CreatedTemplate, NewTemplate, SyncedTemplates } from '../contract';
import type { ServiceRequest } from '../exchange';
import { type FailureReason, mayBeDone, notDone } from '../errors';
import { hintIn, type Hints, saying } from '../errors/nodeError';

/** Milliseconds for a file of 100 MB. */
const UPLOAD_TIMEOUT = 120_000;

/** What to give in place of a link that the list shows. */
export const LINK_REFUSED =
	'The chat application takes no link of its own: give the list of components with a public link in its place, or choose "By Fields" and a file.';
const CHANGES_MAX =
	'An approved template can be changed once in 24 hours and ten times in 30 days.';

/** Where a person sees whether a template was created. */
export const LOOK_AT_TEMPLATES =
	'Look with Template → Get Many whether it is there, before you create it again.';

/** What refusals say, by a part of their words. Source: published. */
const REFUSALS: Hints = [
	['2388215', LINK_REFUSED],
	// In the 30 days after a deletion. Source: assumed, as the next.
	['2388023', 'Choose another name, because that of a deleted template stays taken for 30 days.'],
	['2388024', 'Choose another name, or change the existing template with Template → Update.'],
	['24 hours', CHANGES_MAX],
	['24-hour', CHANGES_MAX],
];

const pathOf = (client: ServiceClient, businessId: string, ...others: string[]): string[] => [
	...client.templatesPath(),
	businessId,
	...others,
];

/** Submits a template. Not to be repeated unless the error's effect is `none`. */
export async function createTemplate(
	client: ServiceClient,
	businessId: string,
	body: NewTemplate,
): Promise<CreatedTemplate> {
	const created = client.request({
		action: 'create the template',
		kind: 'templateCreate',
		method: 'POST',
		path: pathOf(client, businessId, 'templates'),
		body,
		response: createdTemplateSchema,
	});
	return await saying(created, (error) =>
		mayBeDone(error) ? { hint: LOOK_AT_TEMPLATES } : hintIn(REFUSALS, error),
	);
}

/** Replaces a template's definition, which goes to review again. Its name and language stay. */
export async function updateTemplate(
	client: ServiceClient,
	businessId: string,
	templateId: string,
	body: NewTemplate,
): Promise<void> {
	const updated = requireSuccess(client, {
		action: 'update the template',
		kind: 'templateChange',
		method: 'PUT',
		path: pathOf(client, businessId, 'templates', templateId),
		body,
	});
	await saying(updated, (error) => hintIn(REFUSALS, error));
}

/** Whoever reads it must know what goes before they know the option. */
const WITH_NAME =
	'The service may ask for the name as well, which removes the template in every language. If that is what you want, turn on "Delete All Translations".';

/**
 * Deletes a template. Source: published; that the ID alone removes one language: assumed.
 * @param name removes all of its translations
 */
export async function deleteTemplate(
	client: ServiceClient,
	businessId: string,
	templateId: string,
	name?: string,
): Promise<void> {
	const deleted = requireSuccess(client, {
		action: 'delete the template',
		kind: 'templateChange',
		method: 'DELETE',
		path: pathOf(client, businessId, 'templates', templateId),
		...(name === undefined ? {} : { query: { name } }),
	});
	await saying(deleted, ({ reason }) =>
		name === undefined && REFUSED.includes(reason) ? { hint: WITH_NAME } : undefined,
	);
}

const REFUSED: readonly FailureReason[] = ['invalid_request', 'rejected'];

async function requireSuccess(
	client: ServiceClient,
	request: ServiceRequest<unknown>,
): Promise<void> {
	const { success } = await client.request({ ...request, response: templateDoneSchema });
	if (success) return;
	throw notDone(request.action, 'rejected', {
		cause: 'the service answered "success": false',
		hint: 'Look at the template with Template → Get Many: its status may not allow this.',
	});
}

/** Lets the service read the templates of a business anew from the chat application. */
export const syncTemplates = async (
	client: ServiceClient,
	businessId: string,
): Promise<SyncedTemplates> =>
	await client.request({
		action: 'sync the templates',
		kind: 'templateChange',
		method: 'POST',
		path: pathOf(client, businessId, 'templates', 'sync'),
		response: templatesSyncedSchema,
	});

export interface TemplateFile {
	mimeType: string;
	fileName: string;
	data: Buffer;
}

/** Others wrote it, and a line break would add headers to the form. */
const typeOf = (mimeType: string): string =>
	/^[\w.+-]{1,64}\/[\w.+-]{1,128}$/.test(mimeType) ? mimeType : 'application/octet-stream';

/** Uploads a header's example. Can be repeated. Source: published. @returns its handle */
export async function uploadTemplateFile(
	client: ServiceClient,
	businessId: string,
	{ mimeType, fileName, data }: TemplateFile,
): Promise<string> {
	const type = typeOf(mimeType);
	const boundary = `n8n-${randomUUID()}`;
	const head = (disposition: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
	// A quote or a line break would end the name, or the header.
	const name = fileName.replace(/["\\\r\n]/g, '_');
	const body = Buffer.concat([
		Buffer.from(`${head('name="type"')}\r\n${type}\r\n`),
		Buffer.from(`${head(`name="file"; filename="${name}"`)}Content-Type: ${type}\r\n\r\n`),
		data,
		Buffer.from(`\r\n--${boundary}--\r\n`),
	]);
	const uploaded = client.request({
		action: 'upload the file of the header',
		kind: 'templateUpload',
		method: 'POST',
		path: pathOf(client, businessId, 'templates', 'media'),
		body,
		contentType: `multipart/form-data; boundary=${boundary}`,
		response: templateFileSchema,
		timeout: UPLOAD_TIMEOUT,
	});
	const { h } = await saying(uploaded, (error) =>
		mayBeDone(error)
			? { effect: 'none', hint: 'The template itself was not submitted. Try again.' }
			: undefined,
	);
	return h;
}
