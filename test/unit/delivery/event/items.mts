/** What the trigger makes of a body with its default settings. */
import type { IDataObject, JsonValue } from 'n8n-workflow';

import {
	type OutputSettings,
	toEvents,
} from '../../../../nodes/BusinessMessaging/delivery/event/message.ts';

const SETTINGS: OutputSettings = {
	output: 'simplified',
	chatFields: false,
	skipOwnMessages: false,
	senders: [],
	contentKinds: [],
	statuses: [],
};

export const items = (body: unknown, changes: Partial<OutputSettings> = {}): IDataObject[] =>
	toEvents(body as JsonValue, { ...SETTINGS, ...changes }).map(({ item }) => item);
