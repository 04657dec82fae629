import { hash } from 'node:crypto';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

import { z } from 'zod';

import type { Context } from './context.mts';
import { Refusal } from './core/errors.mts';
import { SCHEMA_VERSION } from './core/schema.mts';
import { startAnew } from './seed.mts';

const FORMAT = 'business-messaging-sandbox';
/** Size limit of an exported state, in bytes of the data file. */
const MAX_STATE = 64 * 1024 * 1024;

/** Parents before their children. The last one is SQLite's own table of issued numbers. */
const TABLES = [
	...[
		'meta',
		'tenants',
		'businesses',
		'channels',
		'codes',
		'conversations',
		'messages',
		'media',
		'templates',
		'submissions',
		'taken_names',
		'template_files',
	],
	...['webhooks', 'deliveries', 'attempts', 'faults', 'sqlite_sequence'],
];

const valueSchema = z.union([
	z.string(),
	z.number().int(),
	z.null(),
	z.strictObject({ base64: z.string() }),
]);

type Value = z.infer<typeof valueSchema>;

/**
 * The whole state of a sandbox. Only `checksum` proves that it is unchanged; its contents are not
 * checked again.
 */
export const stateFileSchema = z.strictObject({
	format: z.literal(FORMAT),
	/** Version of the tables. */
	version: z.number().int(),
	checksum: z.string(),
	/** Rows by table, each with the values of its columns in order. Bytes are `{base64}`. */
	tables: z.record(z.array(z.array(valueSchema))),
});
export type StateFile = z.infer<typeof stateFileSchema>;

const checksumOf = (tables: StateFile['tables']): string => hash('sha256', JSON.stringify(tables));

const toJson = (value: SQLOutputValue): Value => {
	if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
	return typeof value === 'bigint' ? Number(value) : value;
};

// As a bigint, because SQLite would get a number beyond 32 bits as a real.
const fromJson = (value: Value): SQLInputValue => {
	if (typeof value === 'number') return BigInt(value);
	return typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value;
};

/** The whole contents of the sandbox, with the secrets of webhooks and the hashes of keys. */
export function exportState({ db }: Context): StateFile {
	const pragma = (name: string) => Number(Object.values(db.statement(`PRAGMA ${name}`).get()!)[0]);
	const bytes = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
	if (bytes > MAX_STATE)
		throw new Refusal(
			422,
			`The state has ${bytes} bytes, more than the ${MAX_STATE} that can be exported. Stop the sandbox and copy its data file instead`,
		);
	const tables = Object.fromEntries(
		TABLES.map((table) => {
			const rows = db.statement(`SELECT * FROM ${table}`).all();
			return [table, rows.map((row) => Object.values(row).map(toJson))];
		}),
	);
	return { format: FORMAT, version: SCHEMA_VERSION, checksum: checksumOf(tables), tables };
}

/**
 * The remedy for a state of another version: older data files are migrated, older exported states
 * are not.
 */
const remedyFor = (version: number): string =>
	version > SCHEMA_VERSION
		? 'A newer sandbox exported it. Update this one'
		: 'An older sandbox exported it. Import it there, stop that sandbox, and start this one with the same data folder, which it updates. Then export it here';

/** Replaces everything by an exported state, or changes nothing. */
export function importState(context: Context, { version, checksum, tables }: StateFile): void {
	if (version !== SCHEMA_VERSION)
		throw new Refusal(
			422,
			`version: the state has version ${version}, and this sandbox needs version ${SCHEMA_VERSION}. ${remedyFor(version)}`,
		);
	if (checksum !== checksumOf(tables))
		throw new Refusal(400, 'checksum: the state was changed after its export');
	startAnew(context, () => {
		for (const table of TABLES) {
			// The rows written so far have already changed that table.
			if (table === 'sqlite_sequence') context.db.run('DELETE FROM sqlite_sequence');
			const [first, ...others] = tables[table] ?? [];
			if (first === undefined) continue;
			const places = first.map(() => '?').join(', ');
			const insert = context.db.statement(`INSERT INTO ${table} VALUES (${places})`);
			for (const row of [first, ...others]) insert.run(...row.map(fromJson));
		}
	});
}

/**
 * Fills a new data file with an exported state, and leaves any other unchanged.
 *
 * @returns whether it was new
 */
export function importIfNew(context: Context, state: StateFile): boolean {
	const isNew = context.meta.get('seeded') === undefined;
	if (isNew) importState(context, state);
	return isNew;
}
