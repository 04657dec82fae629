/** The parts of a template, in the form in which the service lists them. */
import { z } from 'zod';

import type { ReplyButton } from '../client/messages.mts';
import {
	checkDefinition,
	type ListedComponent,
	type ListedTemplate,
	MEDIA_FORMATS,
	PARTS_OF_LIST,
	placeholdersIn,
	requiredText,
} from '../contract.mts';
import { componentTypes } from './componentTypes.mts';

const MAX_HEADER = 60;
const MAX_BODY = 1024;
const MAX_BUTTONS = 10;
const MAX_TEXT = 256;
const MAX_URL = 2000;

const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT'] as const;
const OTHER_BUTTONS = [
	...['VOICE_CALL', 'FLOW', 'CATALOG', 'SPM', 'MPM', 'PAYMENT_REQUEST', 'ORDER_DETAILS'],
] as [string, ...string[]];

const hasOneLine = (text: string): boolean => !/[\r\n]/.test(text);
const hasNoVariables = (text: string): boolean => placeholdersIn(text).length === 0;
const ONE_LINE = 'must be one line';

const headerSchema = z
	.object({
		format: z.enum(HEADER_FORMATS),
		text: requiredText
			.max(MAX_HEADER)
			.refine(hasOneLine, ONE_LINE)
			.refine((text) => placeholdersIn(text).length <= 1, 'takes at most one variable')
			.optional(),
	})
	.refine(
		({ format, text }) => (format === 'TEXT') === (text !== undefined),
		'a header has a text if its format is TEXT, and none otherwise',
	);

/** Without a text only as part of an access code. */
const bodySchema = z
	.object({
		text: requiredText.max(MAX_BODY).optional(),
		add_security_recommendation: z.boolean().optional(),
	})
	.refine(
		({ text, add_security_recommendation: isCode }) => text !== undefined || isCode !== undefined,
		'a body needs a text, or add_security_recommendation for an access code',
	);

const footerSchema = z
	.object({
		text: requiredText
			.max(MAX_HEADER)
			.refine(hasOneLine, ONE_LINE)
			.refine(hasNoVariables, 'takes no variables')
			.optional(),
		code_expiration_minutes: z.number().int().min(1).max(90).optional(),
	})
	.refine(
		({ text, code_expiration_minutes: minutes }) =>
			(text === undefined) !== (minutes === undefined),
		'a footer needs a text, or code_expiration_minutes for an access code',
	);

const text = requiredText.max(MAX_TEXT);
const buttonSchema = z.discriminatedUnion('type', [
	/** `id` is the sandbox's own: what a tap gives back if the send has no payload. */
	z.object({ type: z.literal('QUICK_REPLY'), text, id: text.optional() }).passthrough(),
	z
		.object({
			type: z.literal('URL'),
			text,
			url: requiredText
				.max(MAX_URL)
				.regex(
					/^https?:\/\/[^{}\s]+(?:\{\{\w{1,64}\}\})?$/,
					'must be an http or https URL with at most one variable, at its end',
				),
		})
		.passthrough(),
	z.object({ type: z.literal('PHONE_NUMBER'), text, phone_number: text }).passthrough(),
	z
		.object({ type: z.literal('COPY_CODE'), example: z.union([text, z.array(text).length(1)]) })
		.passthrough(),
	z.object({ type: z.literal('OTP'), otp_type: text, text: text.optional() }).passthrough(),
	...OTHER_BUTTONS.map((type) =>
		z.object({ type: z.literal(type), text: text.optional() }).passthrough(),
	),
]);

const PARTS: Record<string, z.ZodTypeAny> = {
	HEADER: headerSchema,
	BODY: bodySchema,
	FOOTER: footerSchema,
	BUTTONS: z.object({ buttons: z.array(buttonSchema).min(1).max(MAX_BUTTONS) }),
};
/** These are stored and listed as they are. */
const OTHER_PARTS = ['CAROUSEL', 'LIMITED_TIME_OFFER', 'CALL_PERMISSION_REQUEST'];

const componentSchema = z
	.object({
		type: z.enum([...Object.keys(PARTS), ...OTHER_PARTS] as [string, ...string[]]),
	})
	.passthrough()
	.superRefine((component, issues) => {
		for (const issue of componentTypes.safeParse(component).error?.issues ?? [])
			issues.addIssue(issue);
		for (const issue of PARTS[component.type]?.safeParse(component).error?.issues ?? [])
			issues.addIssue(issue);
	});

/** The components of a template to create. */
export const componentsSchema = z
	.array(componentSchema)
	.min(1)
	.refine((parts) => parts.some(({ type }) => type === 'BODY'), 'must hold the BODY')
	.refine(
		(parts) => new Set(parts.map(({ type }) => type)).size === parts.length,
		'must hold each type once',
	)
	.superRefine((parts, issues) => {
		const problem = variableProblem(parts);
		if (problem !== undefined) issues.addIssue({ code: 'custom', message: problem });
	})
	.transform((parts): ListedComponent[] => parts);

