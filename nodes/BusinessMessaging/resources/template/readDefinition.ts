import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { ServiceClient } from '../../service/client';
import type { ListedComponent, TemplateDefinition } from '../../service/contract';
import {
	PARAMETER_FORMATS,
	type ParameterFormat,
	TEMPLATE_CATEGORIES,
	TEMPLATE_DEPTH_MAX,
	TEMPLATE_LIMITS,
	templateDefinitionSchema,
} from '../../service/contract';
import { cutText } from '../../service/cutText';
import { accessCodeToCreate } from '../../service/template/accessCode';
import {
	checkDefinition,
	parameterFormatOf,
	PARTS_OF_LIST,
} from '../../service/template/definition';
import { safeFileName } from '../../service/fileName';
import { isDeeperThan } from '../../service/readBody';
import { type TemplateFile, uploadTemplateFile } from '../../service/templateChanges';
import { jsonOf, readJson, readRequired, readText, textOf } from '../../shared/parameters';
import { asPlainObject, isPlainObject } from '../../shared/plainObject';
import { filesUnderWay, sizeOf } from '../message/content/mediaSource';
import { componentsOfFields, PARTS_OF_FIELDS } from './componentsOfFields';
import { readTemplateText } from './readTemplateText';

/** A file of the header, not read yet. */
type HeaderFile = Omit<TemplateFile, 'data'> & { bytes: number; read: () => Promise<Buffer> };

/** What the fields of a template say. */
export interface GivenDefinition {
	definition: TemplateDefinition;
	/** The example of its header, which has to be uploaded. */
	file?: HeaderFile;
}

/**
 * Reads the definition of a template, and refuses what the chat application would refuse.
 * @throws Error that names the field
 */
export async function readDefinition(
	context: IExecuteFunctions,
	index: number,
	category: Category,
): Promise<GivenDefinition> {
	const common = readAdditional(context, index);
	switch (context.getNodeParameter('definition', index, 'fields')) {
		case 'library':
			return { definition: { ...common, ...readLibrary(context, index) } };
		case 'json': {
			const given = readList(context, index);
			const components =
				category === 'AUTHENTICATION' ? accessCodeToCreate(given.components) : given.components;
			checkDefinition(components, category, PARTS_OF_LIST);
			const format = formatOf(components, category, given.parameter_format);
			return { definition: { ...common, components, ...format } };
		}
		default: {
			if (category === 'AUTHENTICATION')
				throw new Error(
					'"Category" is Authentication, whose text and button the chat application writes. Choose "As JSON" or "From Library" in "Definition".',
				);
			const components = componentsOfFields(context, index);
			checkDefinition(components, category, PARTS_OF_FIELDS);
			const file = await readHeaderFile(context, index);
			return {
				definition: { ...common, components, ...formatOf(components, category) },
				...(file ? { file } : {}),
			};
		}
	}
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

/** Uploads the file of the header, and gives the definition with its handle. */
export async function withUploadedFile(
	client: ServiceClient,
	businessId: string,
	{ definition, file }: GivenDefinition,
): Promise<TemplateDefinition> {
	if (!file) return definition;
	const { bytes, read, ...named } = file;
	const handle = await filesUnderWay.spend(bytes, async () => {
		return await uploadTemplateFile(client, businessId, { ...named, data: await read() });
	});
	const components = (definition.components ?? []).map((component) =>
		component.type === 'HEADER'
			? { ...component, example: { header_handle: [handle] } }
			: component,
	);
	return { ...definition, components };
}

export type Category = (typeof TEMPLATE_CATEGORIES)[number];

export const categoryIn = (given: string): Category | undefined =>
	TEMPLATE_CATEGORIES.find((category) => category === given.toUpperCase());

/** Undefined if none is chosen. */
export function readCategory(context: IExecuteFunctions, index: number): Category | undefined {
	const given = readText(context, 'category', index);
	if (given === '') return undefined;
	const known = categoryIn(given);
	if (known) return known;
	throw new Error(
		`"Category" is "${cutText(given, 64)}". It is one of ${TEMPLATE_CATEGORIES.join(', ')}.`,
	);
}

function readAdditional(context: IExecuteFunctions, index: number): TemplateDefinition {
	const { allowCategoryChange, messageSendTtlSeconds } = asPlainObject(
		context.getNodeParameter('additionalFields', index, {}),
	);
	const seconds = Number(messageSendTtlSeconds);
	if (messageSendTtlSeconds !== undefined && !Number.isInteger(seconds))
		throw new Error('"Message Lifetime (Seconds)" must be a whole number.');
	return {
		...(allowCategoryChange === undefined
			? {}
			: { allow_category_change: allowCategoryChange === true }),
		...(messageSendTtlSeconds === undefined ? {} : { message_send_ttl_seconds: seconds }),
	};
}

/** A whole template counts for its components and the form of its variables alone. */
const listSchema = z
	.union([
		z.array(z.unknown()).transform((components) => ({ components })),
		z.object({}).passthrough(),
	])
	.pipe(
		z.object({
			components: templateDefinitionSchema.shape.components.unwrap().min(1),
			parameter_format: z.enum(PARAMETER_FORMATS).optional().catch(undefined),
		}),
	);

function readList(
	context: IExecuteFunctions,
	index: number,
): { components: ListedComponent[]; parameter_format?: ParameterFormat } {
	const given = jsonOf(readTemplateText(context, 'components', index), 'Components');
	requireShallow(given, 'Components');
	const { data } = listSchema.safeParse(given);
	if (data) {
		const { components, parameter_format } = data;
		return { components, ...(parameter_format ? { parameter_format } : {}) };
	}
	throw new Error(
		'"Components" is no list of components. Enter a JSON list of objects, each with a "type", e.g. [{"type": "BODY", "text": "Hello"}], or a template of Get Many without "Simplify".',
	);
}

function readLibrary(context: IExecuteFunctions, index: number): TemplateDefinition {
	const inputs = readJson(context, 'libraryInputs', 'Library Inputs', index) ?? {};
	requireShallow(inputs, 'Library Inputs');
	if (!isPlainObject(inputs))
		throw new Error(
			'"Library Inputs" is no object. Enter a JSON object, e.g. {"library_template_button_inputs": […]}.',
		);
	const { library_template_body_inputs: body, library_template_button_inputs: buttons } = inputs;
	return {
		library_template_name: readRequired(context, 'libraryTemplate', 'Library Template', index),
		...(body === undefined ? {} : { library_template_body_inputs: body }),
		...(buttons === undefined ? {} : { library_template_button_inputs: buttons }),
	};
}

function requireShallow(given: unknown, label: string): void {
	if (isDeeperThan(TEMPLATE_DEPTH_MAX, given))
		throw new Error(
			`"${label}" is nested more than ${TEMPLATE_DEPTH_MAX} levels deep, and no template is. Look at what the expression puts into it.`,
		);
}

async function readHeaderFile(
	context: IExecuteFunctions,
	index: number,
): Promise<HeaderFile | undefined> {
	const type = context.getNodeParameter('headerType', index, 'none');
	if (type === 'none' || type === 'text') return undefined;
	const field = readRequired(context, 'headerBinaryField', 'Header File', index);
	const binary = context.getInputData()[index]?.binary?.[field];
	if (!binary)
		throw new Error(
			`The item has no file in the field "${field}". Enter the name of its binary field in "Header File".`,
		);
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
