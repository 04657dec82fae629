import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { ServiceClient } from '../../service/client';
import {
	PARAMETER_FORMATS,
	MESSAGE_LIFETIMES,
	TEMPLATE_CATEGORIES,
	TEMPLATE_FILE_TYPES,
	TEMPLATE_LIMITS,
	templateDefinitionSchema,
} from '../../service/contract';
import type { ListedComponent, ParameterFormat, TemplateDefinition } from '../../service/contract';
import { cutText } from '../../service/cutText';
import {
	accessCodeToCreate,
	checkDefinition,
	parameterFormatOf,
} from '../../service/template/definition';
import { componentsOfCards } from '../../service/template/components';
import { Mistakes, PARTS_OF_LIST, type PartNames } from '../../service/template/mistakes';
import { withPhoneNumbers } from '../../service/template/buttonRules';
import { safeFileName } from '../../service/fileName';
import { HIDDEN } from '../../service/secrets';
import { typeOfBytes } from '../../service/fileType';
import {
	LINK_REFUSED,
	type TemplateFile,
	uploadTemplateFile,
} from '../../service/template/changes';
import { addHint, addReachHint, filesIn } from '../../shared/node/hints';
import { numbersIn, toNumber } from '../../shared/texts/numbers';
import { readRequired, readText, textOf } from '../../shared/node/parameters';
import { asPlainObject } from '../../service/parseJson';
import { binaryIn, sizeOf, whenRoom } from '../message/content/mediaSource';
import { componentsOfFields, hasHeaderFile, oneOf, PARTS_OF_FIELDS } from './componentsOfFields';
import { readLibrary } from './readLibrary';
import { readTemplateJson } from './readTemplateText';

/** A file of the header, not read yet. */
type HeaderFile = Omit<TemplateFile, 'data'> & { bytes: number; read: () => Promise<Buffer> };

/** What the fields of a template say. */
export interface GivenDefinition {
	definition: TemplateDefinition;
	/** The example of its header, which has to be uploaded. */
	file?: HeaderFile;
}

/** Judges the fields for a category. @throws Error about what the chat application would refuse */
export type Define = (category: Category) => GivenDefinition;

/** @param isCategoryKnown if not, it refuses before that is looked up. @throws Error of a field */
export async function readDefinition(
	context: IExecuteFunctions,
	index: number,
	isCategoryKnown: boolean,
): Promise<Define> {
	const define = await definitionOf(context, index, isCategoryKnown);
	return (category) => {
		const given = define(category);
		if (!JSON.stringify(given.definition).includes(HIDDEN)) return given;
		throw new Error(
			`"Components", or another text of the template, has "${HIDDEN}", which the node shows in place of a secret. Enter what belongs there.`,
		);
	};
}

async function definitionOf(
	context: IExecuteFunctions,
	index: number,
	isCategoryKnown: boolean,
): Promise<Define> {
	const common = (category: Category) => readAdditional(context, index, category);
	switch (context.getNodeParameter('definition', index, 'fields')) {
		case 'library': {
			const fromLibrary = readLibrary(context, index);
			return (category) => ({ definition: { ...common(category), ...fromLibrary } });
		}
		case 'json': {
			const given = readList(context, index);
			return (category) => {
				const mistakes = new Mistakes();
				const listed =
					category === 'AUTHENTICATION' ? accessCodeToCreate(given.components) : given.components;
				const lifetime = mistakes.or({}, () => ({
					...lifetimeOf(given, category),
					...common(category),
				}));
				const components = checked(context, index, listed, category, PARTS_OF_LIST, mistakes);
				const format = formatOf(components, category, given.parameter_format);
				return { definition: { ...lifetime, components, ...format } };
			};
		}
		default: {
			const mistakes = new Mistakes();
			const given = componentsOfFields(context, index, mistakes);
			const file = await readHeaderFile(context, index).catch(mistakes.add);
			if (!isCategoryKnown) mistakes.end();
			return (category) => {
				if (category === 'AUTHENTICATION')
					mistakes.add(
						'"Category" is Authentication, whose text and button the chat application writes. Choose "As JSON" or "From Library" in "Definition".',
					);
				const additional = mistakes.or({}, () => common(category));
				const components = checked(context, index, given, category, PARTS_OF_FIELDS, mistakes);
				const format = formatOf(components, category);
				return { definition: { ...additional, components, ...format }, ...(file ? { file } : {}) };
			};
		}
	}
}

/** The components as they are sent. Hints say what may be refused. */
function checked(
	context: IExecuteFunctions,
	index: number,
	given: readonly ListedComponent[],
	category: Category,
	names: PartNames,
	mistakes: Mistakes,
): ListedComponent[] {
	const components = mistakes.or([...given], () => withPhoneNumbers(given, names));
	for (const hint of checkDefinition(components, category, names, mistakes))
		addHint(context, context.getInputData().length > 1 ? `Item ${index}: ${hint}` : hint);
	return components;
}

/** Access codes go without a form, and so does what has no variables. Source: published. */
function formatOf(
	components: readonly ListedComponent[],
	category: Category,
	given?: ParameterFormat,
): Pick<TemplateDefinition, 'parameter_format'> {
	const own = category === 'AUTHENTICATION' ? undefined : parameterFormatOf(components);
	return own ? { parameter_format: given ?? own } : {};
}

