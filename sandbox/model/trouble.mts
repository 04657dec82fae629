/** What a person asks of the stand-in in their last line: to fail, or to take its time. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { ModelRequest } from './conversation.mts';

const FAILS = /\(the model fails\)/i;
const TAKES = /\(the model takes (\d{1,3}) s\)/i;

/** Waits or throws as the last line says. Not when a tool has given its result. */
export async function trouble({ messages }: ModelRequest): Promise<void> {
	const last = messages.at(-1);
	if (last?.role !== 'user') return;
	const line = last.content.trim().split('\n').at(-1) ?? '';
	const [, seconds] = TAKES.exec(line) ?? [];
	if (seconds !== undefined) await sleep(Number(seconds) * 1000);
	if (FAILS.test(line)) throw new Error('The stand-in fails, because the last line asks for it');
}
