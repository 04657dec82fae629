import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient } from '#scripts/n8n/client.mts';
import { providePublication } from '#scripts/n8n/provision.mts';
import type { StoredWorkflow } from '#scripts/n8n/types.mts';
import { listen } from '../../core/harness/listen.mts';

const N8N = 'http://127.0.0.1:5678';

let home: string;
let service: Awaited<ReturnType<typeof listen>>;
/** What the service lists. */
let webhooks: object[];
let calls: string[];
beforeEach(async () => {
	home = mkdtempSync(join(tmpdir(), 'business-messaging-publication-'));
	webhooks = [];
	calls = [];
	const server = createServer(({ method, url = '' }, response) => {
		if (method === 'DELETE') calls.push(`delete ${url.split('/').at(-1)}`);
		response.end(JSON.stringify(webhooks));
	});
	service = await listen(server);
});
afterEach(async () => {
	await service.stop();
	rmSync(home, { recursive: true, force: true });
});

/** Starts once more, with the workflow as n8n has it. @returns what was done with it */
async function start(active: boolean, id = 'auto-reply'): Promise<string[]> {
	calls = [];
	const client = {
		publish: async (workflow: string) => void calls.push(`publish ${workflow}`),
		unpublish: async (workflow: string) => void calls.push(`unpublish ${workflow}`),
	} as unknown as N8nClient;
	await providePublication({ client, url: N8N, home }, { id, active } as StoredWorkflow, {
		baseUrl: service.url,
		secretKey: 'key',
		channelId: 'channel',
	});
	return calls;
}
const live = () => (webhooks = [{ url: `${N8N}/webhook/1`, status: 'ENABLED' }]);

test('a workflow is published at the first start, and stays unpublished if the user unpublished it', async () => {
	expect(await start(false)).toEqual(['publish auto-reply']);
	live();
	expect(await start(true)).toEqual([]);
	webhooks = [];
	expect(await start(false)).toEqual([]);
	expect(await start(false)).toEqual([]);
});

test('one that is published but not live is published again', async () => {
	await start(false);
	expect(await start(true)).toEqual(['unpublish auto-reply', 'publish auto-reply']);
});

test('if n8n moved, its webhook at the former address is deleted, and no other', async () => {
	await start(false);
	const mine = { status: 'ENABLED', customAttributes: { n8n: { workflowId: 'auto-reply' } } };
	webhooks = [
		{ ...mine, id: 'former', url: 'http://127.0.0.1:1/webhook/1' },
		{ ...mine, id: 'disabled', url: `${N8N}/webhook/1`, status: 'DISABLED' },
		{ id: 'of-another', url: 'http://127.0.0.1:1/webhook/2', status: 'ENABLED' },
	];
	expect(await start(true)).toEqual([
		...['unpublish auto-reply', 'delete former', 'publish auto-reply'],
	]);
});

test('one whose publication failed is published at the next start', async () => {
	const client = {
		publish: async () => await Promise.reject(new Error('no')),
	} as unknown as N8nClient;
	const nowhere = { baseUrl: '', secretKey: '', channelId: '' };
	const workflow = { id: 'auto-reply', active: false } as StoredWorkflow;
	await expect(providePublication({ client, url: N8N, home }, workflow, nowhere)).rejects.toThrow(
		'no',
	);
	expect(await start(false)).toEqual(['publish auto-reply']);
});

test('n8n is asked again while it refuses everything because its database is slow', async () => {
	const answers = [503, 503, 200];
	const statuses: number[] = [];
	const n8n = await listen(
		createServer((_, response) => {
			const status = answers.shift() ?? 400;
			statuses.push(status);
			response.statusCode = status;
			response.end(JSON.stringify({ message: 'Database is not ready!', data: 'yes' }));
		}),
	);
	try {
		const client = new N8nClient(n8n.url);
		expect(await client.request('POST', '/workflows')).toBe('yes');
		expect(statuses).toEqual([503, 503, 200]);
		await expect(client.request('GET', '/workflows')).rejects.toThrow('with 400');
	} finally {
		await n8n.stop();
	}
});
