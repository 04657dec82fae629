/** The types of a template's fields, wherever they are. Source: published. */
import { z } from 'zod';

const text = z.string().optional();
const list = z.array(z.string()).optional();
const named = z.array(z.object({ param_name: z.string(), example: z.string() })).optional();
const flag = z.boolean().optional();

/** Of any button. */
const BUTTON_FIELDS = {
	...{ text, url: text, phone_number: text, otp_type: text, zero_tap_terms_accepted: flag },
	...{ flow_id: text, flow_name: text, flow_json: text, flow_action: text, navigate_screen: text },
	supported_apps: z
		.array(z.object({ package_name: z.string(), signature_hash: z.string() }))
		.optional(),
};

/** Of any component, and of those in its cards. */
export const componentTypes: z.ZodType<object> = z.lazy(() =>
	z.object({
		...{ type: z.string(), format: text, text, add_security_recommendation: flag },
		code_expiration_minutes: z.number().int().optional(),
		example: z
			.object({
				...{ body_text: z.array(z.array(z.string())).optional(), header_text: list },
				...{ body_text_named_params: named, header_text_named_params: named },
				header_handle: list,
			})
			.optional(),
		buttons: z.array(z.object({ type: z.string(), ...BUTTON_FIELDS })).optional(),
		cards: z.array(z.object({ components: z.array(componentTypes) })).optional(),
		limited_time_offer: z.object({ text, has_expiration: flag }).optional(),
	}),
);
