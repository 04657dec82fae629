import {
	API_KEY_HEADER,
	BUTTON_REPLY_FIELD,
	BUTTON_REPLY_TYPE,
	DELIVERY_SCHEDULE,
	DELIVERY_TIMEOUT,
	MESSAGE_EVENT_TYPES,
} from '../contract.mts';
import { type ErrorShape, Refusal } from '../core/errors.mts';
import type { Operation } from '../faults/schema.mts';
import { type FactId, FACTS, isFactId } from './catalogue.mts';
import { type ExpectedRefusal, isSaid } from './expected.mts';
import type { FactsFile, Found } from './file.mts';

/** How the sandbox behaves where a service was found to differ from the contract. */
export interface Imitation {
	/** Error responses that differ. */
	refusals: ReadonlyArray<{ expected: ExpectedRefusal; found: Found }>;
	/** Statuses of successes that differ. */
	statuses: ReadonlyMap<Operation, number>;
	firstPage: 0 | 1;
	templateRefusals: 422 | 502;
	apiKeyHeader: string;
	/** Milliseconds. */
	deliveryTimeout: number;
	/** Seconds before the first redelivery. */
	firstRetry: number;
	signs: 'fiveField' | 'bodyOnly';
	compresses: boolean;
	eventTypes: Record<keyof typeof MESSAGE_EVENT_TYPES, string>;
	/** The field with the tapped button. Empty: the content itself. */
	buttonField: string;
	buttonType: string;
	/** What a tap carries as its ID: the button's own, its title, or nothing. */
	tapIds: 'own' | 'title' | 'none';
	/** Whether the names of a template's variables are read. Otherwise values go by position. */
	readsNames: boolean;
}

/** A sandbox that keeps to the contract. */
export const AS_DOCUMENTED: Imitation = {
	...{ refusals: [], statuses: new Map(), firstPage: 0 },
	...{ templateRefusals: 422, apiKeyHeader: API_KEY_HEADER },
	...{ deliveryTimeout: DELIVERY_TIMEOUT, firstRetry: DELIVERY_SCHEDULE[1] },
	...{ signs: 'fiveField', compresses: true, eventTypes: MESSAGE_EVENT_TYPES },
	...{ buttonField: BUTTON_REPLY_FIELD, buttonType: BUTTON_REPLY_TYPE },
	...{ tapIds: 'own', readsNames: true },
};

/** What changes with a fact that does not hold. False: the sandbox cannot do that. */
type Change = (found: Found, before: Imitation) => Partial<Imitation> | false;

const CHANGES: Partial<Record<FactId, Change>> = {
	'channels.first-page': ({ number }) => number === 1 && { firstPage: number },
	'template.refusal': ({ status }) => status === 502 && { templateRefusals: status },
	'delivery.api-key': ({ header }) =>
		header !== undefined && { apiKeyHeader: header.toLowerCase() },
	'delivery.timeout': ({ seconds }) => !!seconds && { deliveryTimeout: Math.round(seconds * 1000) },
	'delivery.first-retry': ({ seconds }) => seconds !== undefined && { firstRetry: seconds },
	'delivery.signature': ({ word }) => word === 'bodyOnly' && { signs: word },
	'delivery.gzip': ({ word }) => word === 'never' && { compresses: false },
	'delivery.new-message-type': ({ word }, { eventTypes }) =>
		!!word && { eventTypes: { ...eventTypes, newMessage: word } },
	'status.type': ({ word }, { eventTypes }) =>
		!!word && { eventTypes: { ...eventTypes, status: word } },
	'tap.place': ({ word }) => word !== undefined && { buttonField: word },
	'tap.ids': ({ word }) => (word === 'title' || word === 'none') && { tapIds: word },
	'send.named-variables': ({ word }) => word === 'position' && { readsNames: false },
	'tap.type': ({ word }) => !!word && { buttonType: word },
};

function changeFor(id: FactId, found: Found, before: Imitation): Partial<Imitation> | false {
	const { refusal: expected, success } = FACTS[id];
	const { status = 0 } = found;
	if (expected) return status >= 400 && { refusals: [...before.refusals, { expected, found }] };
	if (!success) return CHANGES[id]?.(found, before) ?? false;
	const isSuccess = status >= 200 && status < 300;
	return isSuccess && { statuses: new Map([...before.statuses, [success[0], status]]) };
}

/** The differences of a file, and the facts that the sandbox imitates or leaves as documented. */
export interface Imitated {
	imitation: Imitation;
	applied: string[];
	left: string[];
}

export function imitationOf({ facts }: FactsFile): Imitated {
	let imitation = AS_DOCUMENTED;
	const applied: string[] = [];
	const left: string[] = [];
	for (const { id, holds, found = {} } of facts) {
		if (holds !== false) continue;
		const change = isFactId(id) && changeFor(id, found, imitation);
		if (change) imitation = { ...imitation, ...change };
		(change ? applied : left).push(id);
	}
	return { imitation, applied, left };
}

/** The lines that a sandbox prints at its start. */
export function factLines({ applied, left }: Imitated): string[] {
	return [
		`  Facts       ${applied.length === 0 ? 'none applied' : `applied: ${applied.join(', ')}`}`,
		...(left.length === 0 ? [] : [`              not imitated: ${left.join(', ')}`]),
	];
}

function matches({ status, words, sandboxWords, subCode }: ExpectedRefusal, refusal: Refusal) {
	if (refusal.status !== status || refusal.details.subCode !== subCode) return false;
	return isSaid(sandboxWords ?? words, refusal.message);
}

/** A refusal and its shape, as the imitated service answers instead. */
export function imitatedRefusal(
	{ refusals }: Imitation,
	operation: Operation | undefined,
	refusal: Refusal,
	shape: ErrorShape,
): { refusal: Refusal; shape: ErrorShape } {
	const other = refusals.find(
		({ expected }) =>
			operation !== undefined &&
			expected.operations.includes(operation) &&
			matches(expected, refusal),
	);
	if (!other) return { refusal, shape };
	const { status = refusal.status, words = refusal.message, subCode, ...found } = other.found;
	const { subCode: _code, description: _words, ...details } = refusal.details;
	const changed = { ...details, ...(subCode === undefined ? {} : { subCode }) };
	return {
		refusal: new Refusal(status, words, changed),
		shape: found.shape === undefined || found.shape === 'other' ? shape : found.shape,
	};
}
