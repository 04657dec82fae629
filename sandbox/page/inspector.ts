import type { AttemptView, DeliveryView } from '../http/control/deliveries.mts';
import type { DeliveryState } from '../store/deliveries.mts';

import { parse } from './api.js';
import { exactTime, h, shortTime } from './dom.js';
import { definitionOf } from './faultKinds.js';
import type { App } from './state.js';

export const tone = (state: DeliveryState) =>
	state === 'DELIVERED' ? 'good' : state === 'PENDING' ? 'wait' : 'bad';

/** Of a message event. */
interface Part {
	type?: string;
	message?: string;
}
interface ChannelBody {
	name?: string;
	message?: {
		sender: { name: string | null; identifier: string };
		contents: Part[];
		attachments: Part[];
	};
}
interface TemplateBody {
	value: { message_template_name: string };
}

/** One line about a delivery. */
export function subject({ body }: DeliveryView) {
	const event = parse(body) as ChannelBody | TemplateBody[];
	if (Array.isArray(event)) return h('bdi', event[0]?.value.message_template_name);
	if (!event.message) return h('bdi', event.name);
	const { sender, contents, attachments } = event.message;
	const said = contents[0]?.message ?? contents[0]?.type ?? attachments[0]?.type;
	return [h('bdi', sender.name ?? sender.identifier), ': ', h('bdi', said)];
}

const tries = (count: number) => `${count} ${count === 1 ? 'attempt' : 'attempts'}`;

/** The state of a delivery and what comes next: `refused 401, next try 12:31`. */
export function outcome({ state, attempts, nextAt, lastAttempt }: DeliveryView, now: number) {
	const { error = null, status = null } = lastAttempt ?? {};
	if (error === null) return h('span', `${state.toLowerCase()}, ${tries(attempts)}`);
	// A response that a fault dropped has a good status.
	const what = status !== null && status >= 300 ? `refused ${status}` : 'failed';
	const next = nextAt
		? `next try ${shortTime(nextAt, now)}`
		: `${state.toLowerCase()} after ${tries(attempts)}`;
	return h('span.bad', { title: error }, `${what}, ${next}`);
}

/** The state of a delivery, which is announced: `PENDING after 1 attempt, next at 12:31:04`. */
export const progress = ({ state, attempts, nextAt }: DeliveryView, now: number) => [
	h(`span.tag.${tone(state)}`, state),
	attempts === 0 ? ', not tried yet' : ` after ${tries(attempts)}`,
	nextAt && attempts > 0 && `, next at ${exactTime(nextAt, now)}`,
];

/** To whom a delivery goes, and what. */
export const contents = ({ webhookId, idempotencyKey, body }: DeliveryView, app: App) => [
	h('p.muted', 'To ', h('bdi', app.receiver(webhookId)), `, idempotency key ${idempotencyKey}`),
	h('h4', 'Body'),
	box('Body', JSON.stringify(parse(body), null, 2)),
];

/** A text that scrolls. */
const box = (title: string, text: string) =>
	h('pre', { tabIndex: 0, role: 'group', 'aria-label': title }, text);

/** The exact request and response of an attempt. */
export function attemptMade(attempt: AttemptView) {
	const { status, error, requestHeaders, requestBodyBase64, signedText } = attempt;
	const encoding = requestHeaders['content-encoding'];
	const bytes = `${atob(requestBodyBase64).length} bytes${encoding ? ` ${encoding}` : ''}`;
	const response = [
		String(status),
		...lines(attempt.responseHeaders ?? {}),
		'',
		attempt.responseBody ?? '',
	];
	return h(
		'article.attempt',
		h(
			'h4',
			`Attempt ${attempt.number} `,
			h(`span.tag.${error ? 'bad' : 'good'}`, error ?? `responded ${status}`),
			attempt.faults.map((kind) => h('span.tag.wait', `fault: ${faultName(kind)}`)),
		),
		h('p.muted', `${new Date(attempt.at).toLocaleString()}, ${attempt.duration} ms, ${bytes}`),
		block('Request', [`POST ${attempt.url}`, ...lines(requestHeaders)].join('\n')),
		signedText !== null && block('Signed text', signedText),
		block('Bytes as sent (base64)', requestBodyBase64),
		status !== null && block('Response', response.join('\n')),
	);
}

const faultName = (kind: string) => definitionOf('webhook', kind)?.label ?? kind;

const lines = (headers: Record<string, string>) =>
	Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

const block = (title: string, text: string) =>
	h('details', { open: title === 'Request' }, h('summary', title), box(title, text));
