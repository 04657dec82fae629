/**
 * @import { State } from '../http/control/administration.mts'
 * @import { ConversationView, MessageWithReceipts } from '../http/control/chats.mts'
 * @import { AttemptView, DeliveryView } from '../http/control/deliveries.mts'
 * @import { Topic } from '../core/bus.mts'
 * @import { TemplateView } from '../http/control/templates.mts'
 * @import { DeliveryState } from '../store/deliveries.mts'
 */
/** @typedef {{ type: Topic | 'missed', data: unknown }} Notice */
/** @typedef {DeliveryView & { attemptList: AttemptView[] }} DeliveryDetail */

/**
 * Calls the sandbox's control API. Throws an Error with a message for people.
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [method]
 */
export async function control(path, body, method = body === undefined ? 'GET' : 'POST') {
	return request(`/_sandbox${path}`, body, method);
}

/**
 * Calls the service itself with a key, as a backend would.
 * @param {string} path
 * @param {string} key
 * @param {unknown} body
 */
export async function callWithKey(path, key, body) {
	return request(path, body, 'POST', { authorization: `Bearer ${key}` });
}

export const readState = async () => /** @type {State} */ (await control('/state'));

/** @param {string} channelId */
export async function readConversations(channelId) {
	const read = await control(`/conversations?channelId=${channelId}`);
	return /** @type {{ conversations: ConversationView[] }} */ (read).conversations;
}

/** @param {{ channelId: string, customer: string }} conversation */
export async function readMessages(conversation) {
	const query = new URLSearchParams({ ...conversation, limit: '200', deliveries: 'true' });
	const read = await control(`/messages?${query}`);
	return /** @type {{ messages: MessageWithReceipts[] }} */ (read).messages;
}

/**
 * A chat as a rehearsal script in YAML.
 * @param {{ channelId: string, customer: string }} conversation
 */
export const readScript = ({ channelId: channel, customer }) =>
	exchange(`/_sandbox/rehearsal?${new URLSearchParams({ channel, customer })}`);

/** @param {Record<string, string>} filter */
export async function readDeliveries(filter) {
	const read = await control(`/deliveries?${new URLSearchParams(filter)}`);
	return /** @type {{ counts: Record<DeliveryState, number>, deliveries: DeliveryView[] }} */ (
		read
	);
}

/** @param {number} id */
export const readDelivery = async (id) =>
	/** @type {DeliveryDetail} */ (await control(`/deliveries/${id}`));

/**
 * @param {string} json
 * @returns {unknown}
 */
export const parse = (json) => JSON.parse(json);

/** @param {string} tenantId */
export async function readTemplates(tenantId) {
	const read = await control(`/message-templates?tenant=${tenantId}`);
	return /** @type {{ templates: TemplateView[] }} */ (read).templates;
}

/**
 * Stores a file for a channel's messages and returns its address.
 * @param {string} channelId
 * @param {File} file
 */
export async function upload(channelId, file) {
	const kept = await control(`/media?channelId=${channelId}`, file, 'POST');
	return /** @type {{ url: string }} */ (kept).url;
}

/**
 * Uploads the example of a template's header and returns its handle.
 * @param {string} tenant
 * @param {File} file
 */
export async function uploadExample(tenant, file) {
	const query = new URLSearchParams({ name: file.name, ...(tenant && { tenant }) });
	const kept = await control(`/template-media?${query}`, file, 'POST');
	return /** @type {{ h: string }} */ (kept).h;
}

/**
 * @param {unknown} body
 * @returns {RequestInit}
 */
function carried(body) {
	if (body === undefined) return {};
	if (body instanceof Blob) return { body, headers: { 'content-type': body.type } };
	return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/**
 * @param {string} path
 * @param {unknown} body a file unchanged, anything else as JSON
 * @param {string} method
 * @param {Record<string, string>} [headers]
 * @returns {Promise<unknown>} undefined if the response is empty
 */
async function request(path, body, method, headers = {}) {
	const init = carried(body);
	const text = await exchange(path, {
		...init,
		method,
		headers: { ...headers, .../** @type {Record<string, string>} */ (init.headers) },
	});
	return text === '' ? undefined : parse(text);
}

/**
 * The text of a response. Throws an Error with a message for people.
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function exchange(path, init) {
	const response = await fetch(path, init).catch(() => {
		throw new Error('The sandbox does not respond. Is it still running?');
	});
	const text = await response.text();
	if (response.ok) return text;
	const given = /** @type {{ message?: string, error?: string }} */ (text && parse(text));
	throw new Error(given.message ?? given.error ?? `The sandbox responded with ${response.status}`);
}

/** @type {Notice['type'][]} */
const TYPES = [
	'message',
	'status',
	'channel',
	'webhook',
	'delivery',
	'request',
	'clock',
	'fault',
	'settings',
	'tenant',
	'template',
	'reset',
	'missed',
];

/**
 * Reports all events, and when the connection starts and ends.
 * @param {(notice: Notice) => void} onNotice
 * @param {(isLive: boolean) => void} onLive
 */
export function watch(onNotice, onLive) {
	const events = new EventSource('/_sandbox/events');
	for (const type of TYPES)
		events.addEventListener(type, ({ data }) => onNotice({ type, data: parse(String(data)) }));
	events.addEventListener('ready', () => onLive(true));
	events.addEventListener('error', () => onLive(false));
}

/**
 * Whether one of the notices is of one of the types.
 * @param {Notice[]} notices
 * @param {Notice['type'][]} types
 */
export const has = (notices, ...types) => notices.some(({ type }) => types.includes(type));
