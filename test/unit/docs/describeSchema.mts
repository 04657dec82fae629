import { z } from 'zod';

export interface DescribedField {
	/** As in `content.body?.message`. `?` marks what can be missing, `[]` what a list holds. */
	path: string;
	type: string;
}

/** The innermost fields of an object schema, in its order. Their paths name what holds them. */
export function describeSchema(schema: z.ZodTypeAny): DescribedField[] {
	return fieldsOf(unwrap(schema).schema, '');
}

function fieldsOf(schema: z.ZodTypeAny, prefix: string): DescribedField[] {
	if (schema instanceof z.ZodArray)
		return fieldsOf(unwrap(schema.element as z.ZodTypeAny).schema, `${prefix}[].`);
	if (!(schema instanceof z.ZodObject)) return [];
	return Object.entries(schema.shape as z.ZodRawShape).flatMap(([name, member]) => {
		const { schema: inner, required } = unwrap(member);
		const path = prefix + name + (required ? '' : '?');
		const nested =
			inner instanceof z.ZodArray ? fieldsOf(inner, path) : fieldsOf(inner, `${path}.`);
		return nested.length > 0 ? nested : [{ path, type: typeOf(inner) }];
	});
}

/** The schema inside wrappers that make it optional or change its value. */
function unwrap(schema: z.ZodTypeAny): { schema: z.ZodTypeAny; required: boolean } {
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
		return { ...unwrap(schema.unwrap() as z.ZodTypeAny), required: false };
	if (schema instanceof z.ZodEffects) return unwrap(schema.innerType() as z.ZodTypeAny);
	return { schema, required: !(schema instanceof z.ZodUnknown) };
}

function typeOf(schema: z.ZodTypeAny): string {
	if (schema instanceof z.ZodString) return textType(schema);
	if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
	if (schema instanceof z.ZodBoolean) return 'boolean';
	if (schema instanceof z.ZodLiteral) return JSON.stringify(schema.value);
	if (schema instanceof z.ZodEnum)
		return (schema.options as string[]).map((option) => JSON.stringify(option)).join(' or ');
	if (schema instanceof z.ZodArray)
		return `list of ${schema._def.minLength ? 'one or more ' : ''}${unwrap(schema.element as z.ZodTypeAny).schema instanceof z.ZodString ? 'texts' : 'objects'}`;
	if (schema instanceof z.ZodUnion)
		return (schema.options as z.ZodTypeAny[]).map(typeOf).join(' or ');
	if (schema instanceof z.ZodDiscriminatedUnion)
		return (schema.options as z.ZodTypeAny[]).map(alternativeOf).join(' or\n  ');
	if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return 'object';
	if (schema instanceof z.ZodUnknown) return 'anything';
	throw new Error(`there are no words yet for the schema ${schema.constructor.name}`);
}

function textType(schema: z.ZodString): string {
	const limits = [
		schema.minLength ? (schema.minLength > 1 ? `${schema.minLength} or more` : 'not empty') : '',
		schema.maxLength ? `up to ${schema.maxLength}` : '',
	];
	const parts = [schema.isURL ? 'URL' : '', ...limits].filter((part) => part !== '');
	return parts.join(', ') || 'text';
}

/** One form of an object that has several: `{type: "BEARER", token}`. */
function alternativeOf(schema: z.ZodTypeAny): string {
	if (!(schema instanceof z.ZodObject)) throw new Error('the alternatives are objects');
	const members = Object.entries(schema.shape as z.ZodRawShape).map(([name, member]) =>
		member instanceof z.ZodLiteral ? `${name}: ${JSON.stringify(member.value)}` : name,
	);
	return `{${members.join(', ')}}`;
}
