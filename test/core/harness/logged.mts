import { additionalData, triggerWorkflow, webhookContext } from './n8n.mts';

/**
 * What n8n's log is told from now on, instead of the log: each message with the fields beside it. All contexts share the log. A test ends it by
 * `jest.restoreAllMocks`.
 */
export function logged(level: 'info' | 'warn'): unknown[][] {
	const said: unknown[][] = [];
	const nowhere = { production: '', test: '' };
	const { logger } = webhookContext(
		triggerWorkflow(),
		additionalData({ baseUrl: '', secretKey: '' }, nowhere),
	);
	jest.spyOn(logger, level).mockImplementation((...given) => void said.push(given));
	return said;
}
