/** What two webhook processors make of bursts: each groups what it receives. */
import type { N8nHost } from '../../scripts/n8n/host.mts';
import { SandboxControl } from '../../scripts/n8n/sandbox.mts';
import { createAccount } from '../host/harness/listener.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { BY_CUSTOMER, playBursts } from '../load/bursts.mts';
import type { Report } from '../load/report.mts';
import type { Cluster } from './cluster.mts';
import { secretReader, signInto } from './run.mts';

/** Of the bursts, by how the proxy chooses a processor. */
const WAYS = [
	{ where: 'a processor in turn', isSticky: false, wholeShare: 0 },
	{ where: 'a processor by path', isSticky: true, wholeShare: 0.99 },
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
	for (const { isSticky, ...way } of WAYS) {
		cluster.proxy.isSticky = isSticky;
		const receiver = await publishTrigger(host, BY_CUSTOMER, secretReader(cluster));
		await playBursts(receiver, cluster.postgres.query, { count, ...way }, report);
	}
}
