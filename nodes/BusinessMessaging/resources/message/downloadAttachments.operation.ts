import type { IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type DownloadedFile, downloadFile, expired, readDataUrl } from '../../service/download';
import { webUrl } from '../../service/baseUrl';
import { asError } from '../../service/errors';
import { mimeTypeOf, safeFileName } from '../../service/fileName';
import { nameWithEnding, otherThanMedia, typeOfFile, usualType } from '../../service/fileType';
import { jsonField, numberField, optionsField, textField } from '../../shared/node/fields';
import { addHintOnce } from '../../shared/node/hints';
import { forEachItem } from '../../shared/node/items';
import type { BatchOperation } from '../../shared/node/operation';
import { numbersIn } from '../../shared/texts/numbers';
import { parsedOf, readRequired, textOf, wholeNumberOf } from '../../shared/node/parameters';
import { isPlainObject } from '../../service/parseJson';

const DEFAULT_MAX_SIZE = 100;
const DEFAULT_TIMEOUT = 60_000;
/** Attachments of an item at most. Real messages have a few. */
const ATTACHMENTS_MAX = 100;

function readOptions(context: IExecuteFunctions, itemIndex: number) {
	const given = context.getNodeParameter('options', itemIndex, {}) as Record<string, unknown>;
	const read = numbersIn(context, 'options', given);
	const positive = (name: string, label: string, fallback: number) =>
		wholeNumberOf(read(name, `"${label}"`), { label, fallback, least: 1 });
	return {
		prefix: readRequired(context, 'outputFieldPrefix', 'Output Field Prefix', itemIndex),
		maxBytes: positive('maxSize', 'Max Size (MB)', DEFAULT_MAX_SIZE) * 1024 ** 2,
		timeout: positive('timeout', 'Timeout (Milliseconds)', DEFAULT_TIMEOUT),
	};
}

const MAP_LIST = 'Map the list from the trigger, e.g. {{ $json.attachments }}.';

/** The attachments of an item. None if the field is empty. */
function readAttachments(context: IExecuteFunctions, itemIndex: number): unknown[] {
	const given: unknown = context.getNodeParameter('attachments', itemIndex, []);
	const entered = typeof given === 'string' ? given.trim() : given;
	const value = entered === '' ? entered : parsedOf(entered, 'Attachments', MAP_LIST);
	if (value === undefined || value === null || value === '') return [];
	const list = Array.isArray(value) ? (value as unknown[]) : [value];
	if (list.length > ATTACHMENTS_MAX)
		throw new Error(
			`"Attachments" holds ${list.length} attachments. Pass up to ${ATTACHMENTS_MAX} with an item.`,
		);
	return list;
}

/**
 * Gets one attachment. Errors quote its number, and its name or host. They never quote the whole
 * address, because with it anyone could download the file.
 * @returns undefined for an attachment without an address, such as a contact
 */
async function getFile(
	context: IExecuteFunctions,
	attachment: unknown,
	index: number,
	{ maxBytes, timeout }: ReturnType<typeof readOptions>,
): Promise<DownloadedFile | undefined> {
	if (!isPlainObject(attachment) || attachment.url === undefined)
		throw new Error(`Attachment ${index} in "Attachments" has no "url". ${MAP_LIST}`);
	const { url: given } = attachment;
	if (given === null || given === '') return undefined;
	const named = safeFileName(attachment.fileName);
	const called = (place: string) => `download attachment ${index} (${named ?? place})`;
	const { data, ...file } = await getFrom(given);
	const fileName = named ?? file.fileName;
	const mimeType = usualType(attachment.mimeType) ?? file.mimeType;
	const kind = textOf(attachment.type);
	const isMedia = MEDIA.test(kind) || MEDIA.test(textOf(attachment.mimeType));
	const other = isMedia ? otherThanMedia(data, file.mimeType) : undefined;
	if (other !== undefined) throw expired(called(hostOf(given)), other);
	const type = typeOfFile({ mimeType, fileName, data, isAudio: /^audio$/i.test(kind) });
	return { data, fileName, mimeType: type ?? mimeType ?? mimeTypeOf(attachment.mimeType) };

	async function getFrom(address: unknown): Promise<DownloadedFile> {
		if (typeof address === 'string' && /^data:/i.test(address))
			return readDataUrl(address, { action: called('data URL'), maxBytes });
		const url = webUrl(address);
		if (!url)
			throw new Error(
				`Could not ${called('no address')}: its "url" does not begin with http:// or https://, and is not a data URL.`,
			);
		return await downloadFile(context, url, { action: called(url.host), maxBytes, timeout });
	}
}

