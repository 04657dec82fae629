/** Runs the code that says what the Shop Assistant does next. */
import type { IDataObject } from 'n8n-workflow';

import { runCode } from './evaluate.mts';

const HOUR_MS = 3_600_000;

interface Next extends IDataObject {
	next: string;
	transcript: string;
	/** The IDs of rows that are read no more. A row's ID is its place, from 1. */
	remove: number[];
}

const NOW = Date.now();
export const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * HOUR_MS).toISOString();
export const MESSAGE = { messageId: 'M2', timestamp: at(0), fromMe: false, chatInput: 'And now?' };

/** Runs the node's code. Rows are `[entry, who, text, hours ago]`. */
export function whatIsNext(
	rows: Array<[string, string, string, number?]>,
	message: IDataObject = {},
	optOut: IDataObject = {},
): Next {
	const given = {
		'When Somebody Writes': [{ ...MESSAGE, ...message }],
		Settings: [{ silentMinutes: 30, automaticSeconds: 5, word: '/bot' }],
		'Has Opted Out?': [optOut],
		'': rows.map(([entry, who, text, hoursAgo = 0], index) => ({
			...{ id: index + 1, entry, who, text, writtenAt: at(hoursAgo) },
		})),
	};
	return runCode<Next>('shop-assistant', 'What Is Next?', given)[0]!;
}

export const WRITTEN: [string, string, string] = ['M2', 'Customer', 'And now?'];
export const SENT: [string, string, string] = ['M2 answer', 'Assistant', 'I see.'];
