/** What the trigger makes of a body with its default settings. */
import type { IDataObject, JsonValue } from 'n8n-workflow';

import { type OutputSettings, toEvents } from '#nodes/delivery/event/message.ts';
import { messageBody } from '../../../core/harness/deliveries.mts';

export const SETTINGS: OutputSettings = {
	output: 'simplified',
	chatFields: false,
	skipOwnMessages: false,
	senders: [],
	contentKinds: [],
	statuses: [],
};

export const items = (body: unknown, changes: Partial<OutputSettings> = {}): IDataObject[] =>
	toEvents(body as JsonValue, { ...SETTINGS, ...changes }).map(({ item }) => item);

/** The published message with these fields. */
export function withFields(fields: object, options: Parameters<typeof messageBody>[0] = {}) {
	const body = messageBody(options);
	return { ...body, message: { ...body.message, ...fields } };
}

/** What the trigger makes of it. */
export const itemOf = (fields: object, fromMe = false): IDataObject =>
	items(withFields(fields, { fromMe }))[0] ?? {};
