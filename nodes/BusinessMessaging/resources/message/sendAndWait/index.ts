import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import { askAndWait } from './ask';
import type { BatchOperation } from '../../../shared/operation';
import { fieldsOf } from '../../../shared/operation';
import { fields } from './fields';

/** n8n knows the operation by its value: it makes the node a human-approval tool for agents, and checks the signatures of its resume URLs. */
export const sendAndWait: BatchOperation = {
	option: {
		name: 'Send and Wait for Response',
		value: SEND_AND_WAIT_OPERATION,
		builderHint: {
			propertyHint:
				'Gives data: approved, or text and choice. data.outcome is timedOut when nobody answered.',
		},
		action: 'Send message and wait for response',
		description: 'Ask a customer or a colleague, and wait for the answer',
	},
	fields: fieldsOf('message', SEND_AND_WAIT_OPERATION, fields),
	executeAll: askAndWait,
};
