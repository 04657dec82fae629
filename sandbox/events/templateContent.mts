import type {
	ReplyButton,
	ShownTemplate,
	TemplateButton,
	TemplateHeader,
} from '../client/messages.mts';
import { fillIn, placeholdersIn, variablesOf } from '../contract.mts';
import {
	bodyTextOf,
	buttonsOf,
	footerTextOf,
	handleIn,
	type ListedButton,
	mediaFormatOf,
	partOf,
	replyIdOf,
} from '../store/components.mts';
import type { Content, SentTemplate } from '../store/content.mts';
import type { TemplateFile } from '../store/submissions.mts';
import { listedView, type Template } from '../store/templates.mts';
import { type TemplateValues, valuesOf } from './templateValues.mts';

/** A template as the customer sees it. Refuses values that it does not take. */
export function templateContent(sent: SentTemplate, known: Template): Content {
	const shown = shownWith(known, valuesOf(sent, listedView(known)));
	const { header, footer } = shown;
	const title = header?.format === 'TEXT' ? [header.text] : [];
	return {
		type: 'TEMPLATE',
		text: [...title, shown.body, ...(footer === undefined ? [] : [footer])].join('\n\n'),
		template: sent,
		buttons: shown.buttons.flatMap(replyOf),
		shown,
	};
}

function shownWith(known: Template, values: TemplateValues): ShownTemplate {
	const header = headerOf(known, values);
	const footer = footerTextOf(known);
	return {
		...(header ? { header } : {}),
		body: filled(bodyTextOf(known), values.body),
		...(footer === undefined ? {} : { footer }),
		buttons: buttonsOf(known).map((button, index) => buttonOf(button, index, values)),
		others: known.components.flatMap(({ type }) => OTHERS[type] ?? []),
	};
}

/** An example, because that of an access code is the chat application's. */
const CODE = '123456';

/**
 * A template as the customer will see it, with its examples for values.
 *
 * @param fileOf the uploaded file with a handle
 */
export function templatePreview(
	known: Template,
	fileOf: (handle: string) => TemplateFile | undefined,
): ShownTemplate {
	const samples = new Map(variablesOf(listedView(known)).map(({ id, example }) => [id, example]));
	const isCode = samples.has('code');
	const text = (value: string | undefined) => (value ? [{ type: 'text', text: value }] : []);
	return shownWith(known, {
		header: [{ ...text(samples.get('header.text'))[0], ...fileIn(known, fileOf), type: 'example' }],
		body: placeholdersIn(bodyTextOf(known)).map((name) =>
			isCode ? CODE : (samples.get(`body.${name}`) ?? `{{${name}}}`),
		),
		buttons: new Map(
			buttonsOf(known).map(({ type }, index) => {
				const code = samples.get(`button.${index}.code`);
				const value = isCode ? CODE : samples.get(`button.${index}.url`);
				return [index, code ? [{ type, coupon_code: code }] : text(value)];
			}),
		),
	});
}

/** The example of a header's file, as a send would give it. */
function fileIn(known: Template, fileOf: (handle: string) => TemplateFile | undefined): object {
	const header = partOf(known, 'HEADER');
	const media = mediaFormatOf(header);
	if (media === undefined) return {};
	const handle = handleIn(header) ?? '';
	const file = fileOf(handle);
	const link = file ? file.path : /^https?:/.test(handle) ? handle : null;
	return { [media]: { filename: file?.name ?? media, ...(link === null ? {} : { link }) } };
}

const OTHERS: Record<string, string> = {
	CAROUSEL: 'Cards',
	LIMITED_TIME_OFFER: 'Limited-time offer',
	CALL_PERMISSION_REQUEST: 'Asks whether the business may call',
};

/** Puts the values in place of the variables, in the order of the text. */
function filled(text: string, values: readonly string[]): string {
	const names = placeholdersIn(text);
	return fillIn(text, (name) => values[names.indexOf(name)]);
}

function headerOf(template: Template, { header }: TemplateValues): TemplateHeader | undefined {
	const listed = partOf(template, 'HEADER');
	if (!listed) return undefined;
	const [parameter] = header;
	if (listed.text)
		return { format: 'TEXT', text: filled(listed.text, parameter?.text ? [parameter.text] : []) };
	const media = mediaFormatOf(listed);
	if (media === undefined) return { format: 'OTHER', title: listed.format ?? '' };
	const { link, id, filename } = parameter![media] as Record<string, unknown>;
	const url = typeof link === 'string' && link !== '' ? link : undefined;
	const title = typeof filename === 'string' ? filename : url;
	return {
		format: media.toUpperCase() as 'IMAGE' | 'VIDEO' | 'DOCUMENT',
		...(url === undefined ? {} : { url }),
		title: title ?? `uploaded file ${String(id)}`,
	};
}

/** Buttons without a text of their own. The chat application words them; these words are ours. */
const TITLES: Record<string, string> = { COPY_CODE: 'Copy offer code', OTP: 'Copy code' };

function buttonOf(
	button: ListedButton,
	index: number,
	{ buttons }: TemplateValues,
): TemplateButton {
	const title = button.text ?? TITLES[button.type] ?? button.type;
	const value = buttons.get(index)?.[0];
	const id = String(index);
	switch (button.type) {
		case 'QUICK_REPLY':
			return { name: 'REPLY', id: value?.payload ?? replyIdOf(button), title };
		case 'URL':
			return { name: 'URL', id, title, url: fillIn(button.url ?? '', () => value?.text) };
		case 'PHONE_NUMBER':
			return { name: 'CALL', id, title, phone: String(button.phone_number) };
		case 'COPY_CODE':
			return { name: 'CODE', title, code: value?.coupon_code ?? '' };
		case 'OTP':
			return { name: 'CODE', title, code: value?.text ?? '' };
		default:
			return { name: 'OTHER', title };
	}
}

const replyOf = (button: TemplateButton): ReplyButton[] =>
	button.name === 'REPLY' ? [{ id: button.id, title: button.title }] : [];
