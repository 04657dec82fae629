import { randomBytes } from 'node:crypto';

import { Refusal } from '../core/errors.mts';
import type { Clock } from '../core/clock.mts';
import type { Database } from '../core/database.mts';
import { Table } from '../core/table.mts';
import type { MediaFile } from '../media/file.mts';

/** Size limit of all files together. Beyond it, new files are refused and stored ones are kept. */
const MAX_MEDIA_BYTES = 512 * 1024 * 1024;

/**
 * The path of files. An id that cannot be guessed follows, and an ending for programs that need
 * one.
 */
export const MEDIA_PATH = '/media/';
const FILE = /^\/media\/([0-9a-f]{32})(?:\.[a-z0-9]{2,5})?$/;

const ENDINGS: Record<string, string> = {
	...{ 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'image/gif': 'gif' },
	...{ 'image/bmp': 'bmp', 'image/tiff': 'tiff' },
	...{ 'video/mp4': 'mp4', 'video/3gpp': '3gp', 'video/quicktime': 'mov', 'video/webm': 'webm' },
	...{ 'video/x-matroska': 'mkv', 'video/x-msvideo': 'avi' },
	...{ 'audio/aac': 'aac', 'audio/amr': 'amr', 'audio/mp4': 'm4a', 'audio/x-m4a': 'm4a' },
	...{ 'audio/mpeg': 'mp3', 'audio/ogg': 'ogg', 'audio/opus': 'opus', 'audio/webm': 'weba' },
	...{ 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/flac': 'flac', 'audio/x-flac': 'flac' },
};

/** A stored file. Deleted with its channel. */
export interface StoredMedia {
	channelId: string;
	type: string;
	bytes: Uint8Array;
}

export class MediaFiles {
	readonly #clock: Clock;
	readonly #maxBytes: number;
	readonly #table;
	readonly #select;
	readonly #total;

	constructor(db: Database, clock: Clock, maxBytes = MAX_MEDIA_BYTES) {
		this.#clock = clock;
		this.#maxBytes = maxBytes;
		this.#table = new Table<StoredMedia>(db, 'media');
		this.#select = this.#table.select('WHERE id = ?');
		this.#total = db.statement<{ total: number }>(
			'SELECT COALESCE(SUM(size), 0) AS total FROM media',
		);
	}

	/** Stores a file and returns its path at the sandbox. */
	add(channelId: string, { type, bytes }: MediaFile): string {
		if (this.#total.get()!.total + bytes.length > this.#maxBytes)
			throw new Refusal(503, `The sandbox keeps ${this.#maxBytes} bytes of files. Reset it`);
		// Random even with a seed, because anybody with the address may load the file.
		const id = randomBytes(16).toString('hex');
		const createdAt = this.#clock.now();
		this.#table.add({ id, channelId, type, size: bytes.length, bytes, createdAt });
		const ending = ENDINGS[type];
		return `${MEDIA_PATH}${id}${ending === undefined ? '' : `.${ending}`}`;
	}

	/** The file at a path; undefined if there is none. */
	at(path: string): StoredMedia | undefined {
		const id = FILE.exec(path)?.[1];
		return id === undefined ? undefined : this.#select.get(id);
	}
}
