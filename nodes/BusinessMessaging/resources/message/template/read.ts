import { isResourceLocatorValue } from 'n8n-workflow';
import type { IExecuteFunctions, ResourceMapperField } from 'n8n-workflow';

import type { ShownText } from '../../../sending/batch';
import type { ServiceClient } from '../../../service/client';
import type { ListedTemplate, SendContent, TemplateComponent } from '../../../service/contract';
import { firstOf } from '../../../service/cutText';
import { mismatchOf, textsIn } from '../../../service/template/check';
import {
	componentsOf,
	joinComponents,
	mediaHeader,
	withNames,
} from '../../../service/template/components';
import type { TemplateValue } from '../../../service/template/components';
import {
	flatValue,
	headerNameIn,
	isNeeded,
	isPayload,
	MEDIA_FORMATS,
	nameOfVariable,
	namesIn,
	templateText,
	variablesOf,
} from '../../../service/template/variables';
import { requireAllDigits } from '../../../shared/texts/numbers';
import {
	jsonOf,
	parseHttpUrl,
	readList,
	readOptionalWords,
	readRequired,
	readText,
	wordsOf,
} from '../../../shared/node/parameters';
import { asPlainObject, isPlainObject } from '../../../service/parseJson';
import type { TemplateFieldNames } from './templateFields';
import { freshTemplate, rememberedTemplate, type TemplateName } from './approvedTemplate';

/** What a template is read from. */
export interface TemplateSource {
	context: IExecuteFunctions;
	index: number;
	client: ServiceClient;
	channelId: string;
}

/** The fields of an item that say which template is sent, and with which values. */
interface Fields extends Pick<TemplateSource, 'context' | 'index'> {
	names: TemplateFieldNames;
}

export interface ReadyTemplate {
	leaves: ShownText & { content: SendContent };
	/** The template, if it could be read. */
	template?: ListedTemplate;
}

/** What the fields say, whether the template can be read or not. */
interface TemplateRequest extends TemplateName {
	/** @returns what is sent, in the order of the template if it was read */
	components(template: ListedTemplate | undefined): TemplateComponent[];
	/** @returns names of fields that the template has no more */
	gone(template: ListedTemplate): string[];
	/** What to do about a missing value. */
	remedy: string;
}

/**
 * Reads the fields of a template, and compares them with the template if it can be read.
 * @param notBefore what was read earlier, by the steady clock, is read again. Left out: what is
 * remembered will do
 * @throws Error that names the field, or what the template needs and does not get
 */
export async function readTemplate(
	{ context, index, client, channelId }: TemplateSource,
	names: TemplateFieldNames,
	notBefore?: number,
): Promise<ReadyTemplate> {
	const wanted = readRequest({ context, index, names });
	// What is wrong without a look at the template is known before any request.
	wanted.components(undefined);
	if (notBefore !== undefined) {
		const now = await freshTemplate(client, channelId, wanted, notBefore);
		const wrong = now && problemOf(now, wanted);
		if (wrong !== undefined) throw new Error(wrong);
		return ready(wanted, now);
	}
	const { isRead, template: known, readAt } = await rememberedTemplate(client, channelId, wanted);
	if (known && problemOf(known, wanted) === undefined) return ready(wanted, known, readAt);
	// Nothing is refused by what was remembered.
	const fresh = isRead ? await freshTemplate(client, channelId, wanted) : undefined;
	const problem = fresh && problemOf(fresh, wanted);
	if (problem !== undefined) throw new Error(problem);
	return ready(wanted, fresh);
}

/** @param readAt when the template was read, if it was remembered */
function ready(
	wanted: TemplateRequest,
	template: ListedTemplate | undefined,
	readAt?: string,
): ReadyTemplate {
	const { name, language } = wanted;
	const components = wanted.components(template);
	const content = {
		type: 'TEMPLATE' as const,
		attachments: [
			{
				template: {
					name,
					language: { policy: 'deterministic' as const, code: language },
					components,
				},
			},
		],
	};
	if (!template) return { leaves: { content } };
	const texts = textsIn(template, components);
	const text = templateText(template, (id) => texts.get(id));
	if (text === undefined) return { leaves: { content }, template };
	return { leaves: { content, text, ...(readAt ? { textReadAt: readAt } : {}) }, template };
}

function problemOf(template: ListedTemplate, wanted: TemplateRequest): string | undefined {
	const { missing, needless } = mismatchOf(template, wanted.components(template));
	const which = `The template "${wanted.name}" (${wanted.language})`;
	const gone = [...wanted.gone(template), ...needless];
	if (missing.length > 0) return `${which} needs ${firstOf(missing, NAMED_MAX)}. ${wanted.remedy}`;
	return gone.length > 0
		? `${which} does not take ${firstOf(gone, NAMED_MAX)}. ${wanted.remedy}`
		: undefined;
}

/** What an error names. A template can have thousands of variables. */
const NAMED_MAX = 10;

function readRequest(fields: Fields): TemplateRequest {
	const { context, index, names } = fields;
	const field: unknown = context.getNodeParameter(names.template, index);
	requireAllDigits(field, '"Template"');
	const typed = readText(context, names.template, index);
	const additional = readAdditional(fields);
	return isResourceLocatorValue(field) && field.mode === 'list'
		? readFromList(fields, typed, additional)
		: readByName(fields, typed, additional);
}

