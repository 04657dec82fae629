import { WINDOW_CLOSED_PATTERN } from '../contract';
import { mediaHint } from './mediaHints';
import { type Rule, says } from './rule';

/** What responses to a message mean, and to no other request. */
export const MESSAGE_RULES: readonly Rule[] = [
	// Codes that only the service has. Each means that nothing was sent.
	{
		status: [400],
		of: ['message'],
		when: ({ subCode }) => subCode !== undefined,
		says: ({ isFromService: isOwn, quote, subCode = '' }) => ({
			reason: 'media_rejected',
			cause: `the service did not accept the file (${isOwn ? quote : subCode})`,
			hint: mediaHint(subCode),
			effect: 'none',
		}),
	},
	{
		status: [502],
		of: ['message'],
		when: ({ subCode }) => subCode !== undefined,
		says: ({ isFromService: isOwn, quote, subCode = '' }) => ({
			reason: 'media_failed',
			cause: `the service could not send the file (${isOwn ? quote : subCode})`,
			hint: `${mediaHint(subCode)} Nothing was sent, so you can try again, or turn on "Retry On Fail" in the node's settings.`,
			effect: 'none',
		}),
	},
	{
		status: [422],
		of: ['message'],
		when: says(WINDOW_CLOSED_PATTERN),
		says: {
			reason: 'window_closed',
			cause: 'the 24-hour conversation window is closed',
			hint: 'A free-form message can be sent only within 24 hours of the customer\'s last message. An approved template works at any time: choose "Send a Template Instead" in "When the Window Is Closed", or use the operation Send Template.',
		},
	},
];
