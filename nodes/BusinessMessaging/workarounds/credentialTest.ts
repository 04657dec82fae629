import type { ICredentialTestRequest } from 'n8n-workflow';

/*
 * n8n offers a credential's test rules of equality only: over the status of an error, or a value of
 * the response's first item. They fail for an empty list. So the test reads the response as text,
 * which has characters and a length to compare.
 *
 * The rules about lengths can go with n8n 1, which ignores the exceptions to
 * `ignoreHttpStatusErrors`. All of them can go once tests can be functions.
 */

const KEY_REFUSED =
	'The service refused the secret key. Copy it again from the security panel of the service; it is not the public key.';
const KEY_OR_ADDRESS =
	'The service refused the request. Either the secret key is wrong, or the public address of this n8n is not on the list of allowed addresses of the account.';
const NOT_THE_SERVICE =
	'This address is not the messaging service. Check the Base URL: it is the root of the service, without /v1.';
const NOT_AVAILABLE =
	'The service is not available at the moment. The key could not be checked; try again later.';

/** Statuses that mean the credential does not work, with the words that n8n shows. */
const FAILURES = [
	{ status: 400, message: KEY_OR_ADDRESS },
	{ status: 401, message: KEY_REFUSED },
	...[301, 302, 303, 307, 308, 403, 404, 405, 406, 410].map((status) => ({
		status,
		message: NOT_THE_SERVICE,
	})),
	{
		status: 429,
		message: 'The service asks to slow down. The key could not be checked; try again in a minute.',
	},
	...[500, 502, 503, 504].map((status) => ({ status, message: NOT_AVAILABLE })),
];

/** Statuses that the test does not read as a response. */
export const FAILED_STATUSES = FAILURES.map(({ status }) => status);

/** The length of a 401 from the list of template webhooks. */
const LENGTH_OF_401 = JSON.stringify({ error: 'Unauthorized' }).length;
/**
 * Lengths of a 400 about the address (docs/contract.md), from `ip` to the longest IPv4 address. A
 * 400 about the key, and a 401 in the other shape, have lengths between them.
 */
const LENGTHS_OF_400 = [
	'ip',
	...Array.from({ length: 9 }, (_, index) => '0'.repeat(7 + index)),
].map((address) => JSON.stringify({ error: `${address} not allowed` }).length);

/** n8n accepts a list of both kinds of rule. Its type allows lists of one kind only. */
export const CREDENTIAL_TEST_RULES = [
	...FAILURES.map(({ status, message }) => ({
		type: 'responseCode',
		properties: { value: status, message },
	})),
	{ type: 'responseSuccessBody', properties: { key: '0', value: '<', message: NOT_THE_SERVICE } },
	// Refusals on n8n 1. No list of webhooks has one of these lengths.
	...[
		{ length: LENGTH_OF_401, message: KEY_REFUSED },
		...LENGTHS_OF_400.map((length) => ({ length, message: KEY_OR_ADDRESS })),
	].map(({ length, message }) => ({
		type: 'responseSuccessBody',
		properties: { key: 'length', value: length, message },
	})),
] as ICredentialTestRequest['rules'];
