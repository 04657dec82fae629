/** Everything that an n8n of the tests wrote. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface Trace {
	/** A table and column, or a file. */
	place: string;
	text: string;
}

/** Every text of every table of n8n's database, with its table and column. */
export function databaseTexts(home: string): Trace[] {
	const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		const tables = database
			.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
			.all() as Array<{ name: string }>;
		return tables.flatMap(({ name }) =>
			(database.prepare(`SELECT * FROM "${name}"`).all() as Array<Record<string, unknown>>).flatMap(
				(row) =>
					Object.entries(row)
						.filter(([, value]) => typeof value === 'string' || value instanceof Uint8Array)
						.map(([column, value]) => ({
							place: `${name}.${column}`,
							text:
								typeof value === 'string'
									? value
									: Buffer.from(value as Uint8Array).toString('latin1'),
						})),
			),
		);
	} finally {
		database.close();
	}
}

/** Every file that n8n wrote, with its log and the database's own files. */
export const filesWritten = (home: string): Trace[] =>
	globSync('**/*', { cwd: home, exclude: ['**/node_modules/**'] })
		.map((file) => join(home, file))
		.filter((file) => statSync(file).isFile())
		.map((file) => ({ place: file, text: readFileSync(file, 'latin1') }));
