import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startSandbox } from '#sandbox/server.mts';
import { startTestSandbox, until } from './helpers.mts';

let dataFile: string;
beforeEach(() => (dataFile = join(mkdtempSync(join(tmpdir(), 'sandbox-')), 'data.sqlite')));
afterEach(() => rmSync(join(dataFile, '..'), { recursive: true, force: true }));

it.each([1, 99])('refuses a data file of version %i, with the remedy', async (version) => {
	const db = new DatabaseSync(dataFile);
	db.exec(`PRAGMA user_version=${version}`);
	db.close();
	await expect(startSandbox({ dataFile })).rejects.toThrow(
		/Choose another folder with --data, or delete this one/,
	);
});

it('decides a template after a restart whose review was under way', async () => {
	const first = await startTestSandbox({ dataFile });
	const templateReview = { verdict: 'APPROVED', afterMs: 3_600_000 };
	await first.control('/settings', { method: 'PATCH', body: { templateReview } });
	await first.control('/message-templates', { body: { name: 'sale', body: 'Hello' } });
	await first.close();
	const second = await startTestSandbox({ dataFile });
	const statusOf = async () => {
		const { templates } = await second.control<{
			templates: Array<{ name: string; status: string }>;
		}>('/message-templates');
		return templates.find(({ name }) => name === 'sale')?.status;
	};
	try {
		expect(await statusOf()).toBe('PENDING');
		await second.control('/clock', { body: { advance: 3601 } });
		await until('it is approved', async () => (await statusOf()) === 'APPROVED');
	} finally {
		await second.close();
	}
});
