/** Checks events against the AsyncAPI document of the sandbox. */
import { Ajv, type ValidateFunction } from 'ajv';

import { asyncApiDocument } from '../../sandbox/asyncapi/document.mts';
import { Deliveries, type Delivery } from '../../sandbox/store/deliveries.mts';

let ajv: Ajv | undefined;

function ajvOfDocument(): Ajv {
	const document = asyncApiDocument();
	return new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
		.addVocabulary(Object.keys(document))
		.addSchema(document, 'asyncapi', true, false);
}

function validatorOf(event: string): ValidateFunction | undefined {
	ajv ??= ajvOfDocument();
	return ajv.getSchema(`asyncapi#/components/messages/${event}/payload`);
}

/** The difference between a body and the document. Undefined if there is none. */
export function undocumentedIn(event: string, body: unknown): string | undefined {
	const validate = validatorOf(event);
	if (!validate) return `${event} is not in the document`;
	if (validate(body)) return undefined;
	return `${event}: ${ajv!.errorsText(validate.errors)}`;
}

const undocumented = new Set<string>();
const told = new Set<string>();
const { value: add } = Object.getOwnPropertyDescriptor(Deliveries.prototype, 'add') as {
	value: (this: Deliveries, ...given: Parameters<Deliveries['add']>) => Delivery;
};
Deliveries.prototype.add = function (...given) {
	const [, event, , body] = given;
	told.add(event);
	const difference = undocumentedIn(event, JSON.parse(body));
	if (difference !== undefined) undocumented.add(difference);
	return add.call(this, ...given);
};

/** The kinds of events that the sandboxes of this test file have sent. */
export const eventsTold = (): string[] => [...told].sort();

/** Throws if they sent an undocumented event. */
export function requireDocumentedEvents(): void {
	if (undocumented.size > 0) throw new Error([...undocumented].join('\n'));
}
