/** Runs what says what the Shop Assistant does next. */
import type { IDataObject } from 'n8n-workflow';

import { evaluate, nodeOf, runCode } from './evaluate.mts';

const EXAMPLE = 'shop-assistant';
const HOUR_MS = 3_600_000;

const NOW = Date.now();
export const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * HOUR_MS).toISOString();
export const MESSAGE = { messageId: 'M2', timestamp: at(0), fromMe: false, chatInput: 'And now?' };

interface Rule {
	outputKey: string;
	conditions: { conditions: Array<{ leftValue: string }> };
}
const { rules } = nodeOf(EXAMPLE, 'What Is Next?').parameters as unknown as {
	rules: { values: Rule[] };
};

export type Row = [entry: string, who: string, text: string, hoursAgo?: number];
interface Next {
	next: string;
	tell: string;
	draft?: { entry: string; text: string };
	transcript: string;
}

export function whatIsNext(rows: Row[], message: IDataObject = {}, optOut: IDataObject = {}): Next {
	const kept = rows.map(([entry, who, text, hoursAgo = 0], index) => ({
		...{ id: index + 1, entry, who, text, writtenAt: at(hoursAgo) },
	}));
	const trigger = { ...MESSAGE, ...message };
	const given = {
		Settings: [{ ...trigger, silentMinutes: 30, automaticSeconds: 5, word: '/bot' }],
	};
	const read = runCode(EXAMPLE, 'Who Is at It?', { ...given, '': kept });
	const [facts = {}] = runCode(EXAMPLE, 'What Was Done?', { ...given, '': read });
	const optOuts = { 'Has Opted Out?': { all: () => [{ json: optOut }] } } as never;
	const isTrue = ({ leftValue }: { leftValue: string }) =>
		evaluate(leftValue, facts, { Settings: trigger }, optOuts) === true;
	const rule = rules.values.find(({ conditions }) => conditions.conditions.some(isTrue));
	const [said] = runCode(EXAMPLE, 'The Chat So Far', { ...given, '': [facts] });
	return { ...facts, ...said, next: rule?.outputKey ?? 'Done' } as unknown as Next;
}

export const WRITTEN: Row = ['M2', 'Customer', 'And now?'];
export const SENT: Row = ['M2 answer', 'Assistant', 'I see.'];
