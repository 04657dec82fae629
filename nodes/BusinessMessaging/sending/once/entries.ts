/** A Send Once Key, and what n8n's database keeps of it. */
import { hash } from 'node:crypto';

export interface OnceKey {
	key: string;
	/** Identifies channel, recipient and content. */
	fingerprint: string;
	/** What earlier versions recorded in its place. */
	formerly?: string;
}

export interface KeyEntries {
	begun: string;
	begunWith: string;
	sent: string;
	/**
	 * The memory can only be asked by recording: what was there before is known. So whoever asks for
	 * `sent` records it for a moment, and `asking` with it. If `asking` is still there, that process
	 * died, and `sent` may be its own, not a sender's.
	 */
	asking: string;
}

/** Entries of `begunWith` that are kept after sending, before all are removed at once. */
export const MAX_REMOVABLE = 500;

/**
 * Entries that the memory needs for a number of keys: begun and sent of each, and room for those
 * under way, read or removable.
 */
export const entriesFor = (keys: number): number => 2 * keys + 2 * MAX_REMOVABLE;

/** The entries of a key and its message. Later versions must know them. */
export function entriesOf({ key, fingerprint }: OnceKey): KeyEntries {
	const value = (...parts: string[]) =>
		hash('sha256', JSON.stringify(['n8n business messaging once v1', ...parts]), 'base64url');
	return {
		begun: value('begun', key),
		begunWith: value('begun with', key, fingerprint),
		sent: value('sent', key, fingerprint),
		asking: value('asking', key),
	};
}