/** Uploads the file of the header, and gives the definition with its handle. A link gets a hint. */
export async function withUploadedFile(
	context: IExecuteFunctions,
	client: ServiceClient,
	businessId: string,
	{ definition, file }: GivenDefinition,
): Promise<TemplateDefinition> {
	addReachHint(context, filesIn(definition.components), client.baseUrl);
	if (!file) return definition;
	const signal = context.getExecutionCancelSignal();
	const { bytes, read, fileName, mimeType } = file;
	const format = definition.components?.find(isHeader)?.format ?? '';
	const handle = await whenRoom(bytes, signal, async () => {
		const data = await read();
		const type = typeOfBytes(data);
		checkType(type, format);
		const named = { fileName, mimeType: type ?? mimeType };
		return await uploadTemplateFile(client, businessId, { ...named, data });
	});
	const components = (definition.components ?? []).map((component) =>
		isHeader(component) ? { ...component, example: { header_handle: [handle] } } : component,
	);
	return { ...definition, components };
}

const isHeader = ({ type }: ListedComponent): boolean => type === 'HEADER';

/** By its bytes, because a name can lie. The service itself takes any file. */
function checkType(type: string | undefined, format: string): void {
	const taken = TEMPLATE_FILE_TYPES[format] ?? [];
	if (type === undefined || taken.includes(type)) return;
	throw new Error(
		`The file in "Header File" is ${type}. A header of the format ${format} takes ${taken.join(' or ')}.`,
	);
}

export type Category = (typeof TEMPLATE_CATEGORIES)[number];

export const categoryIn = (given: string): Category | undefined =>
	TEMPLATE_CATEGORIES.find((category) => category === given.toUpperCase());

/** Undefined if none is chosen. */
export function readCategory(context: IExecuteFunctions, index: number): Category | undefined {
	const given = readText(context, 'category', index);
	if (given === '') return undefined;
	return categoryIn(given) ?? oneOf(TEMPLATE_CATEGORIES, given, '"Category"');
}

function readAdditional(
	context: IExecuteFunctions,
	index: number,
	category: Category,
): TemplateDefinition {
	const given = asPlainObject(context.getNodeParameter('additionalFields', index, {}));
	const { allowCategoryChange } = given;
	const lifetime = '"Message Lifetime (Seconds)"';
	const seconds = numbersIn(context, 'additionalFields', given)('messageSendTtlSeconds', lifetime);
	return {
		...(allowCategoryChange === undefined
			? {}
			: { allow_category_change: allowCategoryChange === true }),
		...lifetimeIn(seconds, category, lifetime),
	};
}

function lifetimeIn(
	given: unknown,
	category: Category,
	place: string,
): Pick<TemplateDefinition, 'message_send_ttl_seconds'> {
	if (given === undefined || given === null) return {};
	const seconds = toNumber(given);
	const [least, most] = MESSAGE_LIFETIMES[category];
	const { anytime } = MESSAGE_LIFETIMES;
	if (seconds === anytime || (Number.isInteger(seconds) && seconds >= least && seconds <= most))
		return { message_send_ttl_seconds: seconds };
	throw new Error(
		`${place} is ${cutText(String(given), 64)}. Of the category ${category} it is a whole number from ${least} to ${most}, or ${anytime} for 30 days.`,
	);
}

/** A copy keeps that of the template. */
const lifetimeOf = ({ message_send_ttl_seconds: seconds }: GivenTemplate, category: Category) =>
	lifetimeIn(seconds, category, '"message_send_ttl_seconds" of "Components"');

/** A whole template counts for its components, its lifetime and the form of its variables. */
const listSchema = z
	.union([
		z.array(z.unknown()).transform((components) => ({ components })),
		z.object({}).passthrough(),
	])
	.pipe(
		z.object({
			components: templateDefinitionSchema.shape.components.unwrap().min(1),
			parameter_format: z.enum(PARAMETER_FORMATS).optional().catch(undefined),
			message_send_ttl_seconds: z.number().nullish().catch(undefined),
			/** The list of the service gives both. */
			id: z.unknown(),
			status: z.unknown(),
		}),
	);
type GivenTemplate = z.infer<typeof listSchema>;

function readList(context: IExecuteFunctions, index: number): GivenTemplate {
	const { data } = listSchema.safeParse(
		readTemplateJson(context, 'components', 'Components', index),
	);
	if (data) {
		const isListed = data.id !== undefined || data.status !== undefined;
		if (isListed && hasLink([...data.components, ...componentsOfCards(data.components).flat()]))
			throw new Error(
				`${PARTS_OF_LIST.header} has a link of the chat application, as the list gives it. ${LINK_REFUSED}`,
			);
		return data;
	}
	throw new Error(
		'"Components" is no list of components. Enter a JSON list of objects, each with a "type", e.g. [{"type": "BODY", "text": "Hello"}], or a template of Get Many without "Simplify".',
	);
}

const handlesSchema = z.object({ header_handle: z.array(z.string()) });

const hasLink = (components: readonly ListedComponent[]): boolean =>
	components.some(({ example }) =>
		handlesSchema.safeParse(example).data?.header_handle.some((it) => /^https?:/i.test(it)),
	);

async function readHeaderFile(
	context: IExecuteFunctions,
	index: number,
): Promise<HeaderFile | undefined> {
	if (!hasHeaderFile(context, index)) return undefined;
	const field = readRequired(context, 'headerBinaryField', 'Header File', index);
	const binary = binaryIn(context, field, index, { label: 'Header File', source: 'Header Source' });
	// Before it is read into memory.
	const bytes = await sizeOf(context, binary);
	if (bytes > TEMPLATE_LIMITS.file)
		throw new Error(
			`The file in the field "${field}" is too large. The service takes at most ${TEMPLATE_LIMITS.file / 1024 ** 2} MB.`,
		);
	const [mimeType = ''] = textOf(binary.mimeType).split(';');
	const fileName = safeFileName(binary.fileName) ?? 'header';
	const read = async () => await context.helpers.getBinaryDataBuffer(index, field);
	return { mimeType: mimeType.trim(), fileName, bytes, read };
}
