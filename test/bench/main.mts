/** Measures everything, writes docs/benchmarks.md, and ends with 1 if a bound is missed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { command, readCommandLine, type WordOf } from '#sandbox/core/commandLine.cjs';
import { ExplainedError, runMain } from '#scripts/bootstrap/explained.cjs';
import { checkout } from '#scripts/checkout.mts';
import { Host } from '../host/harness/host.mts';
import { startHostUnderTest } from '../host/harness/setup.mts';
import tearDown from '../host/harness/teardown.mts';
import { benchBatch } from './batch.mts';
import { benchLoading } from './loading.mts';
import { benchQueue } from './queue.mts';
import { benchReceiving } from './receiving.mts';
import { benchReceivingGrouped } from './receivingGrouped.mts';
import { blockOf, lineOf, renderDocument, type Bound } from './report.mts';
import { benchSending } from './sendingInN8n.mts';
import { benchSendingWithKeys } from './sendingWithKeys.mts';

const BENCH = command({
	name: 'npm run bench --',
	about:
		'Measures everything, writes docs/benchmarks.md, and ends with 1 if a bound is missed. With names, it measures these sections only; queue, which needs PostgreSQL and Redis, only by its name.',
	words: {
		usage: '[section ...]',
		name: 'section',
		among: ['sending', 'batch', 'keys', 'receiving', 'grouping', 'loading', 'queue'],
	},
	options: {},
	example: 'sending keys',
});

const DOCUMENT = join(checkout, 'docs', 'benchmarks.md');

/** In the order of the document. */
const SECTIONS: Record<WordOf<typeof BENCH>, (host: Host) => Promise<Bound[]>> = {
	sending: benchSending,
	batch: benchBatch,
	keys: benchSendingWithKeys,
	receiving: benchReceiving,
	grouping: benchReceivingGrouped,
	loading: benchLoading,
	queue: benchQueue,
};

const INTRODUCTION = `
# Benchmarks

\`npm run bench\` measures everything and fails if a bound is missed.

\`A / B\` is a ratio to what was measured beside it, because machines differ. *Rate*: events or executions a second, by n8n's version. *Lazy*: with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, of n8n 2. *Batch*: the worst of 200, 1,000 and 3,000 texts. *Grouping*: by arrival.
`;

const TODAY = new Date().toISOString().slice(0, 10);

await runMain(async () => {
	const chosen: string[] = readCommandLine(BENCH).words;
	const sections = Object.entries(SECTIONS).filter(([name]) =>
		chosen.length === 0 ? name !== 'queue' : chosen.includes(name),
	);
	console.log(
		`With Node.js ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
	);
	const blocks = new Map<string, string>();
	const bounds: Bound[] = [];
	await startHostUnderTest('info');
	try {
		const host = new Host();
		for (const [name, measure] of sections) {
			console.log(`\n== ${name}\n`);
			const measured = await measure(host);
			blocks.set(name, blockOf(name, measured, TODAY));
			bounds.push(...measured);
			for (const each of measured) console.log(lineOf(each));
			// After each section, because a later one may fail.
			const before = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
			writeFileSync(DOCUMENT, renderDocument(INTRODUCTION, Object.keys(SECTIONS), blocks, before));
		}
	} finally {
		await tearDown();
	}

	const missed = bounds.filter(({ isHeld }) => !isHeld);
	console.log(`\n${bounds.length - missed.length} of ${bounds.length} bounds held`);
	if (missed.length > 0) throw new ExplainedError(`Missed:\n${missed.map(lineOf).join('\n')}`);
});
