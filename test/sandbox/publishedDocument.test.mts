/** The sandbox's OpenAPI document, held against what the service publishes, in both directions. */
import { openApiDocument } from '#sandbox/openapi/document.mts';
import { NOT_OFFERED, OPERATIONS, type Published } from '../fixtures/published/operations.mts';
import type { Schema } from '../fixtures/published/words.mts';

const LIMITS = [
	...['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'pattern'],
] as const;

/** What a schema says, a line for each. Alternatives are one object, except kinds of messages. */
function factsOf(schema: Schema, path: string): string[] {
	const several = schema.oneOf ?? schema.anyOf;
	if (several) {
		if (path.endsWith('.content'))
			return several.flatMap((one) =>
				factsOf(one, `${path}<${one.properties?.type?.enum?.join() ?? ''}>`),
			);
		const all = several.map((one) => factsOf(one, path));
		return [...new Set(all.flat())].filter(
			(fact) => !fact.endsWith(' required') || all.every((facts) => facts.includes(fact)),
		);
	}
	const { type = [], enum: values = [], properties = {}, required = [], items } = schema;
	return [
		...[type].flat().map((name) => `${path}: ${name}`),
		...values.map((value) => `${path} = ${String(value)}`),
		...LIMITS.filter((limit) => limit in schema).map(
			(limit) => `${path} ${limit} ${String(schema[limit]).replaceAll('\\/', '/')}`,
		),
		...Object.entries(properties).flatMap(([name, inner]) => [
			...[`${path}.${name}`, ...(required.includes(name) ? [`${path}.${name} required`] : [])],
			...factsOf(inner, `${path}.${name}`),
		]),
		...(items ? factsOf(items, `${path}[]`) : []),
	];
}

/** Only names and types: a sandbox has one form of each text. */
const ofAnswer = (schema: Schema, path: string): string[] =>
	factsOf(schema, path).filter(
		(fact) => !/ (?:pattern|minLength|minItems|minimum|maximum) /.test(fact),
	);

function publishedFacts(name: string, known: Published): string[] {
	const { method, path, query = {}, body, form, isBodyOptional, success, errors } = known;
	const [statuses, holds] = success;
	const asked = Object.keys(query).map((field) => field.replace('!', ' required'));
	const parts = form && { type: 'object', properties: form, required: Object.keys(form) };
	const sent = parts ?? body;
	return [
		`${method} ${path.replace('{templates}', '/chatapp/businesses')}`,
		...asked.map((field) => `query ${field}`),
		...(sent ? [isBodyOptional ? 'body optional' : 'body', ...factsOf(sent, 'body')] : []),
		...[statuses].flat().map((status) => `→ ${status}`),
		...(holds ? ofAnswer(holds, 'answer') : []),
		...errors.split(' ').map((error) => `→ ${error}`),
	].map((fact) => `${name} ${fact}`);
}

interface Documented {
	operationId: string;
	parameters?: Array<{ in: string; name: string; required?: boolean }>;
	requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
	responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** The letter of an error's form: see the contract. V is B with the inner list. */
function formOf({ properties = {} }: Schema): string {
	if (properties.timestamp) return 'C';
	if (properties.message) return 'A';
	if (properties.value) return 'V';
	return properties.error?.type === 'string' ? 'B' : 'D';
}

function documentedFacts(): string[] {
	const { paths } = openApiDocument() as { paths?: Record<string, Record<string, Documented>> };
	return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
		Object.entries(methods).flatMap(([method, operation]) => {
			const { operationId, parameters = [], requestBody, responses } = operation;
			const [content] = Object.values(requestBody?.content ?? {});
			return [
				`${method.toUpperCase()} ${path}`,
				...parameters
					.filter((parameter) => parameter.in === 'query')
					.map(({ name, required }) => `query ${name}${required ? ' required' : ''}`),
				...(content
					? [requestBody?.required ? 'body' : 'body optional', ...factsOf(content.schema, 'body')]
					: []),
				...Object.entries(responses).flatMap(([status, response]) => {
					const schema = Object.values(response.content ?? {})[0]?.schema;
					if (Number(status) < 300)
						return [`→ ${status}`, ...(schema ? ofAnswer(schema, 'answer') : [])];
					return (schema?.anyOf ?? [schema ?? {}]).map((one) => `→ ${status}${formOf(one)}`);
				}),
			].map((fact) => `${operationId} ${fact}`);
		}),
	);
}

const published = new Set(
	Object.entries(OPERATIONS).flatMap(([name, known]) => publishedFacts(name, known)),
);
const documented = new Set(documentedFacts());

/** Why the document says more than is published. Each is met. */
const MORE: Array<[fact: RegExp, reason: string]> = [
	[/ body\S* (?:minLength|minItems) 1$/, 'nothing is empty'],
	[/ → 41[35]\w$/, 'bodies are bounded, and declared'],
	[/ → 400[AB]$/, 'a malformed request, or an address that is not allowed'],
	[/^createChannel → 40[01]/, 'the newest page, and an older one with more errors'],
	[/ → 404A$/, 'assumed: a channel is looked for on each of its routes'],
	[/^(?:\w+TemplateWebhooks?|createTemplateWebhook) → 401B$/, 'assumed: a wrong key'],
	[/^connectChannel → 422A$/, 'a refused connection is told in one of two ways'],
	[/^sendMessage → \d+[ABCD]$/, 'assumed: media and templates, and the older form by a setting'],
	[/Templates?(?:File|Library)? → 422D$/, 'assumed: an unknown business'],
	[/message maxLength|title maxLength|caption maxLength/, 'assumed, or of an older page'],
	[/<INTERACTIVE_ACTION>\.(?:header|footer)\.message required$/, 'an empty part is left out'],
	[/<TEMPLATE>\S+ required$/, 'the sandbox cannot send what has no name'],
	[/\.type = [A-Z]+_(?:CHATAPP|INBOX|BOT)$/, 'a vendor-neutral name'],
	[/ answer\S*\.events\[\] = /, 'the events of a channel'],
	[/ answer = true$/, 'a failure is an error'],
	[/ body\.description: null$/, 'assumed: it can be cleared'],
	[/ body\.url (?:pattern|maxLength) /, 'what a delivery needs'],
	[/ body\.auth\.type required$/, 'credentials have a type'],
	[
		/^create\w+Webhook answer\.secret(?: required|: null)$/,
		'null without signing, by another page',
	],
	[/\.status = PAUSED$/, 'assumed: a paused template'],
	[/\.(?:parameter_format|before|after)(?: required| = \w+)$/, 'the sandbox always has them'],
];
/** Why it says less. */
const LESS: Array<[fact: RegExp, reason: string]> = [
	[/^createChannel → (?:200|422A)$/, 'the newest pages, and an older one'],
	[/ query middleware$/, 'an older name of type'],
	[/\.token: null$/, 'each channel has one'],
	[/ body\.authType = (?:BASIC|CUSTOM_HEADER)$/, 'nothing is published that stands beside them'],
	[/^updateTemplateWebhook answer\.secret: null$/, 'the field is left out'],
	[/ answer\S*\.category = /, 'on its page, a template can have any category'],
	[/<TEMPLATE>\S+\.components\[\]\.\w/, 'values are checked against the template, not by a form'],
];

test.each([
	['more', documented, published, MORE],
	['less', published, documented, LESS],
] as const)(
	'the document says no %s than is published, except on purpose',
	(_what, one, other, known) => {
		const differences = [...one].filter((fact) => !other.has(fact));
		expect(differences.filter((fact) => !known.some(([pattern]) => pattern.test(fact)))).toEqual(
			[],
		);
		const unmet = known.filter(([pattern]) => !differences.some((fact) => pattern.test(fact)));
		expect(unmet.map(([, reason]) => reason)).toEqual([]);
	},
);

test('what is not offered is not served', () => {
	const paths = NOT_OFFERED.map((path) => path.replace('{templates}', '/chatapp/businesses'));
	expect([...documented].filter((fact) => paths.some((path) => fact.endsWith(path)))).toEqual([]);
});
