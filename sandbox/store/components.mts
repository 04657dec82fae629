/** The parts of a template, in the form in which the service lists them. */
import { z } from 'zod';

import type { ReplyButton } from '../client/messages.mts';
import {
	type ListedComponent,
	type ListedTemplate,
	MEDIA_FORMATS,
	placeholdersIn,
} from '../contract.mts';

const handleSchema = z.object({ header_handle: z.array(z.string()).min(1) });

/** The handle of the file in a header's example. */
export const handleIn = (header: ListedComponent | undefined): string | undefined =>
	handleSchema.safeParse(header?.example).data?.header_handle[0];

/** The links of the chat application itself, under which it lists the files of headers. */
export const CHATAPP_FILES = 'https://files.chatapp.example/';

/** The components of each card. */
export const cardsOf = ({ cards }: ListedComponent): ListedComponent[][] =>
	((cards ?? []) as Array<{ components: ListedComponent[] }>).map(({ components }) => components);

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
	(components ?? [])
		.flatMap(({ text }) => placeholdersIn(text ?? ''))
		.every((name) => /^\d+$/.test(name))
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
