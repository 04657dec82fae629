import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import { askAndWait } from './askAndWait';
import type { BatchOperation } from '../../../shared/operation';
import { fieldsOf } from '../../../shared/operation';
import { fields } from './sendAndWaitFields';

/**
 * n8n recognises the operation by its value. It makes the node a human-approval tool for agents,
 * and checks the signatures of its resume URLs.
 */
export const sendAndWait: BatchOperation = {
	option: {
		name: 'Send and Wait for Response',
		value: SEND_AND_WAIT_OPERATION,
		builderHint: {
			propertyHint:
				'A customer replies in the chat: askIn chat, responseType replyInChat. Gives data: approved, or text and choice. data.outcome is timedOut if nobody replied.',
		},
		action: 'Send message and wait for response',
		description: 'Ask a customer or a colleague, and wait for the reply. Gives it in data.',
	},
	fields: fieldsOf('message', SEND_AND_WAIT_OPERATION, fields),
	executeAll: askAndWait,
};
