import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { withSecretKey } from '../nodes/BusinessMessaging/service/authenticate';

const KEY_REFUSED =
	'The service refused the secret key. Copy it again from the security panel of the service; it is not the public key.';
const KEY_OR_ADDRESS =
	"The service refused the request, for one of two causes: the secret key (copy it again from the security panel of the service; it is not the public key), or the account's list of allowed addresses, if it has one, on which the public address of this n8n must stand.";
const NOT_THE_SERVICE =
	'This address is not the messaging service. Check the Base URL: it is the root of the service, without /v1.';
const NOT_AVAILABLE =
	'The service is not available at the moment. The key could not be checked; try again later.';

/** Statuses that mean the credential does not work, with the words that n8n shows. */
const FAILED_STATUSES = [
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

/** The length of a 401 of the list that the test asks for. */
const LENGTH_OF_401 = JSON.stringify({ error: 'Unauthorized' }).length;
/**
 * Lengths of a 400 about the address (docs/contract.md), from `ip` to the longest IPv4 address. Between them lie that of a 400 about the key, and that
 * of a 401 in the other shape.
 */
const LENGTHS_OF_400 = [
	'ip',
	...Array.from({ length: 9 }, (_, index) => '0'.repeat(7 + index)),
].map((address) => JSON.stringify({ error: `${address} not allowed` }).length);

/** n8n reads a list of both kinds of rule; its type knows only lists of one kind. */
const RULES = [
	...FAILED_STATUSES.map(({ status, message }) => ({
		type: 'responseCode',
		properties: { value: status, message },
	})),
	{ type: 'responseSuccessBody', properties: { key: '0', value: '<', message: NOT_THE_SERVICE } },
	// n8n 1 knows no exceptions to ignored statuses. A refusal is told by the length of its text, which no list of webhooks has.
	...[
		{ length: LENGTH_OF_401, message: KEY_REFUSED },
		...LENGTHS_OF_400.map((length) => ({ length, message: KEY_OR_ADDRESS })),
	].map(({ length, message }) => ({
		type: 'responseSuccessBody',
		properties: { key: 'length', value: length, message },
	})),
] as ICredentialTestRequest['rules'];

/**
 * Secret key and root of the service. The key is sent as a bearer token (docs/contract.md), and only to the service's own host.
 */
export class BusinessMessagingApi implements ICredentialType {
	name = 'businessMessagingApi';

	displayName = 'Business Messaging API';

	icon: Icon = {
		light: 'file:../icons/business-messaging.svg',
		dark: 'file:../icons/business-messaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			hint: 'If the test says ENOTFOUND, the host is misspelt or unknown to n8n; ECONNREFUSED, nothing runs at this address and port; ERR_INVALID_URL, it does not begin with https:// or http://',
			description: 'The root address of the messaging service, without /v1',
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: 'The test passes without the ENTERPRISE role, too: then sending and connecting work, but the trigger, webhook operations and answers in the chat do not',
			description:
				'The key that you generate in the security panel of the service. Not the public key, which is for web pages.',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: "Leave empty, unless you register a trigger's webhook by hand",
			description: 'The signing secret that the service showed when the webhook was created',
		},
		{
			displayName: 'Webhook Token',
			name: 'webhookToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: "Leave empty, unless you register a trigger's webhook by hand and without signing",
			description: 'The token that the service sends as "Authorization: Bearer"',
		},
	];

	/** A function, so that the key can be kept from every other host: also when another node borrows this credential. */
	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		withSecretKey(credentials, requestOptions);

	/**
	 * Asks for the template webhooks, the one list that needs no channel. It passes for an accepted key, with an empty list too, and for an account
	 * without the ENTERPRISE role (422), which can connect and send.
	 *
	 * n8n offers a test only rules of equality, over an error's status or the first item of an answer, and fails over an answer that is an empty
	 * list. So the answer is taken as text: of a text, n8n's rules can compare a character, and the length.
	 */
	test: ICredentialTestRequest = {
		request: {
			// Slashes are looked at from the first of a row alone: from each of them, it would take the square of their number.
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(?<!\\/)\\/+$/, "") }}',
			url: '/v1/webhooks',
			encoding: 'text',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			ignoreHttpStatusErrors: { ignore: true, except: FAILED_STATUSES.map(({ status }) => status) },
		},
		rules: RULES,
	};
}
