import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { DEFAULT_TEMPLATES_PATH } from '../nodes/BusinessMessaging/service/contract';
import { withSecretKey } from '../nodes/BusinessMessaging/service/authenticate';
import {
	CREDENTIAL_TEST_RULES,
	FAILED_STATUSES,
} from '../nodes/BusinessMessaging/workarounds/credentialTest';

/** Secret key and root of the service. The key is a bearer token, for its host alone. */
export class BusinessMessagingApi implements ICredentialType {
	name = 'businessMessagingApi';

	displayName = 'Business Messaging API';

	icon: Icon = {
		light: 'file:../icons/business-messaging.svg',
		dark: 'file:../icons/business-messaging.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-business-messaging/n8n-nodes-business-messaging/blob/main/docs/nodes.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			hint: 'Begins with https:// or http://, and ends before /v1',
			description:
				'The root address of the messaging service. If the test says ENOTFOUND, the host is misspelt or unknown to n8n. If it says ECONNREFUSED, nothing runs at this address and port.',
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: 'The test passes without the ENTERPRISE role, too. The trigger, webhooks and questions in the chat need it',
			description:
				"The key that you generate in the security panel of the service's dashboard, not the public key beside it. All items of a node share it.",
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
		{
			displayName: 'Templates Path',
			name: 'templatesPath',
			type: 'string',
			default: DEFAULT_TEMPLATES_PATH,
			hint: 'For lists of templates, and to write them. Your service names this path after the chat application; sending needs none.',
			description:
				'The path below the Base URL where the service has its business accounts and their templates',
		},
	];

	/** A function, because it refuses the key to other hosts, also if another node uses it. */
	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		withSecretKey(credentials, requestOptions);

	/**
	 * Lists the template webhooks, the one list that needs no channel. The test passes for an
	 * account without the ENTERPRISE role (422), because it can connect and send.
	 * The response is read as text: `workarounds/credentialTest` says why.
	 */
	test: ICredentialTestRequest = {
		request: {
			// The lookbehind keeps this linear for a long row of slashes.
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(?<!\\/)\\/+$/, "") }}',
			url: '/v1/webhooks',
			encoding: 'text',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			ignoreHttpStatusErrors: { ignore: true, except: FAILED_STATUSES },
		},
		rules: CREDENTIAL_TEST_RULES,
	};
}
