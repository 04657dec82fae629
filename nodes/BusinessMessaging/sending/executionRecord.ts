import type { IExecuteFunctions } from 'n8n-workflow';

import { SentRecord } from './sentRecord';

/** The sent record of this node in this execution, and in this round of a loop. */
export const sentRecordOf = (context: IExecuteFunctions): SentRecord =>
	SentRecord.open(
		context.getContext('node'),
		Number(context.evaluateExpression('{{ $runIndex }}', 0)),
	);
