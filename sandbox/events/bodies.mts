import { derivedId } from '../core/ids.mts';
import type { Origin } from '../core/origin.mts';
import { MESSAGE_EVENT_TYPES, MESSAGE_STATES } from '../contract.mts';
import type { Channel } from '../store/channels.mts';
import type { Message } from '../store/messages.mts';
import type { Tenant } from '../store/tenants.mts';
import { failureOf, UNKNOWN_FAILURE } from './failure.mts';
import { partsOf } from './contents.mts';

/** The states of a message as events show them, oldest first. Source of the form: published. */
function stateItems(message: Message) {
	return MESSAGE_STATES.filter((state) => message.reached[state] !== undefined).map((state) => ({
		'@class': '.StateItem',
		identifier: derivedId(message.id, state),
		integration_message_ids: [],
		moment: message.reached[state],
		state: {
			'@class': `.${state[0]}${state.slice(1).toLowerCase()}`,
			name: state,
			...(state === 'FAILED' ? (failureOf(message) ?? UNKNOWN_FAILURE) : {}),
		},
	}));
}

/** The sender and the recipient of a message. */
export interface MessageParties {
	tenant: Tenant;
	channel: Channel;
	/** The customer's name as last seen, or the number. */
	customerName: string;
	/** The address of the sandbox's files for receivers. */
	origin: Origin;
}

/** The sender of messages from the API. Source: published examples. */
const SYSTEM = { identifier: 'SYSTEM', name: 'System' };

/**
 * Body of a message event. `kind`: a new message, or a changed state. Source of the form:
 * published.
 */
export function messageBody(
	message: Message,
	{ tenant, channel, customerName, origin }: MessageParties,
	kind: keyof typeof MESSAGE_EVENT_TYPES,
): string {
	const { fromApi, createdAt: moment } = message;
	const fromMe = message.direction === 'out';
	const phone = { identifier: channel.businessNumber, name: channel.name };
	const business = fromApi ? SYSTEM : phone;
	const customer = { identifier: message.customer, name: customerName };
	const [from, to] = fromMe ? [business, customer] : [customer, phone];
	const { contents, attachments } = partsOf(message, stateItems(message), origin);
	return JSON.stringify({
		message: {
			_id: message.id,
			tenant: tenant.id,
			tenant_owner: tenant.owner,
			channel_id: channel.id,
			created_by: from.identifier,
			created: moment,
			metadata: {
				'@class': '.Metadata',
				forwarded: message.forwarded,
				from_api: fromApi,
				from_me: fromMe,
				middleware: channel.type,
				moment,
			},
			sender: { '@class': '.Sender', ...from },
			recipient: { '@class': '.Recipient', ...to },
			contents,
			attachments,
			actions: [],
			webhook_processed: false,
		},
		messageEventType: MESSAGE_EVENT_TYPES[kind],
	});
}

/** Body of CONNECTED and DISCONNECTED. Nothing is published: assumed. */
export function connectionBody(
	event: 'CONNECTED' | 'DISCONNECTED',
	channel: Channel,
	tenant: Tenant,
	moment: number,
): string {
	const { id, name, type, businessNumber } = channel;
	return JSON.stringify({
		channel_id: id,
		tenant: tenant.id,
		name,
		type,
		connection_event: event,
		business_number: businessNumber,
		moment,
	});
}