/** `<name>/<language>` */
function splitName(typed: string): [name: string, language: string] {
	const slash = typed.lastIndexOf('/');
	return slash < 0 ? [typed, ''] : [typed.slice(0, slash).trim(), typed.slice(slash + 1).trim()];
}

function readFromList(
	{ context, index, names }: Fields,
	typed: string,
	additional: TemplateComponent[],
): TemplateRequest {
	if (typed === '') throw new Error('"Template" is empty. Choose one from the list.');
	const [name, language] = splitName(typed);
	const raw = context.getNode().parameters[names.template];
	const isExpression = isResourceLocatorValue(raw) && String(raw.value).startsWith('=');
	if (isExpression || name === '' || language === '')
		throw new Error(
			'"Template" is no choice from its list. To give its name, e.g. by an expression, choose "By Name".',
		);
	const { values, headerName } = readVariables({ context, index, names });
	return {
		name,
		language,
		components(template) {
			const order = template
				? variablesOf(template).map(({ id }) => [id, values.get(id) ?? ''] as const)
				: [...values];
			const known = template ? namesIn(template, 'HEADER')[0] : headerName;
			return joinComponents(componentsOf(order, known), additional);
		},
		gone(template) {
			const taken = new Set(variablesOf(template).map(({ id }) => id));
			return [...values.keys()].filter((id) => !taken.has(id)).map(nameOfVariable);
		},
		remedy:
			'It changed since it was chosen: choose it again in "Template", and fill its fields. A part without a field goes into "Additional Components".',
	};
}

/**
 * The values of the mapped fields, in the order of the saved schema, and the name of the header's
 * variable, if its field tells it.
 * @throws Error that names a field that is empty
 */
function readVariables({ context, index, names }: Fields) {
	const mapped = asPlainObject(context.getNodeParameter(names.variables, index, {}));
	const given = asPlainObject(mapped.value);
	const schema: unknown[] = Array.isArray(mapped.schema) ? mapped.schema : [];
	const fields = schema.filter(isField);
	const labels = new Map(fields.map(({ id, displayName }) => [id, displayName]));
	const ids = [...labels.keys(), ...Object.keys(given).filter((id) => !labels.has(id))];
	const removed = new Set(fields.flatMap(({ id, removed: isRemoved }) => (isRemoved ? id : [])));
	const labelOf = (id: string) => `"${labels.get(id) ?? nameOfVariable(id)}"`;
	const values: TemplateValue[] = ids.map((id) => [
		id,
		removed.has(id) ? '' : valueOf(id, wordsOf(given[id], labelOf(id))),
	]);
	for (const [id, value] of values)
		if (isNeeded(id) && value.trim() === '')
			throw new Error(
				`${labelOf(id)} is empty. The template cannot be sent without it: ${isFile(id) ? OF_FILE : 'enter a text, or map one from the input.'}`,
			);
	return { values: new Map(values), headerName: headerNameIn(labels.get('header.text')) };
}

/** In a header or a card. */
const isFile = (id: string): boolean => MEDIA_FORMATS.some((format) => id.endsWith(`.${format}`));
const OF_FILE =
	'enter the public address of a file. The one given when the template was created is only an example.';

/** A payload comes back as it was given. All else is shown in the message, or in an address. */
const valueOf = (id: string, value: string): string => (isPayload(id) ? value : flatValue(value));

const isField = (field: unknown): field is ResourceMapperField =>
	isPlainObject(field) && typeof field.id === 'string';

function readByName(
	{ context, index, names }: Fields,
	typed: string,
	additional: TemplateComponent[],
): TemplateRequest {
	if (typed === '')
		throw new Error('"Template" is empty. Enter its name, or choose it from the list.');
	const [name, ownLanguage] = splitName(typed);
	const language = ownLanguage || readRequired(context, names.languageCode, 'Language Code', index);
	const texts = readList(context, names.bodyParameters, 'Body Parameters', index);
	const mediaUrl = readText(context, names.headerMediaUrl, index);
	const media = readText(context, names.headerMediaType, index) || 'image';
	const filename = readOptionalWords(context, names.headerMediaFilename, 'Header File Name', index);
	const header = mediaUrl
		? [mediaHeader(media, parseHttpUrl(mediaUrl, '"Header Media URL"'), filename)]
		: [];
	const body = {
		type: 'body',
		parameters: texts.map((text) => ({ type: 'text', text: flatValue(text) })),
	};
	const given = [...header, body];
	joinComponents(given, additional);
	return {
		name,
		language,
		components: (template) =>
			joinComponents(template ? withNames(given, template) : given, additional),
		gone: () => [],
		remedy:
			'Check "Body Parameters", "Header Media URL" and "Additional Components", or choose the template from the list, which shows its fields.',
	};
}

/** Components that the user writes as JSON, for the parts that no field gives. */
function readAdditional({ context, index, names }: Fields): TemplateComponent[] {
	const given: unknown = context.getNodeParameter(names.additionalComponents, index, '');
	const components = jsonOf(given, 'Additional Components') ?? [];
	if (!Array.isArray(components) || !components.every(isComponent))
		throw new Error(
			'"Additional Components" is not a list of components. Enter a JSON list of objects, each with a "type", e.g. [{"type": "header", "parameters": […]}].',
		);
	return components;
}

const isComponent = (value: unknown): value is TemplateComponent =>
	isPlainObject(value) && typeof value.type === 'string' && value.type !== '';
