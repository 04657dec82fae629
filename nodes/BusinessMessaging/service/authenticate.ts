import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { normalizeBaseUrl } from './baseUrl';

/** What n8n's two kinds of request say of where they go. It names the address `url` for nodes with a service, and `uri` where a workflow's author writes it. */
type Destination = Partial<
	Record<
		| 'url'
		| 'uri'
		| 'baseURL'
		| 'method'
		| 'headers'
		| 'proxy'
		| 'rejectUnauthorized'
		| 'skipSslCertificateValidation'
		| 'agentOptions',
		unknown
	>
>;

/** The kind of request is looked at by no other name: n8n takes both, each of its own helper. */
const FOLLOWS_NO_REDIRECT = {
	sendCredentialsOnCrossOriginRedirect: false,
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const ABSOLUTE = /^https?:\/\//i;
/** TRACE and its like say back what they were sent. */
const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
/** What a front, or a proxy of n8n's host, may go by in place of the address: Host, :authority, Forwarded, X-Forwarded-Host, X-Original-Host and the like. */
const NAMES_A_HOST = /host|authority|forwarded/i;
/** What an author may add to the connection: a certificate of the caller. Anything else could lead it elsewhere. */
const CLIENT_CERTIFICATE = new Set(['cert', 'key', 'passphrase']);

function refuse(remedy: string): never {
	throw new Error(
		`The secret key is sent only to the host of the Base URL in the credential. ${remedy}`,
	);
}

/** Own properties, whatever it is. */
const entriesOf = (value: unknown): Array<[string, unknown]> =>
	Object.entries(Object(value) as Record<string, unknown>);

/** Where an address leads, in every reading of it: with n8n's URL, its HTTP client's joining, and a proxy that puts the path behind a host. */
function refuseOtherHosts({ url, uri, baseURL }: Destination, { origin }: URL): void {
	const given = [url, uri].filter((address) => address !== undefined && address !== '').map(String);
	if (given.length === 0) refuse('The request has no address.');
	const hasBase = baseURL !== undefined;
	for (const address of hasBase ? [String(baseURL), ...given] : given) {
		const isAbsolute = ABSOLUTE.test(address);
		if (!isAbsolute && !(hasBase && /^\/(?![/\\])/.test(address)))
			refuse('Let the address of the request begin with http:// or https://.');
		const target = URL.canParse(address, isAbsolute ? undefined : origin)
			? new URL(address, origin)
			: undefined;
		if (target?.origin !== origin || target.username || target.password)
			refuse('Ask that host for what it offers, or use another credential.');
		if (target.pathname.startsWith('//'))
			refuse(
				'Let the path of the address begin with one slash: a proxy takes what follows two for a host.',
			);
	}
}

/** An author who may use the credential, and not read it, could have the key go through his own hands. */
function refuseOtherWays({
	method,
	headers,
	proxy,
	rejectUnauthorized,
	skipSslCertificateValidation,
	agentOptions,
}: Destination): void {
	if (proxy !== undefined && proxy !== '')
		refuse('Remove the option "Proxy": the proxy that n8n itself is set up with is used.');
	const isUnchecked =
		(rejectUnauthorized ?? true) !== true || (skipSslCertificateValidation ?? false) !== false;
	if (isUnchecked || entriesOf(agentOptions).some(([name]) => !CLIENT_CERTIFICATE.has(name))) {
		refuse(
			'Turn off "Ignore SSL Issues", and leave out a certificate authority: one of your own is trusted by NODE_EXTRA_CA_CERTS where n8n runs.',
		);
	}
	if (!METHOD.test(String(method ?? 'GET')))
		refuse('Use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.');
	for (const [name, value] of entriesOf(headers)) {
		// n8n's HTTP client takes a group of headers, such as `common`, for headers.
		const isGroup = [value].flat().some((part) => typeof part === 'object' && part !== null);
		if (isGroup || NAMES_A_HOST.test(name))
			refuse(`Remove the header "${name.slice(0, 40)}" from the request.`);
	}
}

/**
 * The request with the secret key. It is given only to a request that certainly goes to the service's own host, by n8n's own way: also when another
 * node borrows the credential, such as HTTP Request. Proxies of n8n's environment are none of the request's, and go on working.
 * @throws Error that says what to change, and holds no secret.
 */
export function withSecretKey(
	credentials: ICredentialDataDecryptedObject,
	requestOptions: IHttpRequestOptions,
): IHttpRequestOptions {
	const request: Destination = requestOptions;
	// n8n checks it in some of its nodes only.
	if (credentials.allowedHttpRequestDomains === 'none' && request.uri !== undefined)
		refuse('Its "Allowed HTTP Request Domains" keep it from other nodes.');
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
