import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from '../../../service/errors';
import { brokenBaseOfLinks } from '../../../workarounds/pathOfLinks';
import { makeLink } from './links';

/**
 * Refuses to ask where n8n would refuse every reply.
 * @throws ServiceError `n8n_unreachable` that names WEBHOOK_URL
 */
export function requireWorkingLinks(context: IExecuteFunctions, questionId: string): void {
	const base = brokenBaseOfLinks(context, makeLink(context, questionId).url);
	if (base === undefined) return;
	const { origin, pathname } = new URL(base);
	throw new ServiceError('ask the question', {
		reason: 'n8n_unreachable',
		effect: 'none',
		cause: `this n8n would refuse every reply, because its WEBHOOK_URL has a path, ${base}`,
		hint: `Nothing was sent. n8n signs its links with the path ${pathname}, and checks them without it. Set the environment variable WEBHOOK_URL to ${origin}/, and let the proxy pass /webhook/ and /webhook-waiting/ on as they are. The editor can stay at its path. Or give n8n a host name of its own. Then restart n8n, publish workflows with a trigger again, and run this workflow again.`,
	});
}
