import { PASSING_TROUBLE_PATTERN } from '../contract';
import type { QuotableResponse, RequestKind, Rule } from './response';
import { asQuoted, failed, MAYBE_DONE, RETRY_LATER, says } from './response';

const OF_TEMPLATES: readonly RequestKind[] = [
	'templateRead',
	'templateCreate',
	'templateChange',
	'templateUpload',
];

/** Whether it speaks of trouble that passes by itself: that is no refusal. */
const isPassing = ({ said }: QuotableResponse): boolean => PASSING_TROUBLE_PATTERN.test(said);

/** What responses on the routes of templates mean, and on no other. */
export const TEMPLATE_RULES: readonly Rule[] = [
	{
		status: [422],
		of: ['templateUpload'],
		when: says(/\bMISSING_APP_CREDENTIALS\b/),
		says: (response) => ({
			reason: 'rejected',
			cause: asQuoted(response),
			hint: "The service needs the app ID and the secret of the chat application to upload a file. Enter them in the service's security panel.",
		}),
	},
	{
		status: [502],
		of: ['templateUpload'],
		when: says(/\b[A-Z_]{1,64}_REFUSED\b/),
		says: (response) => ({
			reason: 'rejected',
			cause: asQuoted(response),
			hint: 'The chat application refused the file. Give it another one, of a type and size that it takes in a header.',
		}),
	},
	{
		status: [400, 422, 502],
		of: ['templateCreate'],
		when: (response) => response.hasErrorList && isPassing(response),
		says: (response) => ({ reason: 'service_error', cause: failed(response), ...MAYBE_DONE }),
	},
	{
		status: [400, 422, 502],
		of: OF_TEMPLATES,
		when: (response) => response.hasErrorList && isPassing(response),
		says: (response) => ({ reason: 'service_error', cause: failed(response), hint: RETRY_LATER }),
	},
	{
		status: [400, 422, 502],
		of: OF_TEMPLATES,
		when: ({ hasErrorList }) => hasErrorList,
		says: (response) => ({
			reason: 'rejected',
			cause: asQuoted(response),
			hint: 'Change what the message names first, because the chat application would refuse it again.',
		}),
	},
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
