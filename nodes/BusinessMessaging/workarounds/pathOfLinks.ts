import type { IExecuteFunctions } from 'n8n-workflow';

/** Milliseconds. n8n asks itself. */
const TIMEOUT = 3000;

/**
 * The address below which n8n has its links, if it has a path that breaks them. n8n signs a link
 * with its whole path, and checks the path that arrives. n8n itself serves nothing below the path
 * of WEBHOOK_URL, so a proxy has to remove it, and each link gets 401. This holds for n8n's own
 * nodes, too (n8n's issue 19635, open in 2.41).
 *
 * Where endpoints themselves were moved below a path, links do work, and n8n 2 says so: it refuses
 * a link before it looks at the state of the execution. n8n 1 checks no link of an execution that
 * does not wait yet, so its word says nothing.
 *
 * Can go once n8n checks links below a path.
 */
export async function brokenBaseOfLinks(
	context: IExecuteFunctions & { setSignatureValidationRequired?(): void },
	link: string,
): Promise<string | undefined> {
	const { origin, pathname } = new URL(link);
	const path = commonPath(pathname, new URL(context.getRestApiUrl()).pathname);
	if (path === '/') return undefined;
	const isAsked = context.setSignatureValidationRequired === undefined;
	return isAsked && (await isAccepted(context, link)) ? undefined : origin + path;
}

/** The folders that two paths begin with: `/n8n/`. */
function commonPath(one: string, other: string): string {
	const others = other.split('/');
	const folders = one.split('/').slice(0, -1);
	const end = folders.findIndex((folder, index) => folder !== others[index]);
	return [...(end === -1 ? folders : folders.slice(0, end)), ''].join('/');
}

/** Whether n8n takes the link for its own. It does nothing, because the execution runs. */
async function isAccepted({ helpers }: IExecuteFunctions, link: string): Promise<boolean> {
	try {
		const response = (await helpers.httpRequest({
			url: link,
			timeout: TIMEOUT,
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
		})) as { statusCode: number; body: unknown };
		return (
			response.statusCode === 409 && JSON.stringify(response.body).includes('is running already')
		);
	} catch {
		return false;
	}
}
