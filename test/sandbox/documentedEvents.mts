/** Checks events against the OpenAPI document of the sandbox. */
import { Ajv2020 } from 'ajv/dist/2020.js';

import { openApiDocument } from '#sandbox/openapi/document.mts';
import { Deliveries, type Delivery } from '#sandbox/store/deliveries.mts';

let ajv: Ajv2020 | undefined;

function ajvOfDocument(): Ajv2020 {
	const document = openApiDocument();
	return new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, formats: {} })
		.addVocabulary(Object.keys(document))
		.addSchema(document, 'openapi', true, false);
}

/** The difference between a body and the document. Undefined if there is none. */
export function undocumentedIn(event: string, body: unknown): string | undefined {
	ajv ??= ajvOfDocument();
	const content = `webhooks/${event}/post/requestBody/content/application~1json`;
	const validate = ajv.getSchema(`openapi#/${content}/schema`);
	if (!validate) return `${event} is not in the document`;
	if (validate(body)) return undefined;
	return `${event}: ${ajv.errorsText(validate.errors)}`;
}

const undocumented = new Set<string>();
const told = new Map<string, unknown>();
const { value: add } = Object.getOwnPropertyDescriptor(Deliveries.prototype, 'add') as {
	value: (this: Deliveries, ...given: Parameters<Deliveries['add']>) => Delivery;
};
Deliveries.prototype.add = function (...given) {
	const [, event, , text] = given;
	const body = JSON.parse(text) as unknown;
	if (!told.has(event)) told.set(event, body);
	const difference = undocumentedIn(event, body);
	if (difference !== undefined) undocumented.add(difference);
	return add.call(this, ...given);
};

/** The kinds of events that the sandboxes of this test file have sent, each with its first body. */
export const eventsTold = (): ReadonlyMap<string, unknown> => told;

/** Throws if they sent an undocumented event. */
export function requireDocumentedEvents(): void {
	if (undocumented.size > 0) throw new Error([...undocumented].join('\n'));
}
