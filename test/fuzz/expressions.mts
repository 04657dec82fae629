/** Expressions of the code that no reader covers. */

/** By file and text: whose text it is. They are run by themselves, for what they stand in cannot be called alone. */
export const ALONE: Record<string, string> = {
	'nodes/BusinessMessaging/resources/message/downloadAttachments.ts /^data:/i':
		'addresses of attachments, from expressions over items',
	'nodes/BusinessMessaging/sending/toRecipient.ts /\\d/': 'recipients, from expressions over items',
	'nodes/BusinessMessaging/service/contract/common.ts /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/':
		'ids, from expressions over items',
	'nodes/BusinessMessaging/service/contract/webhooks.ts /^https?:\\/\\//i':
		'URLs of webhooks, from expressions over items and in requests to the sandbox',
	'nodes/BusinessMessaging/trigger/receive.ts /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key)$|signature|secret|token/i':
		'names of headers of a delivery',
	'nodes/BusinessMessaging/trigger/registration/apply.ts /:\\/\\/[^/@]*@/g':
		'URLs of listed webhooks',
	'nodes/BusinessMessaging/trigger/registration/apply.ts /[?#].*/s': 'URLs of listed webhooks',
	'sandbox/events/outgoing.mts /^https?:$/': 'the scheme of a URL in a request',
	'sandbox/events/outgoing.mts /^(?:image|video)\\//': 'a type of media in a request',
	'sandbox/media/file.mts /^data:/i': 'URLs of media in a request',
	'sandbox/store/media.mts /^\\/media\\/([0-9a-f]{32})(?:\\.[a-z0-9]{2,5})?$/':
		'a path in a request',
	'sandbox/store/templates.mts /\\{\\{(\\d{1,3})\\}\\}/g':
		'the body of a template in a request to the control API',
	'sandbox/http/access.mts /^Bearer +(\\S+)$/i': 'the header of a request',
	'sandbox/http/channels.mts /^\\d{1,9}$/': 'a query',
	'sandbox/http/control/connections.mts /^Bearer +(\\S+)$/i': 'the header of a request',
	'sandbox/http/control/connections.mts /^https?:$/': 'the scheme of a URL in a request',
	"sandbox/http/webhooks.mts /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/": 'a header name in a request',
	'sandbox/http/webhooks.mts /^[\\x20-\\x7e\\x80-\\xff]*$/': 'a header value in a request',
	'sandbox/http/webhooks.mts /^https?:$/': 'the scheme of a URL in a request',
	'sandbox/page/links.js /https?:\\/\\/[^\\s<>"“”«»\\p{Bidi_Control}]+/giu':
		'texts of messages, in the browser of who looks at the page',
	'sandbox/http/token.mts /:(\\d+)$/': 'the host header of a request',
	'sandbox/store/tenants.mts /^sandbox_sk_[A-Za-z0-9_-]{1,64}$/':
		'a key in a request to the control API',
	'sandbox/store/tenants.mts /^sandbox_pk_[A-Za-z0-9_-]{1,64}$/':
		'a key in a request to the control API',
};

/** By file and text: why no text of others meets it. */
export const NOT_FOREIGN: Record<string, string> = {
	'nodes/BusinessMessaging/trigger/registration/manual.ts /\\s+/':
		'the secrets in the credential, which its owner typed',
	'nodes/BusinessMessaging/shared/reachability.ts /^\\[|\\]$/g':
		'the hosts of n8n itself and of the Base URL',
	'nodes/BusinessMessaging/shared/reachability.ts /\\.$/':
		'the hosts of n8n itself and of the Base URL',
	'nodes/BusinessMessaging/shared/reachability.ts /^(?:::ffff:)?(\\d{1,3})\\.(\\d{1,3})\\.\\d{1,3}\\.\\d{1,3}$/':
		'the hosts of n8n itself and of the Base URL',
	'nodes/BusinessMessaging/shared/reachability.ts /\\.(local|internal|lan|home\\.arpa)$/':
		'the hosts of n8n itself and of the Base URL',
	'nodes/BusinessMessaging/shared/reachability.ts /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/':
		'the hosts of n8n itself and of the Base URL',
	'nodes/BusinessMessaging/shared/reachability.ts /^(f[cd]|fe[89ab])/':
		'the hosts of n8n itself and of the Base URL',
	'sandbox/cli/settings.mts /^[\\w.~-]{16,256}$/': 'the command line',
	'sandbox/client/duration.mts /^(\\d+(?:\\.\\d+)?)(ms|s|m|h|d)$/':
		'the tests of whoever writes them',
	'sandbox/client/duration.mts /\\s+/': 'the tests of whoever writes them',
	'sandbox/client/wire.mts /\\/$/': 'the tests of whoever writes them',
	'sandbox/command.mts /^\\d*$/': 'the command line',
	'sandbox/core/database.mts /\\?(\\d+)/g': "the sandbox's own SQL",
	'sandbox/core/database.mts /locked/': 'messages of SQLite',
	'sandbox/http/control/deliveries.mts /^t=(\\d+),/': 'a header that the sandbox itself wrote',
	'sandbox/http/route.mts /\\{(\\w+)\\}/g': "the paths of the sandbox's own routes",
	'sandbox/rehearsal/chat.mts new RegExp(pattern.matches)': 'scripts of whoever plays them',
	'sandbox/rehearsal/schema.mts new RegExp(source)': 'scripts of whoever plays them',
	'sandbox/rehearsal/schema.mts /^(writes|taps|gets) ([^]+)$/': 'scripts of whoever plays them',
	'sandbox/openapi/document.mts /\\{(\\w+)\\}/g': "the paths of the sandbox's own routes",
	'sandbox/openapi/operations.mts /^\\d{1,9}$/': 'written into the document, matched by nothing',
	'sandbox/openapi/operations.mts /^(?:[1-9]\\d?|100)$/':
		'written into the document, matched by nothing',
	'sandbox/openapi/responses.mts /^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000$/':
		'responses of the sandbox itself, in tests',
	'sandbox/openapi/responses.mts /^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+00:00$/':
		'responses of the sandbox itself, in tests',
	'sandbox/openapi/responses.mts /^[0-9a-f]{64}$/': 'responses of the sandbox itself, in tests',
	'sandbox/page/composer.js /^e\\.g\\. /': 'placeholders of the page itself, in a browser',
	'sandbox/page/deliveries.js /^\\d+$/': 'the address of the page, in the browser of who opened it',
};
