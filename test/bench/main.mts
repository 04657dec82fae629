/**
 * Measures everything side by side, writes docs/benchmarks.md, and ends with 1 when a bound is missed.
 *
 *     npm run bench [-- section ...]     measures these sections only; the others stay in the document as they are
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { ExplainedError, runMain } from '../../scripts/bootstrap/explained.cjs';
import { checkout } from '../../scripts/checkout.mts';
import { Host } from '../host/harness/host.mts';
import { startHostUnderTest } from '../host/harness/setup.mts';
import tearDown from '../host/harness/teardown.mts';
import { endChildren } from './children.mts';
import { benchIsolates } from './isolates.mts';
import { benchLoading } from './loading.mts';
import { benchMemory } from './memory.mts';
import { benchReceiving } from './receiving.mts';
import { benchHolding, benchReceivingGrouped } from './receivingGrouped.mts';
import { benchReception } from './reception.mts';
import { lineOf, renderDocument, renderSection, type Bound, type Measured } from './report.mts';
import { benchSandbox } from './sandbox.mts';
import { benchScaling } from './scaling.mts';
import { benchSendingBeside } from './sendingBeside.mts';
import { benchSending } from './sendingInN8n.mts';
import { benchSendingWithKeys } from './sendingWithKeys.mts';

const DOCUMENT = join(checkout, 'docs', 'benchmarks.md');
const PICTURES = 'benchmarks';

interface Section {
	title: string;
	/** Measured in a real n8n, which is started after the sections that do without: it would share the processors. */
	inN8n?: (host: Host) => Promise<Measured>;
	alone?: () => Promise<Measured>;
}

/** In the order of the document. */
const SECTIONS: Record<string, Section> = {
	sending: { title: 'Sending from n8n', inN8n: benchSending },
	keys: { title: 'Sending with keys', inN8n: benchSendingWithKeys },
	beside: { title: 'Sending beside the HTTP Request node', inN8n: benchSendingBeside },
	memory: { title: 'Memory of sending', alone: benchMemory },
	receiving: { title: 'Receiving in n8n', inN8n: benchReceiving },
	grouping: { title: 'Receiving in groups', inN8n: async () => await benchReceivingGrouped() },
	holding: { title: 'Memory of held deliveries', inN8n: async () => await benchHolding() },
	isolates: { title: 'Isolates for expressions', alone: benchIsolates },
	reception: { title: 'Processor time of a delivery', alone: benchReception },
	loading: { title: 'Loading', alone: benchLoading },
	sandbox: { title: 'Sandbox', alone: benchSandbox },
	scaling: { title: 'Scaling', alone: () => benchScaling(keepPicture) },
};

const INTRODUCTION = `
# Benchmarks

Written by \`npm run bench\`, which measures all of it in one run; \`npm run bench -- ${Object.keys(SECTIONS).slice(0, 2).join(' ')}\` repeats sections (${Object.keys(SECTIONS).join(', ')}) and leaves the others as they are. It ends with an error when a bound is missed.

Figures are medians, with minimum and maximum in brackets. Compare ratios, not seconds: machines differ.
`;

function keepPicture(file: string, svg: string): string {
	const folder = join(checkout, 'docs', PICTURES);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, file), svg);
	return `${PICTURES}/${file}`;
}

/** When, where and with what. @param n8n its version, where one took part */
function circumstances(n8n?: string): string {
	const versions = [
		...(n8n === undefined ? [] : [`n8n ${n8n}`]),
		`Node.js ${process.versions.node}`,
	].join(' on ');
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB of memory`;
	return `*Measured on ${new Date().toISOString().slice(0, 10)} with ${versions}, ${machine}.*`;
}

await runMain(async () => {
	const chosen = process.argv.slice(2);
	for (const name of chosen) {
		if (!SECTIONS[name])
			throw new ExplainedError(
				`There is no section '${name}': it is one of ${Object.keys(SECTIONS).join(', ')}.`,
			);
	}
	const sections = Object.entries(SECTIONS).filter(
		([name]) => chosen.length === 0 || chosen.includes(name),
	);
	const rendered = new Map<string, string>();
	const bounds: Bound[] = [];
	const measure = async (title: string, work: () => Promise<Measured>, n8n?: string) => {
		console.log(`\n== ${title}`);
		const measured = await work();
		rendered.set(title, renderSection(title, measured, circumstances(n8n)));
		bounds.push(...measured.bounds);
		for (const bound of measured.bounds) console.log(lineOf(bound));
		// After each section: what comes later may fail.
		const titles = Object.values(SECTIONS).map((section) => section.title);
		writeFileSync(
			DOCUMENT,
			renderDocument(
				INTRODUCTION,
				titles,
				rendered,
				existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : '',
			),
		);
	};

	try {
		for (const [, { title, alone }] of sections) if (alone) await measure(title, alone);
		const inN8n = sections.filter(([, section]) => section.inN8n);
		if (inN8n.length > 0) {
			await startHostUnderTest('info');
			try {
				const host = new Host();
				for (const [, { title, inN8n: work }] of inN8n)
					if (work) await measure(title, () => work(host), host.underTest.version);
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
