import { z } from 'zod';

import { derivedId } from '../core/ids.mts';
import { MESSAGE_EVENT_TYPES, MESSAGE_STATES } from '../contract.mts';
import type { Channel } from '../store/channels.mts';
import type { Message } from '../store/messages.mts';
import type { Tenant } from '../store/tenants.mts';
import type { Content } from './content.mts';

/** The states of a message as its events show them, oldest first. Source of the form: published. */
function stateItems(message: Message) {
	return MESSAGE_STATES.filter((state) => message.reached[state] !== undefined).map((state) => ({
		'@class': 'sandbox.MessageStateItem',
		identifier: derivedId(message.id, state),
		moment: message.reached[state],
		state: { name: state },
		integration_message_ids: [],
	}));
}

const ATTACHMENT_TYPES: ReadonlySet<Content['type']> = new Set(['IMAGE', 'AUDIO', 'VIDEO', 'STICKER']);

/** The fields of a content or attachment besides those that all kinds have. */
function contentFields(content: Content): Record<string, unknown> {
	switch (content.type) {
		case 'TEXT':
			return { message: content.text };
		case 'INTERACTIVE_BUTTON':
			return { message: content.text, button_id: content.buttonId ?? null };
		case 'INTERACTIVE_ACTION':
			return { message: content.text, action_id: content.actionId ?? null };
		case 'CONTACT_ARRAY':
			return { message: null, contacts: content.contacts.map(({ name, phone }) => ({ name, phones: [{ number: phone }] })) };
		case 'IMAGE':
			return { url: content.url, caption: content.caption ?? null, thumbnail_url: content.thumbnailUrl ?? content.url };
		case 'VIDEO':
			return { url: content.url, caption: content.caption ?? null };
		default:
			return { url: content.url };
	}
}

/** Whom a message is from and to. */
export interface MessageParties {
	tenant: Tenant;
	channel: Channel;
	/** The customer's name as last seen; null when never seen. */
	customerName: string | null;
}

/** Body of a message event. `kind`: a new message, or a changed state of one. Source of the form: published. */
export function messageBody(
	message: Message,
	{ tenant, channel, customerName }: MessageParties,
	kind: keyof typeof MESSAGE_EVENT_TYPES,
): string {
	const business = { identifier: channel.businessNumber, name: channel.name };
	const customer = { identifier: message.customer, name: customerName };
	const fromMe = message.direction === 'out';
	const isAttachment = ATTACHMENT_TYPES.has(message.content.type);
	const part = {
		'@class': `sandbox.${isAttachment ? 'Attachment' : 'Content'}`,
		identifier: derivedId(message.id, 'content'),
		...contentFields(message.content),
		type: message.content.type,
		state_items: stateItems(message),
	};
	return JSON.stringify({
		message: {
			'@class': 'sandbox.Message',
			_id: message.id,
			tenant: tenant.id,
			tenant_owner: tenant.owner,
			channel_id: channel.id,
			created_by: fromMe ? tenant.owner : message.customer,
			created: message.createdAt,
			metadata: { forwarded: false, from_api: fromMe, from_me: fromMe, middleware: channel.type, moment: message.createdAt },
			sender: fromMe ? business : customer,
			recipient: fromMe ? customer : business,
			contents: isAttachment ? [] : [part],
			attachments: isAttachment ? [part] : [],
			actions: [],
			webhook_processed: false,
		},
		messageEventType: MESSAGE_EVENT_TYPES[kind],
	});
}

/** Body of CONNECTED and DISCONNECTED. Nothing is published: assumed. */
export function connectionBody(event: 'CONNECTED' | 'DISCONNECTED', channel: Channel, tenant: Tenant, moment: number): string {
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

const templateName = z.string().min(1).max(512);

/** What a change of a template can be made of; what is left out gets a plain value. */
export const templateChangeSchema = z.discriminatedUnion('field', [
	z.object({
		field: z.literal('status'),
		status: z.string().min(1).max(64),
		reason: z.string().max(512).nullable().default('NONE'),
		name: templateName.default('order_update'),
		language: z.string().min(2).max(16).default('en_US'),
		category: z.string().max(64).default('UTILITY'),
		templateId: z.string().min(1).max(64).default('1000000000000001'),
	}),
	z.object({
		field: z.literal('category'),
		newCategory: z.string().min(1).max(64),
		previousCategory: z.string().max(64).default('UTILITY'),
		name: templateName.default('order_update'),
		language: z.string().min(2).max(16).default('en_US'),
		templateId: z.string().min(1).max(64).default('1000000000000001'),
	}),
]);
export type TemplateChange = z.infer<typeof templateChangeSchema>;

/** Body of a template event: an array of one. Source of the form: published. */
export function templateBody(change: TemplateChange, identifier: string, wabaId: string, now: number): string {
	const template = {
		message_template_id: change.templateId,
		message_template_name: change.name,
		message_template_language: change.language,
	};
	if (change.field === 'status') {
		const value = { event: change.status, message_template_category: change.category, ...template, reason: change.reason };
		return JSON.stringify([{ field: 'message_template_status_update', identifier, type: 'TEMPLATE_STATUS', value, waba_id: wabaId }]);
	}
	const value = {
		category_update_timestamp: Math.floor(now / 1000),
		correct_category: change.newCategory,
		...template,
		new_category: change.newCategory,
		previous_category: change.previousCategory,
	};
	return JSON.stringify([{ field: 'template_category_update', identifier, type: 'TEMPLATE_CATEGORY_UPDATE', value, waba_id: wabaId }]);
}
