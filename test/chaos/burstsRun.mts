import type { N8nHost } from '../../scripts/n8n/host.mts';
import { startN8nFor } from '../host/harness/ownN8n.mts';
import { publishTrigger } from '../host/harness/receivers.mts';
import { BY_CUSTOMER, playBursts } from '../load/bursts.mts';
import { sqliteQuery } from '../load/executions.mts';
import type { Report } from '../load/report.mts';

const WHOLE_SHARE = 0.99;
/** The guide's advice for many events; and n8n by itself keeps the last 10,000 executions only. */
const ENV = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true', EXECUTIONS_DATA_PRUNE: 'false' };

/** @param count of bursts */
export async function receiveBursts(
	program: N8nHost,
	service: { sandboxUrl: string; secretKey: string },
	count: number,
	report: Report,
): Promise<void> {
	const n8n = await startN8nFor(service, program, ENV);
	try {
		await playBursts(
			await publishTrigger(n8n.host, BY_CUSTOMER),
			sqliteQuery(n8n.host.underTest.home),
			{ count, wholeShare: WHOLE_SHARE, where: 'one process' },
			report,
		);
	} finally {
		await n8n.remove();
	}
}
