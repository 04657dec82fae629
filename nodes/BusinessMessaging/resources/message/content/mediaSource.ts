import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { ByteBudget } from '../../../sending/byteBudget';
import { MEDIA_INPUT_MAX } from '../../../service/contract';
import { cutText } from '../../../service/cutText';
import { ServiceError } from '../../../service/errors';
import type { MediaFile } from '../../../service/messages';

const MEGABYTE = 1024 * 1024;
/** Files under way in this process. Each is in memory twice: as it is, and as base64. */
const budget = new ByteBudget(200 * MEGABYTE);

/** A file of an item, not read yet. */
export interface MediaSource {
	bytes: number;
	mimeType: string;
	read: () => Promise<Buffer>;
}

/**
 * Finds the file of an item.
 * @throws Error that names the field if the file is missing, empty or too large
 */
export async function findFile(
	context: IExecuteFunctions,
	field: string,
	itemIndex: number,
): Promise<MediaSource> {
	const binary = context.getInputData()[itemIndex]?.binary?.[field];
	if (!binary)
		throw new Error(
			`The item has no file in the field "${field}". Enter the name of its binary field in "Input Binary Field".`,
		);
	const bytes = await sizeOf(context, binary);
	const file = `The file ${binary.fileName ? `"${cutText(binary.fileName, 128)}" ` : ''}in the field "${field}"`;
	if (!(bytes > 0)) throw new Error(`${file} is empty, or n8n does not know its size.`);
	if (bytes > MEDIA_INPUT_MAX)
		throw new Error(
			`${file} has ${(bytes / MEGABYTE).toFixed(1)} MB, and the service accepts at most ${MEDIA_INPUT_MAX / MEGABYTE} MB. Send a smaller file, or a link to it as a text.`,
		);
	return {
		bytes,
		// Without parameters such as codecs, because the service reads only the type of a data URL.
		mimeType: binary.mimeType.split(';')[0]?.trim() || 'application/octet-stream',
		read: async () => await context.helpers.getBinaryDataBuffer(itemIndex, field),
	};
}

/** n8n keeps a file as base64 with the item, or elsewhere under an ID. */
async function sizeOf(context: IExecuteFunctions, binary: IBinaryData): Promise<number> {
	if (binary.id) return (await context.helpers.getBinaryMetadata(binary.id)).fileSize;
	return Buffer.byteLength(binary.data, 'base64');
}

/**
 * Reads a file when there is room for it, and releases it after use.
 * @throws ServiceError if the execution was cancelled meanwhile
 */
export async function withFile<Result>(
	{ bytes, mimeType, read }: MediaSource,
	signal: AbortSignal | undefined,
	use: (file: MediaFile) => Promise<Result>,
): Promise<Result> {
	return await budget.spend(bytes, async () => {
		if (signal?.aborted)
			throw new ServiceError('send the file', {
				reason: 'cancelled',
				effect: 'none',
				cause: 'the execution was cancelled before',
				hint: 'Nothing was sent.',
			});
		return await use({ mimeType, data: await read() });
	});
}
