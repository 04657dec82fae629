/**
 * A template to create or change, in the form that the service publishes. It is not strict: further
 * fields are unpublished, not forbidden.
 */
import { z } from 'zod';

import {
	type ListedComponent,
	PARAMETER_FORMATS,
	requiredText,
	TEMPLATE_CATEGORIES,
	TEMPLATE_LIMITS,
} from '../contract.mts';

const text = z.string();
/** Of an uploaded file. */
export const mimeTypeSchema = text.regex(/^[\w.+-]+\/[\w.+-]+$/);
const phone = text.regex(/^\+[1-9]\d{7,14}$/, 'must be + and a number with country code');
const minutes = z.number().int().min(1).max(90);

const named = z.array(z.object({ param_name: text, example: text }));
const exampleSchema = z
	.object({
		body_text: z.array(z.array(text)),
		body_text_named_params: named,
		header_text: z.array(text).max(1),
		header_text_named_params: named.max(1),
		/** A file's handle, or a public link. */
		header_handle: z.array(text).max(1),
	})
	.partial()
	.passthrough();

const buttonSchema = z
	.object({
		text: text.max(TEMPLATE_LIMITS.button),
		url: text.max(TEMPLATE_LIMITS.url).regex(/^https?:\/\//, 'must be an http or https URL'),
		phone_number: phone.max(20),
		example: z.unknown(),
		otp_type: z.enum(['COPY_CODE', 'ONE_TAP', 'ZERO_TAP']),
		supported_apps: z.array(z.object({ package_name: text, signature_hash: text })).max(5),
		zero_tap_terms_accepted: z.boolean(),
		flow_id: text,
		flow_name: text,
		flow_json: text,
		flow_action: z.enum(['navigate', 'data_exchange']),
		navigate_screen: text,
	})
	.partial()
	.extend({
		type: z.enum([
			...(['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW', 'CATALOG'] as const),
			...(['MPM', 'SPM', 'PAYMENT_REQUEST', 'ORDER_DETAILS', 'VOICE_CALL'] as const),
		]),
	})
	.passthrough();

const COMPONENT = {
	type: z.enum([
		...(['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER'] as const),
		'CALL_PERMISSION_REQUEST',
	]),
	format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT']).optional(),
	text: text.max(TEMPLATE_LIMITS.body).optional(),
	example: exampleSchema.optional(),
	add_security_recommendation: z.boolean().optional(),
	code_expiration_minutes: minutes.optional(),
	buttons: z.array(buttonSchema).max(TEMPLATE_LIMITS.buttons).optional(),
	limited_time_offer: z
		.object({ text: text.max(16), has_expiration: z.boolean() })
		.partial()
		.optional(),
};
/** A card has no cards. */
const cardSchema = z.object({ components: z.array(z.object(COMPONENT).passthrough()) });

export const componentSchema = z
	.object({ ...COMPONENT, cards: z.array(cardSchema).min(2).max(10).optional() })
	.passthrough()
	// The list of the contract is looser.
	.transform((component): ListedComponent => component);

/** Source: published. */
export const templateSchema = z
	.object({
		parameter_format: z.enum(PARAMETER_FORMATS),
		message_send_ttl_seconds: z.number().int(),
		allow_category_change: z.boolean(),
		library_template_name: text,
		library_template_body_inputs: z.array(
			z
				.object({
					add_contact_number: z.boolean(),
					add_learn_more_link: z.boolean(),
					add_security_recommendation: z.boolean(),
					add_track_package_link: z.boolean(),
					code_expiration_minutes: minutes,
				})
				.partial(),
		),
		library_template_button_inputs: z.array(
			z.object({
				type: z.enum(['URL', 'PHONE_NUMBER', 'VOICE_CALL']),
				url: z.object({ base_url: text, url_suffix_example: text }).partial().optional(),
				phone_number: phone.optional(),
			}),
		),
		components: z.array(componentSchema),
	})
	.partial()
	.extend({
		name: text.max(512).regex(/^[a-z0-9_]+$/),
		category: z.enum(TEMPLATE_CATEGORIES),
		language: requiredText,
	});
export type SubmittedTemplate = z.output<typeof templateSchema>;