const handleSchema = z.object({ header_handle: z.array(z.string()).min(1) });

/** The handle of the file in a header's example. */
export const handleIn = (header: ListedComponent | undefined): string | undefined =>
	handleSchema.safeParse(header?.example).data?.header_handle[0];

/**
 * Why the chat application refuses submitted components. Undefined: it does not. The rules are the
 * nodes' own, which are published.
 *
 * @param isUploaded whether there is a file with this handle
 */
export function submissionProblem(
	components: readonly ListedComponent[],
	category: string,
	isUploaded: (handle: string) => boolean,
): string | undefined {
	const parsed = componentsSchema.safeParse(components);
	if (!parsed.success) {
		const { path, message } = parsed.error.issues[0]!;
		return `${['components', ...path].join('.')}: ${message}`;
	}
	const hasText = parsed.data.some(({ type, text }) => type === 'BODY' && text);
	if (hasText === (category === 'AUTHENTICATION'))
		return hasText
			? 'components: the BODY takes no text in the category AUTHENTICATION'
			: 'components: the BODY needs a text, except in the category AUTHENTICATION';
	try {
		checkDefinition(components, category, PARTS_OF_LIST);
	} catch (error) {
		return (error as Error).message;
	}
	const header = partOf({ components: parsed.data }, 'HEADER');
	return mediaFormatOf(header) === undefined || isUploaded(handleIn(header) ?? '')
		? undefined
		: 'the header needs an example: upload a file, and give its handle in example.header_handle';
}

/** Numbers start at 1 in the header and in the body, without gaps. Names and numbers do not mix. */
function variableProblem(components: readonly ListedComponent[]): string | undefined {
	const byPart = components
		.filter(({ type }) => type === 'HEADER' || type === 'BODY')
		.map((component) => placeholdersIn(component.text ?? ''));
	const numbered = byPart.flat().filter(isNumber);
	if (numbered.length > 0 && numbered.length < byPart.flat().length)
		return 'variables must be all numbered or all named';
	const hasGaps = byPart.some((names) =>
		names.some((name, index) => isNumber(name) && Number(name) !== index + 1),
	);
	return hasGaps ? 'numbered variables must be {{1}}, {{2}} and so on, without gaps' : undefined;
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** The components of a template that is given as a body and quick replies. */
export const simpleComponents = (
	body: string,
	buttons: readonly ReplyButton[],
): ListedComponent[] => [
	{ type: 'BODY', text: body },
	...(buttons.length === 0
		? []
		: [
				{
					type: 'BUTTONS',
					buttons: buttons.map(({ id, title }) => ({ type: 'QUICK_REPLY', text: title, id })),
				},
			]),
];

type Parts = Pick<ListedTemplate, 'components'>;
export type ListedButton = NonNullable<ListedComponent['buttons']>[number];

/** `NAMED` if a variable of the header or body has a name. */
export const parameterFormatOf = ({ components }: Parts): 'NAMED' | 'POSITIONAL' =>
	(components ?? []).flatMap(({ text }) => placeholdersIn(text ?? '')).every(isNumber)
		? 'POSITIONAL'
		: 'NAMED';

export const partOf = ({ components }: Parts, type: string): ListedComponent | undefined =>
	(components ?? []).find((component) => component.type === type);

export const buttonsOf = (template: Parts): ListedButton[] =>
	partOf(template, 'BUTTONS')?.buttons ?? [];

/** The format of a header that shows a file; undefined for others. */
export const mediaFormatOf = (
	header: ListedComponent | undefined,
): (typeof MEDIA_FORMATS)[number] | undefined =>
	MEDIA_FORMATS.find((format) => header?.format === format.toUpperCase());

const SECURITY_ADVICE = ' For your security, do not share this code.';

/** The text of the body. That of an access code is the chat application's; the wording is ours. */
export function bodyTextOf(template: Parts): string {
	const body = partOf(template, 'BODY');
	if (body?.text) return body.text;
	return `*{{1}}* is your verification code.${body?.add_security_recommendation === true ? SECURITY_ADVICE : ''}`;
}

export function footerTextOf(template: Parts): string | undefined {
	const footer = partOf(template, 'FOOTER');
	const minutes = footer?.code_expiration_minutes;
	if (typeof minutes === 'number') return `This code expires in ${minutes} minutes.`;
	return footer?.text ?? undefined;
}

/** What a tap on a quick reply gives back, without a payload. */
export const replyIdOf = ({ id, text: title }: ListedButton): string =>
	typeof id === 'string' ? id : (title ?? '');
