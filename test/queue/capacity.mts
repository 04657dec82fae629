/**
 * Processor time of an event at each part of a cluster, what follows for larger ones, and whether
 * it is so here.
 */
import { cpus } from 'node:os';
import { basename } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import type { N8nHost } from '../../scripts/n8n/host.mts';
import { SandboxControl } from '../../scripts/n8n/sandbox.mts';
import { Service } from '../host/harness/bursts.mts';
import { createAccount } from '../host/harness/listener.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { allEnded } from '../load/executions.mts';
import { type ProcessFacts, processorSeconds } from '../load/processes.mts';
import type { Report } from '../load/report.mts';
import type { Cluster } from './cluster.mts';
import { secretReader, signInto } from './run.mts';

const WARM_UP = 300;
const CONNECTIONS = 50;
const LIMIT_MS = 300_000;
/** Lowest and highest share of the predicted events. */
const AGREEMENT = [0.7, 1.4] as const;
/** How busy a part is planned to be. */
const BUSY = 0.6;
const RATES = [10, 100, 1000, 10_000];

const GROUPINGS: Record<string, INodeParameters> = {
	'an execution each': {},
	'by arrival': { grouping: 'arrival' },
};
const PARTS = ['processor', 'worker', 'main', 'postgres', 'redis', 'proxy'] as const;
type Part = (typeof PARTS)[number];

/**
 * Seconds of processor time for an event, at each part. The proxy is the run's own, and writes the
 * events, too.
 */
type Costs = Record<Part, number>;

function partOf({ command, environment }: ProcessFacts, pid: number): Part | undefined {
	if (pid === process.pid) return 'proxy';
	const folder = environment.find((entry) => entry.startsWith('N8N_USER_FOLDER='));
	const member = folder && basename(folder).replace(/-\d$/, '');
	if (member === 'processor' || member === 'worker' || member === 'main') return member;
	if (command.includes('redis-server')) return 'redis';
	return command.includes('postgres') ? 'postgres' : undefined;
}

const total = (costs: Costs) => PARTS.reduce((sum, part) => sum + costs[part], 0);

/**
 * Events a second of these processors and two workers on this machine. An n8n process uses one
 * core, and all parts share the cores.
 */
const predicted = (costs: Costs, processors: number) =>
	Math.min(processors / costs.processor, 2 / costs.worker, cpus().length / total(costs));

/** @param events of each case */
export async function measureCapacity(
	cluster: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	events: number,
	report: Report,
): Promise<void> {
	const { secretKey } = await createAccount({ sandbox: new SandboxControl(sandboxUrl) }, []);
	const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
	const backends = [...cluster.proxy.backends];
	for (const [name, parameters] of Object.entries(GROUPINGS)) {
		const service = new Service(await publishTrigger(host, parameters, secretReader(cluster)));
		const cases: Array<{ processors: number; rate: number; costs: Costs }> = [];
		for (const processors of [1, 2]) {
			cluster.proxy.backends = backends.slice(0, processors);
			await service.load(WARM_UP, CONNECTIONS);
			await allEnded(cluster.postgres.query, LIMIT_MS);
			const before = processorSeconds(partOf);
			const began = performance.now();
			await service.load(events, CONNECTIONS);
			await allEnded(cluster.postgres.query, LIMIT_MS);
			const rate = (events / (performance.now() - began)) * 1000;
			const after = processorSeconds(partOf);
			const costOf = (part: Part) => ((after.get(part) ?? 0) - (before.get(part) ?? 0)) / events;
			const costs = Object.fromEntries(PARTS.map((part) => [part, costOf(part)])) as Costs;
			cases.push({ processors, rate, costs });
			report.figure(
				`${name}, ${processors} processors: milliseconds of processor time for an event`,
				PARTS.map((part) => `${part} ${(1000 * costs[part]).toFixed(2)}`).join(', '),
			);
		}
		const [one, two] = cases;
		for (const [measured, other] of [
			[one!, two!],
			[two!, one!],
		]) {
			const wanted = predicted(other!.costs, measured!.processors);
			const what = `${name}, ${measured!.processors} processors: events a second, ${measured!.rate.toFixed(0)}, in those that the other case predicts, ${wanted.toFixed(0)}`;
			const share = Number((measured!.rate / wanted).toFixed(2));
			report.atLeast(what, share, AGREEMENT[0]);
			report.atMost(what, share, AGREEMENT[1]);
		}
		printPlan(name, two!.costs);
	}
}

/** Parts for each rate, planned to be as busy as `BUSY`. */
function printPlan(name: string, costs: Costs): void {
	const needed = (rate: number, part: Part) => Math.max(1, Math.ceil((rate * costs[part]) / BUSY));
	console.log(
		`\n| ${name}: events a second | Processors | Workers | Cores of PostgreSQL | Redis |`,
	);
	console.log('| --- | --- | --- | --- | --- |');
	for (const rate of RATES) {
		const redis = Math.round(100 * rate * costs.redis);
		console.log(
			`| ${rate.toLocaleString('en')} | ${needed(rate, 'processor')} | ${needed(rate, 'worker')} | ${needed(rate, 'postgres')} | ${redis}% of a core |`,
		);
	}
}
