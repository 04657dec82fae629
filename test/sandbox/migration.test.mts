import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { MIGRATIONS } from '../../sandbox/core/schema.mts';
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { clientOf } from './helpers.mts';

const SQL = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'sandbox-1.sql'), 'utf8');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A data file of version 1 with one channel and these contents of a customer's messages. */
function oldFile(contents: object[]): string {
	const file = join(folder, 'data.sqlite');
	const db = new DatabaseSync(file);
	db.exec(SQL);
	const channel = DEMO_CHANNEL_ID;
	const settings = {
		...{ progression: { upTo: 'SENT', stepMs: 5 }, templateRoutingLag: 7, firstPage: 1 },
		...{ connectRefusal: 'ERROR', codeLifetime: 9 },
	};
	db.prepare("INSERT INTO meta VALUES ('seeded', 'true'), ('settings', ?)").run(
		JSON.stringify(settings),
	);
	const tenant = 'A'.repeat(32);
	const rest = "'Old', 'o@example.com', 'x', 'sandbox_pk_x', 1";
	db.prepare(`INSERT INTO tenants VALUES (1, ?, ${rest})`).run(tenant);
	db.prepare(
		"INSERT INTO channels VALUES (1, ?, ?, 'Old', 'OFFICIAL_CHATAPP', 't', 1, '1', '2', '55', 0, 1)",
	).run(channel, tenant);
	db.prepare("INSERT INTO conversations VALUES (?, '5500000000101', 'Ana', 1000)").run(channel);
	const message = db.prepare(
		"INSERT INTO messages (id, channel_id, customer, direction, content, created_at, status) VALUES (?, ?, '5500000000101', ?, ?, 1, 'DELIVERED')",
	);
	for (const [index, content] of contents.entries())
		message.run(`${index}`, channel, index === 0 ? 'out' : 'in', JSON.stringify(content));
	db.close();
	return file;
}

it('updates a data file of version 1 with its contents', async () => {
	const people = [['Bo', '55'] as const, ['C\u0000', '56'] as const];
	const contacts = people.map(([name, phone]) => ({ name, phones: [phone] }));
	const dataFile = oldFile([
		{ type: 'TEXT', text: 'Hello "you"\u0000\n' },
		{ type: 'CONTACT_ARRAY', contacts: people.map(([name, phone]) => ({ name, phone })) },
		{ type: 'INTERACTIVE_BUTTON', text: 'Yes', buttonId: 'y' },
		{ type: 'INTERACTIVE_ACTION', text: 'Menu' },
		{ type: 'IMAGE', url: 'https://media.example.com/a.png' },
	]);
	for (let start = 1; start <= 2; start += 1) {
		const sandbox = await startSandbox({ dataFile });
		try {
			const { control } = clientOf(sandbox.url);
			const { messages } = await control<{ messages: Array<Record<string, unknown>> }>('/messages');
			expect(messages.map(({ content, fromApi }) => [content, fromApi])).toEqual([
				[{ type: 'TEXT', text: 'Hello "you"\u0000\n' }, true],
				[{ type: 'CONTACT_ARRAY', contacts }, false],
				[expect.objectContaining({ type: 'BUTTON_REPLY', text: 'Yes', id: 'y' }), false],
				[{ type: 'BUTTON_REPLY', text: 'Menu', id: null }, false],
				[{ type: 'IMAGE', url: 'https://media.example.com/a.png' }, false],
			]);
			expect(await control('/state')).toMatchObject({
				settings: { connectRefusal: 'ERROR', templateRoutingLag: 7, blockedAddress: null },
				tenants: [{ channels: [{ id: DEMO_CHANNEL_ID, hasWindow: true }] }],
			});
			expect(await control(`/conversations?channelId=${DEMO_CHANNEL_ID}`)).toMatchObject({
				conversations: [{ customer: '5500000000101', lastInboundAt: '1970-01-01T00:00:01.000Z' }],
			});
		} finally {
			await sandbox.close();
		}
	}
});

it('refuses a data file of a later version, with the remedy', async () => {
	const dataFile = join(folder, 'data.sqlite');
	const db = new DatabaseSync(dataFile);
	db.exec('PRAGMA user_version=99');
	db.close();
	await expect(startSandbox({ dataFile })).rejects.toThrow(
		/Choose another folder with --data, or delete this one/,
	);
});

it('gives templates of version 4 to the business account that the channels then share', async () => {
	const dataFile = oldFile([]);
	const db = new DatabaseSync(dataFile);
	for (const version of [1, 2, 3]) db.exec(MIGRATIONS[version]!);
	db.exec(`PRAGMA user_version=4;
		INSERT INTO tenants VALUES (2, '${'B'.repeat(32)}', 'None', 'p@example.com', 'y', 'sandbox_pk_y', 1);
		INSERT INTO channels (id, tenant_id, name, type, token, connected, waba_id, coexistence, created_at)
			SELECT '${'C'.repeat(32)}', tenant_id, 'Second', type, 'u', 1, '9', 0, 1 FROM channels`);
	const insert = db.prepare(
		"INSERT INTO templates (id, tenant_id, name, language, category, body, buttons, status, created_at) VALUES (?, ?, ?, 'en_US', 'UTILITY', ?, ?, 'APPROVED', 1)",
	);
	insert.run('1', 'A'.repeat(32), 'plain', 'Hello {{1}}', '[]');
	insert.run('2', 'A'.repeat(32), 'asks', 'Sure?', '[{"id":"y","title":"\\"Yes\\""}]');
	db.close();
	const sandbox = await startSandbox({ dataFile });
	try {
		const { control } = clientOf(sandbox.url);
		const { tenants } = await control<{
			tenants: Array<{ channels: Array<{ wabaId: string }> }>;
		}>('/state');
		expect(tenants[0]?.channels.map(({ wabaId }) => wabaId)).toEqual(['1', '1']);
		const { templates } = await control<{ templates: object[] }>('/message-templates');
		expect(templates).toMatchObject([
			{ id: '1', businessId: '1', business: 'Old', body: 'Hello {{1}}', buttons: [] },
			{ id: '2', businessId: '1', body: 'Sure?', buttons: [{ id: 'y', title: '"Yes"' }] },
		]);
		const tenant = 'B'.repeat(32);
		await control('/message-templates', { body: { tenant, name: 'new', body: 'Hello' } });
		const added = await control(`/message-templates?tenant=${tenant}`);
		expect(added).toMatchObject({
			templates: [{ businessId: expect.stringMatching(/^8\d{14}$/) }],
		});
	} finally {
		await sandbox.close();
	}
});

it('gives an older file the tables of submitted templates, as a new file has them', async () => {
	const columns: unknown[] = [];
	for (const dataFile of [oldFile([]), join(folder, 'new.sqlite')]) {
		await (await startSandbox({ dataFile })).close();
		const db = new DatabaseSync(dataFile);
		columns.push(
			['submissions', 'taken_names', 'template_files'].map((table) =>
				db.prepare(`PRAGMA table_info(${table})`).all(),
			),
		);
		db.close();
	}
	expect(columns[0]).toEqual(columns[1]);
	expect(columns[0]).toMatchObject([{ length: 3 }, { length: 4 }, { length: 4 }]);
});
