/** The files that customers of a script send. Scripts come from others, so files are near them. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, posix, sep, win32 } from 'node:path';

import { ScriptError } from './scriptError.mts';

const MEDIA_TYPES: Record<string, string> = {
	...{ '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.webp': 'image/webp' },
	...{ '.gif': 'image/gif', '.bmp': 'image/bmp', '.tif': 'image/tiff', '.tiff': 'image/tiff' },
	...{ '.ogg': 'audio/ogg', '.mp3': 'audio/mpeg', '.m4a': 'audio/mp4', '.aac': 'audio/aac' },
	...{ '.amr': 'audio/amr', '.opus': 'audio/opus', '.wav': 'audio/wav', '.flac': 'audio/flac' },
	...{ '.mp4': 'video/mp4', '.3gp': 'video/3gpp', '.mov': 'video/quicktime' },
	...{ '.mkv': 'video/x-matroska', '.avi': 'video/x-msvideo' },
};

/** Whether a path leads to a folder or below, as far as its words say. */
export const isBelow = (path: string): boolean =>
	!posix.isAbsolute(path) &&
	!win32.isAbsolute(path) &&
	win32.parse(path).root === '' &&
	!path.split(/[\\/]/).includes('..');

/** @throws ScriptError for a link that leads out of the folder, and for a type that is not sent */
export async function fileBelow(folder: string, path: string): Promise<Blob> {
	const type = MEDIA_TYPES[extname(path).toLowerCase()];
	if (type === undefined)
		throw new ScriptError(
			`${path} has a type that cannot be sent. Types that can: ${Object.keys(MEDIA_TYPES).join(', ')}`,
		);
	const file = await realpath(join(folder, path));
	if (!file.startsWith(join(await realpath(folder), sep)))
		throw new ScriptError(`${path} is a link out of the script's folder. Put the file there`);
	// A pipe would never end.
	if (!(await stat(file)).isFile()) throw new ScriptError(`${path} is no file`);
	return new Blob([await readFile(file)], { type });
}
