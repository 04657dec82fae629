/**
 * Run by itself: the built package's Send Text in n8n's own execution engine, for a service that
 * accepts at once. Prints JSON.
 *
 *     node --expose-gc --import tsx test/bench/scalingSend.mts <time|memory> <items> <recipients>
 */
import { setImmediate } from 'node:timers/promises';

import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { runInEngine } from '../core/harness/engine.mts';
import { sendTextParameters } from '../host/harness/conversations.mts';
import { builtNode } from './builtNode.mts';

const [mode, items, recipients] = process.argv.slice(2);
const count = Number(items);
const samples = new Set(
	mode === 'memory'
		? Array.from({ length: 10 }, (_, sample) => Math.floor((count * (sample + 1)) / 11))
		: [],
);
const heap = () => {
	globalThis.gc!();
	return process.memoryUsage().heapUsed;
};

const built = builtNode('BusinessMessaging');
let sent = 0;
/** Seconds, or bytes of the heap beside the input at its highest. */
let figure = 0;

/** The built node; its requests go nowhere, and its run is measured. */
const measured: INodeType = {
	description: built.description,
	async execute(this: IExecuteFunctions) {
		const before = samples.size > 0 ? heap() : 0;
		const respond = async () => {
			sent += 1;
			if (samples.has(sent)) figure = Math.max(figure, heap() - before);
			await setImmediate();
			return {
				statusCode: 200,
				headers: {},
				body: { messageId: sent.toString(16).toUpperCase().padStart(32, '0') },
			};
		};
		const context = Object.create(this, {
			helpers: { value: { ...this.helpers, httpRequestWithAuthentication: respond } },
		}) as IExecuteFunctions;
		const began = performance.now();
		const output = await built.execute!.call(context);
		if (mode === 'time') figure = (performance.now() - began) / 1000;
		else figure = Math.max(figure, heap() - before);
		return output;
	},
};

const { error, items: output } = await runInEngine({
	baseUrl: 'http://127.0.0.1',
	parameters: sendTextParameters('019E4C54B1B375A28970B605CA9B03C3', { maxConcurrency: 20 }),
	items: Array.from({ length: count }, (_, index) => ({
		to: String(5511900000000 + (index % Number(recipients))),
		text: `Hello ${index}`,
	})),
	nodeType: measured,
});
if (error || output.length !== count || sent !== count)
	throw new Error(`${sent} of ${count} texts were sent: ${error?.message}`);
console.log(JSON.stringify(figure));
