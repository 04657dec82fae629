import { CAPTION_MAX, PASSING_TROUBLE_PATTERN, WINDOW_CLOSED_PATTERN } from '../contract';
import type { Rule } from './response';
import { asQuoted, failed, MAYBE_DONE, OF_TEMPLATES, RETRY_LATER, says } from './response';
import type { FailureReason } from './serviceError';

/** What to do about an error about media, by its code. Limits and codes are in docs/contract.md. */
const MEDIA_HINTS = {
	MEDIA_URL_REQUIRED: 'Enter the address of the file, or its data. The service got neither.',
	MEDIA_INVALID_URL:
		'The address must begin with http:// or https:// and be public, because the service itself downloads the file.',
	MEDIA_INVALID_DATA_URL:
		'The service could not read the data of the file. A data URL has the form data:image/png;base64,… with nothing left out.',
	MEDIA_MIME_NOT_ALLOWED:
		'The service does not send files of this type. Check that the kind of media fits the file. Or convert it, e.g. an image to JPEG or PNG, a video to MP4, a sticker to WebP.',
	MEDIA_TOO_LARGE:
		'Make the file smaller. The service sends images up to 5 MB, audio and video up to 16 MB, static stickers up to 100 KB and animated ones up to 500 KB. It converts files up to 100 MB.',
	MEDIA_CAPTION_TOO_LONG: `Shorten the caption to ${CAPTION_MAX} characters, or send the rest as a text.`,
	MEDIA_UNSUPPORTED_ATTACHMENT:
		'The service does not send this kind of attachment. It sends images, videos, audio and stickers.',
	MEDIA_DOWNLOAD_FAILED:
		'The service could not download the file. Check that its address opens without signing in and from outside your network.',
	MEDIA_CONVERSION_FAILED:
		'The service could not convert the file. Save it in another format if it fails again.',
	MEDIA_UPLOAD_FAILED: 'The service could not pass the file on to the chat application.',
	MEDIA_PROCESSING_FAILED:
		'The service could not process the file. Save it in another format if it fails again.',
};
export type MediaSubCode = keyof typeof MEDIA_HINTS;

/** The service may have added codes. */
const mediaHint = (subCode: string): string =>
	Object.hasOwn(MEDIA_HINTS, subCode)
		? MEDIA_HINTS[subCode as MediaSubCode]
		: 'Check the file and its address.';

/** What an operation that has this field can do about a closed window, too. */
export const OR_INSTEAD = ', or choose one under "When the Window Is Closed"';

/** A rule about codes that only the service has. Each means that nothing was sent. */
const ofMedia = (status: number, reason: FailureReason, failure: string, more = ''): Rule => ({
	status: [status],
	of: ['message'],
	when: ({ subCode }) => subCode !== undefined,
	says: ({ isFromService: isOwn, quote, subCode = '' }) => ({
		reason,
		cause: `the service ${failure} the file (${isOwn ? quote : subCode})`,
		hint: `${mediaHint(subCode)}${more}`,
		effect: 'none',
	}),
});

/** What responses to a message mean, and to no other request. */
export const MESSAGE_RULES: readonly Rule[] = [
	ofMedia(400, 'media_rejected', 'did not accept'),
	ofMedia(
		502,
		'media_failed',
		'could not send',
		' Nothing was sent, so you can try again, or turn on "Retry On Fail" in the node\'s settings.',
	),
	{
		status: [422],
		of: ['message'],
		when: says(WINDOW_CLOSED_PATTERN),
		says: {
			reason: 'window_closed',
			cause: 'the 24-hour conversation window is closed',
			hint: `Only an approved template reaches people who have not written for 24 hours: use Send Template${OR_INSTEAD}.`,
		},
	},
];

/** A rule of a refusal, which is quoted. */
const rejecting = ({ hint, ...about }: Omit<Rule, 'says'> & { hint: string }): Rule => ({
	...about,
	says: (response) => ({ reason: 'rejected', cause: asQuoted(response), hint }),
});

/** What responses on the routes of templates mean, and on no other. */
export const TEMPLATE_RULES: readonly Rule[] = [
	rejecting({
		status: [422],
		of: ['templateUpload'],
		when: says(/\bMISSING_APP_CREDENTIALS\b/),
		hint: "The service needs the app ID and the secret of the chat application to upload a file. Enter them in the service's security panel.",
	}),
	rejecting({
		status: [502],
		of: ['templateUpload'],
		when: says(/\b[A-Z_]{1,64}_REFUSED\b/),
		hint: 'The chat application refused the file. Give it another one, of a type and size that it takes in a header.',
	}),
	{
		status: [400, 422, 502],
		of: OF_TEMPLATES,
		// That passes by itself, so it is no refusal.
		when: ({ hasErrorList, said }) => hasErrorList && PASSING_TROUBLE_PATTERN.test(said),
		says: (response) => ({
			reason: 'service_error',
			cause: failed(response),
			...(response.kind === 'templateCreate' ? MAYBE_DONE : { hint: RETRY_LATER }),
		}),
	},
	rejecting({
		status: [400, 422, 502],
		of: OF_TEMPLATES,
		when: ({ hasErrorList }) => hasErrorList,
		hint: 'Change what the message names first, because the chat application would refuse it again.',
	}),
	{
		status: [404],
		of: OF_TEMPLATES,
		says: (response) => ({
			reason: response.isFromService ? 'not_found' : 'unexpected_response',
			cause: asQuoted(response),
			hint: 'Check the Templates Path in the credential: the service lists and changes templates below it. Then check the IDs that you entered.',
		}),
	},
];
