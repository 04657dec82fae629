/** A service with business accounts and templates, which keeps what is sent. */
import { CHANNEL } from '../../support/constants.mts';
import { respondJson, startScriptedService } from './scriptedService.mts';

export interface Templates {
	/** By business account. */
	businesses: Record<string, object[]>;
	/** Of the channel. Undefined: the account may not read channels. */
	businessId?: string;
	/** Templates on a page. */
	pageSize?: number;
	/** How the service responds to a message. */
	onMessage?: (content: { type: string }) => [status: number, body: object] | undefined;
}

export async function startTemplateService(templates: Templates) {
	const { pageSize = 100 } = templates;
	const service = await startScriptedService(({ method, url }, response) => {
		const { pathname, searchParams } = new URL(url, 'http://service');
		const [, businessId = ''] = /^\/chatapp\/businesses\/([^/]+)\/templates$/.exec(pathname) ?? [];
		if (method === 'POST') {
			const { content } = JSON.parse(service.requests.at(-1)!.body) as {
				content: { type: string };
			};
			const [status, body] = templates.onMessage?.(content) ?? [
				200,
				{ messageId: `message-${service.requests.length}` },
			];
			respondJson(response, status, body);
		} else if (pathname.startsWith('/v1/channels/')) {
			if (templates.businessId === undefined)
				respondJson(response, 422, { error: 'This action requires ENTERPRISE role' });
			else respondJson(response, 200, { id: CHANNEL, businessId: templates.businessId });
		} else if (pathname === '/chatapp/businesses') {
			const businesses = Object.keys(templates.businesses);
			respondJson(
				response,
				200,
				businesses.map((id) => ({ businessId: id, name: `Business ${id}` })),
			);
		} else if (businessId) {
			const status = searchParams.get('status');
			const all = (templates.businesses[businessId] ?? []).filter(
				(template) => !status || (template as { status: string }).status === status,
			);
			const from = Number(searchParams.get('after') ?? 0);
			const next = from + pageSize;
			const cursors = next < all.length ? { after: String(next) } : {};
			respondJson(response, 200, { data: all.slice(from, next), paging: { cursors } });
		} else respondJson(response, 404, { error: 404, message: 'Not found' });
	});
	return {
		...service,
		/** The contents of the messages. */
		sent: () =>
			service.requests
				.filter(({ method }) => method === 'POST')
				.map(({ body }) => (JSON.parse(body) as { content: object }).content),
		reads: () => service.requests.filter(({ method }) => method === 'GET').map(({ url }) => url),
	};
}
