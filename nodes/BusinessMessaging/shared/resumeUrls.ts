import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * How the resume URLs of this n8n begin: origin and path, before the execution's ID. Only in an
 * execution, because n8n gives a trigger no resume URL.
 */
export function resumeStartOf(context: IExecuteFunctions | IWebhookFunctions): string {
	return startOfResumeUrl(context.getSignedResumeUrl({}));
}

/** n8n puts the IDs of the execution and of the node behind it. */
export function startOfResumeUrl(url: string): string {
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname.split('/').slice(0, -2).join('/')}/`;
}

/**
 * Whether a question's webhook goes to this n8n. Its mark cannot tell, because a restored copy of
 * the database has the same instance ID.
 */
export function isResumeUrl(url: string, resumeStart: string): boolean {
	try {
		const { origin, pathname, username, password } = new URL(url);
		return username + password === '' && `${origin}${pathname}`.startsWith(resumeStart);
	} catch {
		return false;
	}
}
