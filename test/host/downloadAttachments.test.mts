import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DEMO_SECRET_KEY } from '../../sandbox/seed.mts';
import { startScriptedService } from '../core/harness/scriptedService.mts';
import { Host } from './harness/host.mts';

const host = new Host();
afterEach(async () => await host.cleanUp());

const parameters = { resource: 'message', operation: 'downloadAttachments', options: {} };

test('Download Attachments gets files from another host without showing it the key, and names a missing one', async () => {
	const elsewhere = await startScriptedService(({ url }, response) => {
		if (url.startsWith('/moved')) return void response.writeHead(302, { location: '/b' }).end();
		if (url.startsWith('/gone')) return void response.writeHead(404).end();
		response.writeHead(200, { 'content-type': 'image/png' }).end(`file at ${url}`);
	});
	try {
		const items: IDataObject[] = [
			{
				attachments: ['/a.png?signature=s', '/moved'].map((path) => ({
					url: elsewhere.url + path,
				})),
			},
			{ text: 'nothing attached' },
		];
		const run = await host.runAction(
			{ ...parameters, attachments: '={{ $json.attachments }}' },
			{ items },
		);
		expect(run.error).toBeUndefined();
		expect(run.items).toEqual(items);
		const output = run.execution.resultData.runData.Action?.[0]?.data?.main[0] ?? [];
		expect(output.map((item) => (item as INodeExecutionData).binary)).toEqual([
			{
				attachment_0: expect.objectContaining({ fileName: 'a.png', mimeType: 'image/png' }),
				attachment_1: expect.objectContaining({ fileName: 'moved.png', mimeType: 'image/png' }),
			},
			undefined,
		]);

		const failed = await host.runAction(
			{ ...parameters, attachments: '={{ $json.attachments }}' },
			{ items: [{ attachments: { url: `${elsewhere.url}/gone?signature=s` } }] },
		);
		expect(failed.error?.message).toBe(
			`Could not download attachment 0 (${new URL(elsewhere.url).host}): the file is not there (status 404)`,
		);

		expect(elsewhere.requests.map(({ url }) => url)).toEqual([
			'/a.png?signature=s',
			'/moved',
			'/b',
			'/gone?signature=s',
		]);
		const received = JSON.stringify(elsewhere.requests);
		expect(received).not.toMatch(/authorization/i);
		for (const encoding of ['utf8', 'base64', 'hex'] as const)
			expect(received).not.toContain(Buffer.from(DEMO_SECRET_KEY).toString(encoding));
	} finally {
		await elsewhere.close();
	}
});
