/** What two webhook processors make of bursts: each groups what it receives. */
import type { N8nHost } from '#scripts/n8n/host.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import { createAccount } from '../host/harness/listener.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { BY_CUSTOMER, playBursts } from '../load/bursts.mts';
import { byPath, inTurn } from '../load/proxy.mts';
import type { Report } from '../load/report.mts';
import type { Cluster } from './cluster.mts';
import { secretReader, signInto } from './run.mts';

/** Of the bursts, by how the proxy chooses a processor. */
const WAYS = [
	{ where: 'a processor in turn', first: inTurn(), wholeShare: 0 },
	{ where: 'a processor by path', first: byPath, wholeShare: 0.99 },
];

/** @param count of bursts, each way */
export async function receiveBursts(
	cluster: Cluster,
	n8n: N8nHost,
	sandboxUrl: string,
	count: number,
	report: Report,
): Promise<void> {
	const { secretKey } = await createAccount({ sandbox: new SandboxControl(sandboxUrl) }, []);
	const host = await signInto(cluster, n8n, sandboxUrl, secretKey);
	for (const { first, ...way } of WAYS) {
		cluster.proxy.first = first;
		const receiver = await publishTrigger(host, BY_CUSTOMER, secretReader(cluster));
		await playBursts(receiver, cluster.postgres.query, { count, ...way }, report);
	}
}
