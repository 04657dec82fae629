import { fileNameOfUrl, isDocument } from '../contract.mts';
import type { Content } from '../store/content.mts';
import type { Message } from '../store/messages.mts';

/** What the service says beside FAILED. Its form is not published: assumed. */
export interface Failure {
	code: string | number;
	message: string;
}

export const UNKNOWN_FAILURE: Failure = {
	code: 'UNDELIVERABLE',
	message: 'The message could not be delivered',
};

/** Code and title are the chat application's. */
const WINDOW_CLOSED_FAILURE: Failure = { code: 131047, message: 'Re-engagement message' };

const DOCUMENT_FAILURE: Failure = {
	code: 'UNDELIVERABLE',
	message:
		'The file is a document, which the chat application does not take as media. Send a link in a text, or a template with a document',
};

/** The address of the file that a message shows, if it shows one. */
function mediaUrlOf(content: Content): string | undefined {
	if ('url' in content) return content.url;
	return 'thumbnail' in content ? content.thumbnail : undefined;
}

/** Whether a web address leads to a document by its name. The sandbox loads no address. */
const isDocumentAt = (url: string): boolean =>
	URL.canParse(url) && isDocument(undefined, fileNameOfUrl(new URL(url)));

/**
 * Why the service accepts a message of the business, and does not deliver it. Undefined if nothing
 * speaks against it.
 */
export function failureOf({
	fromApi,
	windowClosed,
	content,
}: Pick<Message, 'fromApi' | 'content'> & Partial<Message>): Failure | undefined {
	if (windowClosed) return WINDOW_CLOSED_FAILURE;
	const url = fromApi ? mediaUrlOf(content) : undefined;
	return url !== undefined && isDocumentAt(url) ? DOCUMENT_FAILURE : undefined;
}
