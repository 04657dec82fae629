import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';
import { cutText } from './cutText';

/** Where n8n's two kinds of request go. Nodes use `url`. HTTP Request uses `uri`. */
type Destination = Readonly<Record<string, unknown>>;

/** The names of both of n8n's request helpers. */
const FOLLOWS_NO_REDIRECT = {
	sendCredentialsOnCrossOriginRedirect: false,
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const ABSOLUTE = /^https?:\/\//i;
/** The response to methods such as TRACE holds the request. */
const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
/** Headers that describe the content. Others can frame or redirect the request. */
const CONTENT_HEADERS = new Set(
	'accept accept-charset accept-encoding accept-language authorization cache-control content-language content-type cookie date idempotency-key if-match if-modified-since if-none-match if-range if-unmodified-since origin pragma prefer range referer traceparent tracestate user-agent'.split(
		' ',
	),
);
/** Words in custom headers that a proxy or framework may prefer to the request itself. */
const ROUTING_WORDS =
	/host|authority|forward|method|override|original|rewrite|ur[il]|path|route|upstream|proxy|http|scheme|encoding|length|connection|upgrade|-ip$/;
/** The only settings of a connection that a workflow may add: a client certificate. */
const CLIENT_CERTIFICATE = new Set(['cert', 'key', 'passphrase']);

function refuse(remedy: string): never {
	throw new Error(
		`The secret key is sent only to the host of the Base URL in the credential. ${remedy}`,
	);
}

/** The own properties of any value. */
const entriesOf = (value: unknown): Array<[string, unknown]> =>
	Object.entries(Object(value) as Record<string, unknown>);

/** Reads an address in each way: by URL, by n8n's HTTP client, and by a proxy. */
function refuseOtherHosts({ url, uri, baseURL }: Destination, { origin }: URL): void {
	const given = [url, uri].filter((address) => address !== undefined && address !== '').map(String);
	if (given.length === 0) refuse('The request has no address.');
	const hasBase = baseURL !== undefined;
	for (const address of hasBase ? [String(baseURL), ...given] : given) {
		const isAbsolute = ABSOLUTE.test(address);
		if (!isAbsolute && !(hasBase && /^\/(?![/\\])/.test(address)))
			refuse('Begin the address of the request with http:// or https://.');
		const target = URL.canParse(address, isAbsolute ? undefined : origin)
			? new URL(address, origin)
			: undefined;
		if (target?.origin !== origin || target.username || target.password)
			refuse('Use an address at that host, or use another credential.');
		if (target.pathname.startsWith('//'))
			refuse(
				'Begin the path of the address with one slash. A proxy reads two as the start of a host.',
			);
	}
}

/** The name as programs read it that ignore case and treat all signs alike. */
const plainName = (name: string) =>
	name
		.trim()
		.toLowerCase()
		.replace(/[^a-z0-9]/g, '-');

const isOrdinary = (name: string) =>
	CONTENT_HEADERS.has(name) || (name.startsWith('x-') && !ROUTING_WORDS.test(name));

/** Otherwise a workflow's author could route the key through a host of their own. */
function refuseOtherWays({
	method,
	headers,
	proxy,
	rejectUnauthorized,
	skipSslCertificateValidation,
	agentOptions,
}: Destination): void {
	if (proxy !== undefined && proxy !== '')
		refuse('Remove the option "Proxy". n8n uses the proxy of its environment.');
	const isUnchecked =
		(rejectUnauthorized ?? true) !== true || (skipSslCertificateValidation ?? false) !== false;
	if (isUnchecked || entriesOf(agentOptions).some(([name]) => !CLIENT_CERTIFICATE.has(name)))
		refuse(
			'Turn off "Ignore SSL Issues", and remove the certificate authority. To trust your own, set NODE_EXTRA_CA_CERTS where n8n runs.',
		);
	if (!METHOD.test(String(method ?? 'GET')))
		refuse('Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.');
	for (const [name, value] of entriesOf(headers)) {
		// n8n's HTTP client also sends groups of headers, such as `common`.
		const isGroup = [value].flat().some((part) => typeof part === 'object' && part !== null);
		if (isGroup || !isOrdinary(plainName(name))) {
			const ofFile =
				plainName(name) === 'content-length'
					? ' A body of the type "n8n Binary File" sets it too, so send JSON.'
					: '';
			refuse(
				`Remove the header "${cutText(name, 40)}" from the request.${ofFile} A header of your own begins with X-.`,
			);
		}
	}
}

/**
 * The request with the secret key. Only requests to the service's own host get it, also if another
 * node uses the credential, such as HTTP Request. Proxies of n8n's environment keep working.
 * @throws Error that says what to change. It holds no secret.
 */
export function withSecretKey(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): IHttpRequestOptions {
	const request: Destination = { ...requestOptions };
	// n8n checks it in some nodes only.
	if (credentials.allowedHttpRequestDomains === 'none' && request.uri !== undefined)
		refuse('Its "Allowed HTTP Request Domains" do not allow other nodes to use it.');
	refuseOtherHosts(request, new URL(normalizeBaseUrl(credentials.baseUrl)));
	refuseOtherWays(request);
	return {
		...requestOptions,
		...FOLLOWS_NO_REDIRECT,
		headers: {
			...requestOptions.headers,
			Authorization: `Bearer ${String(credentials.secretKey)}`,
		},
	};
}