/** The kinds of attachments, and of types, that are never words. */
const MEDIA = /^(?:image|audio|video|sticker)(?:\/|$)/i;

const hostOf = (address: unknown): string => webUrl(address)?.host ?? 'data URL';

const SOME_FAILED =
	'Some attachments could not be downloaded. Their items say why in "attachmentProblems".';

export const downloadAttachments: BatchOperation = {
	name: 'Download Attachments',
	value: 'downloadAttachments',
	builderHint: {
		propertyHint: 'The files become the binary fields attachment_0, attachment_1 …',
	},
	action: 'Download message attachments',
	description:
		'Download the files of a received message into the binary fields attachment_0, attachment_1 and so on',
	fields: [
		jsonField('Attachments', 'attachments', {
			default: '={{ $json.attachments }}',
			description:
				"The attachments to download, as the trigger outputs them: a list of objects, or one object. The node never sends the secret key to a file's host.",
			hint: 'Each has its address as "url", and "fileName" and "mimeType" if known',
		}),
		textField('Output Field Prefix', 'outputFieldPrefix', {
			default: 'attachment_',
			placeholder: 'e.g. attachment_',
			description:
				"The beginning of the binary fields' names. A number from 0 follows. Binary fields of these names in the input are replaced.",
		}),
		optionsField([
			numberField('Max Size (MB)', 'maxSize', {
				typeOptions: { minValue: 1 },
				default: DEFAULT_MAX_SIZE,
				description: 'Maximum size of a file in megabytes. A larger one is not downloaded.',
			}),
			numberField('Timeout (Milliseconds)', 'timeout', {
				typeOptions: { minValue: 1 },
				default: DEFAULT_TIMEOUT,
				description: 'Maximum milliseconds for the download of one file',
			}),
		]),
	],
	executeAll: async (context) =>
		await forEachItem(context, async (index) => [await downloadFor(context, index)]),
};

/** @returns the output item: the input, with the files that could be downloaded */
async function downloadFor(context: IExecuteFunctions, itemIndex: number) {
	const input = context.getInputData()[itemIndex];
	const json: IDataObject = input?.json ?? {};
	const attachments = readAttachments(context, itemIndex);
	const options = readOptions(context, itemIndex);
	const binary: IBinaryKeyData = { ...input?.binary };
	const problems: Array<{ index: number; error: Error }> = [];
	let good = 0;
	for (const [index, attachment] of attachments.entries()) {
		const file = await getFile(context, attachment, index, options).catch((error: unknown) => {
			if (context.getExecutionCancelSignal()?.aborted) throw asError(error);
			problems.push({ index, error: asError(error) });
			return undefined;
		});
		if (!file) continue;
		good += 1;
		const field = `${options.prefix}${index}`;
		binary[field] = await context.helpers.prepareBinaryData(
			file.data,
			nameWithEnding(file.fileName ?? field, file.mimeType),
			file.mimeType,
		);
	}
	const [first] = problems;
	if (first && good === 0) throw first.error;
	if (first) addHintOnce(context, SOME_FAILED);
	if (attachments.length === 0 && context.getInputData().length === 1)
		addHintOnce(context, 'The item has no attachments.');
	const attachmentProblems = problems.map(({ index, error }) => ({ index, what: error.message }));
	return {
		json: first ? { ...json, attachmentProblems } : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}
