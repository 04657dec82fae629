import { webcrypto } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { ByteBudget } from '../../../sending/byteBudget';
import { MEDIA_INPUT_MAX } from '../../../service/contract';
import { cutText } from '../../../service/cutText';
import { asError, notDone } from '../../../service/errors';
import { isDocument, typeOfFile } from '../../../service/fileType';
import type { MediaFile } from '../../../service/messages';

const MEGABYTE = 1024 * 1024;
const ACTION = 'send the file';
const UNKNOWN_TYPE = 'application/octet-stream';
/** Files under way in this process. Each is in memory twice: as it is, and as base64. */
export const filesUnderWay = new ByteBudget(200 * MEGABYTE);

/** A file of an item, not read yet. */
export interface MediaSource {
	bytes: number;
	/** As the item says. It can leave under another name, or as what the file is. */
	mimeType: string;
	fileName: string | undefined;
	isAudio: boolean;
	read: () => Promise<Buffer>;
}

/** What to do with a document, to follow a sentence that names it. */
export const DOCUMENTS_ELSEWHERE =
	'Documents cannot be sent: send a link with Send Text, or a template with a document.';

/** The initial value of the field, and where n8n's nodes put a file as a rule. */
export const DEFAULT_FIELD = 'data';

/** By default an item's only file. @throws Error if it is missing, empty, too large, a document */
export async function findFile(
	context: IExecuteFunctions,
	entered: string,
	itemIndex: number,
	{ isAudio = false } = {},
): Promise<MediaSource> {
	const files = context.getInputData()[itemIndex]?.binary ?? {};
	const [only = entered, ...others] = Object.keys(files);
	const isOnly = entered === DEFAULT_FIELD && others.length === 0;
	const field = isOnly ? only : entered;
	const binary = binaryIn(context, field, itemIndex, {
		label: 'Input Binary Field',
		source: 'Source',
	});
	const bytes = await sizeOf(context, binary);
	// Nodes of others can leave out what n8n's types require.
	const { mimeType, fileName }: Record<string, unknown> = { ...binary };
	const name = typeof fileName === 'string' && fileName !== '' ? fileName : undefined;
	const file = `The file ${name === undefined ? '' : `"${cutText(name, 128)}" `}in the field "${field}"`;
	if (!(bytes > 0)) throw new Error(`${file} is empty, or n8n does not know its size.`);
	if (bytes > MEDIA_INPUT_MAX)
		throw new Error(
			`${file} has ${(bytes / MEGABYTE).toFixed(1)} MB, and the service accepts at most ${MEDIA_INPUT_MAX / MEGABYTE} MB. Send a smaller file, or a link to it as a text.`,
		);
	if (isDocument(mimeType, name)) throw new Error(`${file} is a document. ${DOCUMENTS_ELSEWHERE}`);
	return {
		bytes,
		// Without parameters such as codecs, because the service reads only the type of a data URL.
		mimeType: (typeof mimeType === 'string' && mimeType.split(';')[0]?.trim()) || UNKNOWN_TYPE,
		fileName: name,
		isAudio,
		read: async () => await context.helpers.getBinaryDataBuffer(itemIndex, field),
	};
}

/** Fields that an error names. */
const NAMED_MAX = 5;

/** @param source the field that offers a URL. @throws Error that says which fields hold files */
export function binaryIn(
	context: IExecuteFunctions,
	field: string,
	itemIndex: number,
	{ label, source }: { label: string; source: string },
): IBinaryData {
	const files = new Map(Object.entries(context.getInputData()[itemIndex]?.binary ?? {}));
	const binary = files.get(field);
	if (binary) return binary;
	const names = [...files.keys()].slice(0, NAMED_MAX).map((name) => `"${cutText(name, 64)}"`);
	const held =
		names.length === 0
			? `It holds no file at all: let the node before give one, or choose URL in "${source}".`
			: `Its files are in ${names.join(', ')}: enter one of them in "${label}".`;
	throw new Error(`The item has no file in the field "${cutText(field, 64)}". ${held}`);
}

/** Whoever adds a second worker finds n8n's own words too short. */
function sayWhere(error: unknown): never {
	const { message } = asError(error);
	if (!message.endsWith('ile not found')) throw asError(error);
	throw new Error(
		`${message}. It was deleted, or is on the disk of another worker: in queue mode, set N8N_DEFAULT_BINARY_DATA_MODE to database.`,
	);
}

/** n8n keeps a file as base64 with the item, or elsewhere under an ID. */
export async function sizeOf(context: IExecuteFunctions, binary: IBinaryData): Promise<number> {
	if (binary.id) {
		const { fileSize } = await context.helpers.getBinaryMetadata(binary.id).catch(sayWhere);
		return fileSize;
	}
	const data: unknown = binary.data;
	return typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0;
}

/** Reads a file that has room. @throws ServiceError if its bytes are a document's */
export async function readFile({
	mimeType,
	fileName,
	isAudio,
	read,
}: MediaSource): Promise<MediaFile> {
	const data = await read();
	const type = typeOfFile({ mimeType, fileName, data, isAudio });
	if (isDocument(type))
		throw notDone(ACTION, 'media_rejected', {
			cause: 'it is a document',
			hint: DOCUMENTS_ELSEWHERE,
		});
	return { mimeType: type ?? mimeType, data };
}

/** What tells a file from others: its type and a hash of its bytes, which another thread makes. */
export const identityOf = async (
	{ bytes, mimeType, read }: MediaSource,
	signal: AbortSignal | undefined,
): Promise<string[]> =>
	await whenRoom(bytes, signal, async () => {
		const hash = await webcrypto.subtle.digest('SHA-256', await read());
		return [mimeType, Buffer.from(hash).toString('base64url')];
	});

/** Does work with a file once there is room. @throws ServiceError if it is cancelled before */
export const whenRoom = async <Result>(
	bytes: number,
	signal: AbortSignal | undefined,
	work: () => Promise<Result>,
): Promise<Result> => {
	const unlessCancelled = async () => {
		if (!signal?.aborted) return await work();
		const cause = 'the execution was cancelled before';
		throw notDone(ACTION, 'cancelled', { cause, hint: 'Nothing was sent.' });
	};
	return await filesUnderWay.spend(bytes, unlessCancelled, signal);
};
