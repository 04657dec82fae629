import { parse } from './api.js';
import { h, shortTime } from './dom.js';
import { definitionOf } from './faultKinds.js';

/**
 * @import { AttemptView, DeliveryView } from '../http/control/deliveries.mts'
 * @import { DeliveryState } from '../store/deliveries.mts'
 * @import { DeliveryDetail } from './api.js'
 */

/** @param {DeliveryState} state */
export const tone = (state) =>
	state === 'DELIVERED' ? 'good' : state === 'PENDING' ? 'wait' : 'bad';

/** @typedef {{ type?: string, message?: string }} Part of a message event */
/**
 * @typedef {{ name?: string, message?: {
 *   sender: { name: string | null, identifier: string }, contents: Part[], attachments: Part[]
 * } }} ChannelBody
 */
/** @typedef {{ value: { message_template_name: string } }} TemplateBody */

/**
 * One line about a delivery.
 * @param {DeliveryView} delivery
 */
export function subject({ body }) {
	const event = /** @type {ChannelBody | TemplateBody[]} */ (parse(body));
	if (Array.isArray(event)) return h('bdi', event[0]?.value.message_template_name);
	if (!event.message) return h('bdi', event.name);
	const { sender, contents, attachments } = event.message;
	const said = contents[0]?.message ?? contents[0]?.type ?? attachments[0]?.type;
	return [h('bdi', sender.name ?? sender.identifier), ': ', h('bdi', said)];
}

/**
 * The state of a delivery and what comes next: `refused 401, next try 12:31`.
 * @param {DeliveryView} delivery
 * @param {number} now
 */
export function outcome({ state, attempts, nextAt, lastAttempt }, now) {
	const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
	const { error = null, status = null } = lastAttempt ?? {};
	if (error === null) return h('span', `${state.toLowerCase()}, ${tries}`);
	// A response that a fault dropped has a good status.
	const what = status !== null && status >= 300 ? `refused ${status}` : 'failed';
	const next = nextAt
		? `next try ${shortTime(nextAt, now)}`
		: `${state.toLowerCase()} after ${tries}`;
	return h('span.bad', { title: error }, `${what}, ${next}`);
}

/**
 * The exact requests and responses.
 * @param {DeliveryDetail} delivery
 */
export function inspector({ event, state, attempts, nextAt, idempotencyKey, body, attemptList }) {
	const next = nextAt && attempts > 0 ? `, next attempt ${new Date(nextAt).toLocaleString()}` : '';
	const json = JSON.stringify(parse(body), null, 2);
	return [
		h(
			'header',
			h('h3', event),
			h('span', { class: `tag ${tone(state)}` }, state),
			h('button.primary.resend', { type: 'button' }, 'Send again'),
		),
		h('p.muted', `Idempotency key ${idempotencyKey}${next}`),
		h('h4', 'Body'),
		h('pre', { tabIndex: 0, 'aria-label': 'Body' }, json),
		attemptList.length === 0 && h('p.empty', 'Not tried yet.'),
		...attemptList.toReversed().map(attemptMade),
	];
}

/** @param {AttemptView} attempt */
function attemptMade(attempt) {
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
			h('span', { class: `tag ${error ? 'bad' : 'good'}` }, error ?? `responded ${status}`),
			attempt.faults.map((kind) => h('span.tag.wait', `fault: ${faultName(kind)}`)),
		),
		h('p.muted', `${new Date(attempt.at).toLocaleString()}, ${attempt.duration} ms, ${bytes}`),
		block('Request', [`POST ${attempt.url}`, ...lines(requestHeaders)].join('\n')),
		signedText !== null && block('Signed text', signedText),
		block('Bytes as sent (base64)', requestBodyBase64),
		status !== null && block('Response', response.join('\n')),
	);
}

/** @param {string} kind */
const faultName = (kind) => definitionOf('webhook', kind)?.label ?? kind;

/** @param {Record<string, string>} headers */
const lines = (headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/**
 * @param {string} title
 * @param {string} text
 */
const block = (title, text) =>
	h(
		'details',
		{ open: title === 'Request' },
		h('summary', title),
		h('pre', { tabIndex: 0, 'aria-label': title }, text),
	);
