/** Calls the sandbox's control API. Throws an Error whose message is for people. */
export async function control(path, body, method) {
	return request(`/_sandbox${path}`, body, method ?? (body === undefined ? 'GET' : 'POST'));
}

/** Calls the service itself, as a backend would. */
export async function service(path, secretKey, body) {
	return request(path, body, body === undefined ? 'GET' : 'POST', { authorization: `Bearer ${secretKey}` });
}

async function request(path, body, method, headers = {}) {
	const init = { method, headers };
	if (body !== undefined) {
		init.headers = { ...headers, 'content-type': 'application/json' };
		init.body = JSON.stringify(body);
	}
	let response;
	try {
		response = await fetch(path, init);
	} catch {
		throw new Error('The sandbox does not answer. Is it still running?');
	}
	const text = await response.text();
	const answer = text === '' ? undefined : JSON.parse(text);
	if (!response.ok) throw new Error(answer?.message ?? answer?.error ?? `The sandbox answered ${response.status}`);
	return answer;
}

const TYPES = ['message', 'status', 'channel', 'webhook', 'delivery', 'request', 'clock', 'fault', 'settings', 'tenant', 'reset', 'missed'];

/** Calls `onNotice(type, data)` for all that happens, and `onLive(isLive)` when the connection comes and goes. */
export function watch(onNotice, onLive) {
	const events = new EventSource('/_sandbox/events');
	for (const type of TYPES) events.addEventListener(type, ({ data }) => onNotice(type, JSON.parse(data)));
	events.addEventListener('ready', () => onLive(true));
	events.addEventListener('error', () => onLive(false));
}
