import { additionalData, triggerWorkflow, webhookContext } from './n8n.mts';

/**
 * Collects from now on what goes to n8n's log: each message with its fields. All contexts share the
 * log. A test ends this with `jest.restoreAllMocks`.
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
