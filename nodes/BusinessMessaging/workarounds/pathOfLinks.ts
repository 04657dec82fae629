import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * The address from which n8n makes its URLs, if it has a path: then n8n refuses its own links. It
 * signs a link with its whole path, and checks the path that arrives. But it serves nothing below
 * the path of WEBHOOK_URL, so a proxy has to remove it. This holds for n8n's own nodes, too (n8n's
 * issue 19635, open in 2.41).
 *
 * An endpoint that is itself below a path, by N8N_ENDPOINT_WEBHOOK_WAIT, works. So the path counts
 * only if it is also before n8n's REST API, which no set-up with an editor moves.
 *
 * Can go once n8n checks links below a path.
 */
export function brokenBaseOfLinks(context: IExecuteFunctions, link: string): string | undefined {
	const { origin, pathname } = new URL(link);
	const path = commonPath(pathname, new URL(context.getRestApiUrl()).pathname);
	return path === '/' ? undefined : origin + path;
}

/** The folders that two paths begin with: `/n8n/`. */
function commonPath(one: string, other: string): string {
	const others = other.split('/').slice(0, -1);
	const folders = one.split('/').slice(0, -1);
	const end = folders.findIndex((folder, index) => folder !== others[index]);
	return [...(end === -1 ? folders : folders.slice(0, end)), ''].join('/');
}
