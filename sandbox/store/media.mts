import { randomBytes } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database, Row } from '../core/database.mts';
import type { MediaFile } from '../media/file.mts';

/** Bytes of all files together. Beyond that no new one is taken, so that what was taken is kept. */
const MAX_MEDIA_BYTES = 512 * 1024 * 1024;

/** Where files are served. What follows is an id that cannot be guessed, and an ending for those who go by it. */
export const MEDIA_PATH = '/media/';
const FILE = /^\/media\/([0-9a-f]{32})(?:\.[a-z0-9]{2,5})?$/;

const ENDINGS: Record<string, string> = {
	...{ 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'image/gif': 'gif' },
	...{ 'video/mp4': 'mp4', 'video/3gpp': '3gp', 'video/quicktime': 'mov', 'video/webm': 'webm' },
	...{ 'audio/aac': 'aac', 'audio/amr': 'amr', 'audio/mp4': 'm4a', 'audio/mpeg': 'mp3' },
	...{ 'audio/ogg': 'ogg', 'audio/wav': 'wav', 'audio/webm': 'weba' },
};

/** A file as it is kept. Goes with its channel. */
export interface StoredMedia {
	channelId: string;
	type: string;
	bytes: Uint8Array<ArrayBuffer>;
}

interface MediaRow extends Row {
	channel_id: string;
	type: string;
	bytes: Uint8Array<ArrayBuffer>;
}

export class MediaFiles {
	readonly #clock: Clock;
	readonly #maxBytes: number;
	readonly #insert;
	readonly #select;
	readonly #total;

	constructor(db: Database, clock: Clock, maxBytes = MAX_MEDIA_BYTES) {
		this.#clock = clock;
		this.#maxBytes = maxBytes;
		this.#insert = db.statement(
			'INSERT INTO media (id, channel_id, type, size, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?)',
		);
		this.#select = db.statement<MediaRow>('SELECT channel_id, type, bytes FROM media WHERE id = ?');
		this.#total = db.statement<{ total: number }>(
			'SELECT COALESCE(SUM(size), 0) AS total FROM media',
		);
	}

	/** Keeps a file; gives its path at the sandbox. */
	add(channelId: string, { type, bytes }: MediaFile): string {
		if (this.#total.get()!.total + bytes.length > this.#maxBytes)
			throw new Refusal(503, `The sandbox keeps ${this.#maxBytes} bytes of files. Reset it`);
		// Random even with a seed: who has the address may load the file.
		const id = randomBytes(16).toString('hex');
		this.#insert.run(id, channelId, type, bytes.length, bytes, this.#clock.now());
		const ending = ENDINGS[type];
		return `${MEDIA_PATH}${id}${ending === undefined ? '' : `.${ending}`}`;
	}

	/** The file at a path; undefined when there is none. */
	at(path: string): StoredMedia | undefined {
		const id = FILE.exec(path)?.[1];
		const row = id === undefined ? undefined : this.#select.get(id);
		return row && { channelId: row.channel_id, type: row.type, bytes: row.bytes };
	}
}
