import type { Topic } from '../core/bus.mts';
import type { State } from '../http/control/administration.mts';
import type { ConversationView, MessageWithReceipts } from '../http/control/chats.mts';
import type { AttemptView, DeliveryView } from '../http/control/deliveries.mts';
import type { TemplateView } from '../http/control/templates.mts';
import type { DeliveryState } from '../store/deliveries.mts';

export interface Notice {
	type: Topic | 'missed';
	data: unknown;
}

/** Calls the sandbox's control API. Throws an Error with a message for people. */
export async function control(
	path: string,
	body?: unknown,
	method: string = body === undefined ? 'GET' : 'POST',
) {
	return request(`/_sandbox${path}`, body, method);
}

/** Calls the service itself with a key, as a backend would. */
export async function callWithKey(path: string, key: string, body: unknown) {
	return request(path, body, 'POST', { authorization: `Bearer ${key}` });
}

export const readState = async () => (await control('/state')) as State;

export async function readConversations(channelId: string) {
	const read = await control(`/conversations?channelId=${channelId}`);
	return (read as { conversations: ConversationView[] }).conversations;
}

export async function readMessages(conversation: { channelId: string; customer: string }) {
	const query = new URLSearchParams({ ...conversation, limit: '200', deliveries: 'true' });
	const read = await control(`/messages?${query}`);
	return (read as { messages: MessageWithReceipts[] }).messages;
}

/** A chat as a rehearsal script in YAML. */
export const readScript = (channel: string, customer: string) =>
	exchange(`/_sandbox/rehearsal?${new URLSearchParams({ channel, customer })}`);

export async function readDeliveries(filter: Record<string, string>) {
	const read = await control(`/deliveries?${new URLSearchParams(filter)}`);
	return read as { counts: Record<DeliveryState, number>; deliveries: DeliveryView[] };
}

export const readDelivery = async (id: number) =>
	(await control(`/deliveries/${id}`)) as DeliveryView & { attemptList: AttemptView[] };

export const parse = (json: string): unknown => JSON.parse(json);

export async function readTemplates(tenantId: string) {
	const read = await control(`/message-templates?tenant=${tenantId}`);
	return (read as { templates: TemplateView[] }).templates;
}

/** Stores a file for a channel's messages and returns its address. */
export async function upload(channelId: string, file: File) {
	const kept = await control(`/media?channelId=${channelId}`, file, 'POST');
	return (kept as { url: string }).url;
}

/** Uploads the example of a template's header and returns its handle. */
export async function uploadExample(tenant: string, file: File) {
	const query = new URLSearchParams({ name: file.name, ...(tenant && { tenant }) });
	const kept = await control(`/template-media?${query}`, file, 'POST');
	return (kept as { h: string }).h;
}

function carried(body: unknown): RequestInit {
	if (body === undefined) return {};
	if (body instanceof Blob) return { body, headers: { 'content-type': body.type } };
	return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/**
 * @param body a file unchanged, anything else as JSON
 * @returns undefined if the response is empty
 */
async function request(
	path: string,
	body: unknown,
	method: string,
	headers: Record<string, string> = {},
): Promise<unknown> {
	const init = carried(body);
	const text = await exchange(path, {
		...init,
		method,
		headers: { ...headers, ...(init.headers as Record<string, string>) },
	});
	return text === '' ? undefined : parse(text);
}

/** The text of a response. Throws an Error with a message for people. */
async function exchange(path: string, init?: RequestInit) {
	const response = await fetch(path, init).catch(() => {
		throw new Error('The sandbox does not respond. Is it still running?');
	});
	const text = await response.text();
	if (response.ok) return text;
	const given = (text && parse(text)) as { message?: string; error?: string };
	throw new Error(given.message ?? given.error ?? `The sandbox responded with ${response.status}`);
}

const TYPES: Notice['type'][] = [
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

/** Reports all events, and when the connection starts and ends. */
export function watch(onNotice: (notice: Notice) => void, onLive: (isLive: boolean) => void) {
	const events = new EventSource('/_sandbox/events');
	for (const type of TYPES)
		events.addEventListener(type, ({ data }) => onNotice({ type, data: parse(String(data)) }));
	events.addEventListener('ready', () => onLive(true));
	events.addEventListener('error', () => onLive(false));
}

/** Whether one of the notices is of one of the types. */
export const has = (notices: Notice[], ...types: Notice['type'][]) =>
	notices.some(({ type }) => types.includes(type));

/** A view that is drawn anew at notices of these types. */
export const drawnAt = (draw: () => unknown, ...types: Notice['type'][]) => ({
	update: (notices: Notice[]) => void (has(notices, ...types) && draw()),
});
