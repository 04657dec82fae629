/**
 * Measures everything, writes docs/benchmarks.md, and ends with 1 if a bound is missed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { readCommandLine, type WordOf } from '../../sandbox/core/commandLine.cjs';
import { BENCH } from '../../scripts/bootstrap/commands/long.cjs';
import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { checkout } from '../../scripts/checkout.mts';
import { Host } from '../host/harness/host.mts';
import { startHostUnderTest } from '../host/harness/setup.mts';
import tearDown from '../host/harness/teardown.mts';
import { endChildren } from './children.mts';
import { benchFlood } from './flood.mts';
import { benchHolding } from './holding.mts';
import { benchIsolates } from './isolates.mts';
import { benchLoading } from './loading.mts';
import { benchMemory } from './memory.mts';
import { benchReceiving } from './receiving.mts';
import { benchReceivingGrouped } from './receivingGrouped.mts';
import { benchReception } from './reception.mts';
import { blockOf, lineOf, renderDocument, type Bound, type Measured } from './report.mts';
import { benchSandbox } from './sandbox.mts';
import { benchScaling } from './scaling.mts';
import { benchSendingBeside } from './sendingBeside.mts';
import { benchSending } from './sendingInN8n.mts';
import { benchSendingWithKeys } from './sendingWithKeys.mts';

const DOCUMENT = join(checkout, 'docs', 'benchmarks.md');

interface Section {
	title: string;
	/**
	 * Measured in a real n8n, which starts after the other sections, because it would share the
	 * processors.
	 */
	inN8n?: (host: Host) => Promise<Measured>;
	alone?: () => Promise<Measured>;
}

/** In the order of the document. */
const SECTIONS: Record<WordOf<typeof BENCH>, Section> = {
	sending: { title: 'Sending from n8n', inN8n: benchSending },
	keys: { title: 'Sending with keys', inN8n: benchSendingWithKeys },
	beside: { title: 'Sending beside the HTTP Request node', inN8n: benchSendingBeside },
	memory: { title: 'Memory of sending', alone: benchMemory },
	receiving: { title: 'Receiving in n8n', inN8n: benchReceiving },
	grouping: { title: 'Receiving in groups', inN8n: async () => await benchReceivingGrouped() },
	flood: { title: 'A flood in groups', inN8n: async () => await benchFlood() },
	holding: { title: 'Memory of held deliveries', inN8n: async () => await benchHolding() },
	isolates: { title: 'Isolates for expressions', alone: benchIsolates },
	reception: { title: 'Processor time of a delivery', alone: benchReception },
	loading: { title: 'Loading', alone: benchLoading },
	sandbox: { title: 'Sandbox', alone: benchSandbox },
	scaling: { title: 'Scaling', alone: benchScaling },
};

const INTRODUCTION = `
# Benchmarks

\`npm run bench\` measures everything, prints its figures, and writes these bounds. It fails if one is missed. \`npm run bench -- ${Object.keys(SECTIONS).slice(0, 2).join(' ')}\` measures only these sections.

\`A / B\` is a ratio to what was measured beside it in the same run, because machines differ. *Rate*: events or executions a second. *Lazy*: with \`N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true\`, which only n8n 2 knows. *Grouping*: by arrival. *Flood*: a message of one customer behind 96 of another, in the time ungrouped and *Quiet Time*. *Scaling*: slopes; 1 is linear.
`;

const TODAY = new Date().toISOString().slice(0, 10);

/** When, where and with what. @param n8n its version, if one took part */
function circumstances(n8n?: string): string {
	const versions = [
		...(n8n === undefined ? [] : [`n8n ${n8n}`]),
		`Node.js ${process.versions.node}`,
	].join(' on ');
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`;
	return `Measured on ${TODAY} with ${versions}, ${machine}.`;
}

await runMain(async () => {
	const chosen: string[] = readCommandLine(BENCH).words;
	const sections = Object.entries(SECTIONS).filter(
		([name]) => chosen.length === 0 || chosen.includes(name),
	);
	const blocks = new Map<string, string>();
	const bounds: Bound[] = [];
	const measure = async (
		name: string,
		title: string,
		work: () => Promise<Measured>,
		n8n?: string,
	) => {
		console.log(`\n== ${title}\n`);
		const measured = await work();
		console.log([...measured.blocks, circumstances(n8n)].join('\n\n'), '\n');
		blocks.set(name, blockOf(name, measured.bounds, TODAY));
		bounds.push(...measured.bounds);
		for (const bound of measured.bounds) console.log(lineOf(bound));
		// After each section, because a later one may fail.
		const before = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '';
		const names = Object.keys(SECTIONS);
		writeFileSync(DOCUMENT, renderDocument(INTRODUCTION, names, blocks, before));
	};

	try {
		for (const [name, { title, alone }] of sections) if (alone) await measure(name, title, alone);
		const inN8n = sections.filter(([, section]) => section.inN8n);
		if (inN8n.length > 0) {
			await startHostUnderTest('info');
			try {
				const host = new Host();
				for (const [name, { title, inN8n: work }] of inN8n)
					if (work) await measure(name, title, () => work(host), host.underTest.version);
			} finally {
				await tearDown();
			}
		}
	} finally {
		endChildren();
	}

	const missed = bounds.filter(({ isHeld }) => !isHeld);
	console.log(`\n${bounds.length - missed.length} of ${bounds.length} bounds held`);
	if (missed.length > 0) throw new ExplainedError(`Missed:\n${missed.map(lineOf).join('\n')}`);
});
