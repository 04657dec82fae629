/** What refusals mean on the routes of templates, and there alone. */
import { failureOfResponse } from '#nodes/service/errors/failureOfResponse.ts';
import type { ErrorResponse } from '#nodes/service/errors/response.ts';
import { responseOf } from './response.mts';

const TEMPLATE_KINDS = [
	'templateRead',
	'templateCreate',
	'templateChange',
	'templateUpload',
] as const;
const TAKEN = 'There is already English content for this template (100, 2388024)';
const listing = (changes: Partial<ErrorResponse>) =>
	failureOfResponse(
		responseOf({
			path: ['chatapp', 'businesses', 'b1', 'templates'],
			...{ serviceMessage: TAKEN, hasErrorList: true, ...changes },
		}),
	);
const LATER = /later|Retry On Fail/;

describe.each(TEMPLATE_KINDS)('%s', (kind) => {
	test.each([400, 422, 502])('%i with a list of errors is a refusal', (status) => {
		const failure = listing({ kind, status });
		expect(failure).toMatchObject({ reason: 'rejected', effect: 'none', cause: TAKEN });
		expect(failure.hint).not.toMatch(LATER);
		if (status !== 422)
			expect(listing({ kind, status, hasErrorList: false }).reason).not.toBe('rejected');
	});

	test.each([
		'Timeout while calling the API',
		'The request timed out (2)',
		'An unknown error has occurred (1)',
		'Application request limit reached (4)',
		'Rate limit hit',
		'There have been too many calls to this account (80008)',
		'Service temporarily unavailable',
	])('"%s" is none', (serviceMessage) => {
		for (const status of [400, 422, 502]) {
			const failure = listing({ kind, status, serviceMessage });
			expect(failure.reason).toBe('service_error');
			expect(failure.effect).toBe(kind === 'templateCreate' ? 'unknown' : 'none');
			expect(failure.cause).toContain(serviceMessage);
			if (kind !== 'templateCreate') expect(failure.hint).toMatch(LATER);
		}
	});

	test.each([
		'The text exceeds the limit of 60 characters',
		'An approved template can be changed once in a rolling 24-hour period',
	])('"%s" is one', (serviceMessage) => {
		expect(listing({ kind, status: 422, serviceMessage }).reason).toBe('rejected');
	});

	test.each([
		['Not found', 'not_found'],
		[undefined, 'unexpected_response'],
	])('a 404 with the words %j names the Templates Path', (serviceMessage, reason) => {
		const failure = listing({ kind, status: 404, serviceMessage, hasErrorList: false });
		expect(failure).toMatchObject({ reason, effect: 'none' });
		expect(failure.hint).toMatch(/Templates Path/);
	});
});

test('a 502 of a message stays in doubt with its inner words, and of others an outage', () => {
	const toMessage = listing({ kind: 'message', status: 502 });
	expect(toMessage).toMatchObject({ reason: 'service_error', effect: 'unknown' });
	expect(toMessage.cause).toContain(TAKEN);
	expect(listing({ kind: 'change', status: 502 }).reason).toBe('service_error');
	expect(listing({ kind: 'change', status: 404 }).hint).not.toMatch(/Templates Path/);
});

test.each([
	[422, 'MISSING_APP_CREDENTIALS', 'rejected', /app ID .*secret.*security panel/],
	[422, 'No: MISSING_APP_CREDENTIALS', 'rejected', /security panel/],
	[502, 'MEDIA_UPLOAD_REFUSED', 'rejected', /refused the file/],
	[502, 'CONFIG_UNREACHABLE', 'service_error', /Try again later/],
])('of an upload, %i %s says what to do', (status, serviceMessage, reason, hint) => {
	const upload = { kind: 'templateUpload', status, serviceMessage, hasErrorList: false } as const;
	const failure = listing(upload);
	expect(failure).toMatchObject({ reason, effect: 'none' });
	expect(failure.hint).toMatch(hint);
	if (reason === 'rejected') {
		expect(failure.hint).not.toMatch(LATER);
		expect(listing({ ...upload, kind: 'templateChange' }).hint).not.toMatch(hint);
	}
});

test.each(['templateChange', 'templateCreate', 'change', 'read'] as const)(
	'of %s, no words are about a closed window',
	(kind) => {
		const serviceMessage = 'Conversation window is closed: the customer last wrote 24 hours ago';
		expect(listing({ kind, status: 422, serviceMessage }).reason).toBe('rejected');
	},
);
