import { hash } from 'node:crypto';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';

import { z } from 'zod';

import type { Context } from './context.mts';
import { Refusal } from './core/errors.mts';
import { SCHEMA_VERSION } from './core/schema.mts';
import { startAnew } from './seed.mts';

const FORMAT = 'business-messaging-sandbox';
/** The most that one file carries, in bytes of the data file. */
const MAX_STATE = 64 * 1024 * 1024;

/** Parents before their children. The last one is SQLite's own, of the numbers that were given out. */
const TABLES = [
	...['meta', 'tenants', 'channels', 'codes', 'conversations', 'messages', 'media', 'templates'],
	...['webhooks', 'deliveries', 'attempts', 'faults', 'sqlite_sequence'],
];

const valueSchema = z.union([
	z.string(),
	z.number().int(),
	z.null(),
	z.object({ base64: z.string() }).strict(),
]);

type Value = z.infer<typeof valueSchema>;

/** The whole state of a sandbox. `checksum` shows that it is as it was exported: what is in it is not looked at again. */
export const stateFileSchema = z
	.object({
		format: z.literal(FORMAT),
		/** Of the tables. */
		version: z.number().int(),
		checksum: z.string(),
		/** Rows by table, each with the values of its columns in order. Bytes are written as `{base64}`. */
		tables: z.record(z.array(z.array(valueSchema))),
	})
	.strict();
export type StateFile = z.infer<typeof stateFileSchema>;

const checksumOf = (tables: StateFile['tables']): string => hash('sha256', JSON.stringify(tables));

const toJson = (value: SQLOutputValue): Value => {
	if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
	return typeof value === 'bigint' ? Number(value) : value;
};

// As a bigint: a number beyond 32 bits is bound as a real.
const fromJson = (value: Value): SQLInputValue => {
	if (typeof value === 'number') return BigInt(value);
	return typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value;
};

/** Everything that the sandbox holds. Secrets of webhooks are in it, and keys as hashes. */
export function exportState({ db }: Context): StateFile {
	const pragma = (name: string) => Number(Object.values(db.statement(`PRAGMA ${name}`).get()!)[0]);
	const bytes = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
	if (bytes > MAX_STATE)
		throw new Refusal(
			422,
			`The state has ${bytes} bytes, and a file carries ${MAX_STATE}: copy the data file of the stopped sandbox instead`,
		);
	const tables = Object.fromEntries(
		TABLES.map((table) => {
			const rows = db.statement(`SELECT * FROM ${table}`).all();
			return [table, rows.map((row) => Object.values(row).map(toJson))];
		}),
	);
	return { format: FORMAT, version: SCHEMA_VERSION, checksum: checksumOf(tables), tables };
}

/** What to do with a state of another version: data files of older ones are brought up to date, exported states are not. */
const remedyFor = (version: number): string =>
	version > SCHEMA_VERSION
		? 'A newer sandbox exported it: update this one'
		: 'An older sandbox exported it: import it there, stop that one, and start this one with the same data folder, which it brings up to date. Then export it here';

/** Puts an exported state in the place of all that there is, or changes nothing. */
export function importState(context: Context, { version, checksum, tables }: StateFile): void {
	if (version !== SCHEMA_VERSION)
		throw new Refusal(
			422,
			`version: the state is of version ${version}, and this sandbox takes version ${SCHEMA_VERSION}. ${remedyFor(version)}`,
		);
	if (checksum !== checksumOf(tables))
		throw new Refusal(400, 'checksum: the state is not as it was exported');
	startAnew(context, () => {
		for (const table of TABLES) {
			// What was written until here counts there already.
			if (table === 'sqlite_sequence') context.db.run('DELETE FROM sqlite_sequence');
			const [first, ...others] = tables[table] ?? [];
			if (first === undefined) continue;
			const places = first.map(() => '?').join(', ');
			const insert = context.db.statement(`INSERT INTO ${table} VALUES (${places})`);
			for (const row of [first, ...others]) insert.run(...row.map(fromJson));
		}
	});
}

/** Has a new data file hold an exported state, and leaves any other as it is. @returns whether it was new */
export function importIfNew(context: Context, state: StateFile): boolean {
	const isNew = context.meta.get('seeded') === undefined;
	if (isNew) importState(context, state);
	return isNew;
}
