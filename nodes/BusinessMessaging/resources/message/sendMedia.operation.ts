import type { IExecuteFunctions } from 'n8n-workflow';

import { CAPTION_MAX } from '../../service/contract';
import { choiceField, textField } from '../../shared/node/fields';
import { cutText } from '../../service/cutText';
import { fileNameOfUrl } from '../../service/fileName';
import { isDocument } from '../../service/fileType';
import { readHttpUrl, readOptionalWords, readRequired } from '../../shared/node/parameters';
import { DEFAULT_FIELD, DOCUMENTS_ELSEWHERE, findFile } from './content/mediaSource';
import type { Outgoing } from './batch/sendItems';
import { sendOperation } from './batch/sendOperation';

/** The kind of message, by the value in saved workflows. */
const TYPES = { image: 'IMAGE', video: 'VIDEO', audio: 'AUDIO', sticker: 'STICKER' } as const;
const CAPTIONED = ['image', 'video'];

async function read(context: IExecuteFunctions, index: number): Promise<Outgoing> {
	const mediaType = readRequired(context, 'mediaType', 'Media Type', index);
	const type = Object.entries(TYPES).find(([name]) => name === mediaType)?.[1];
	if (!type)
		throw new Error(
			`"Media Type" is "${cutText(mediaType, 64)}". Enter one of ${Object.keys(TYPES).join(', ')}.`,
		);
	const caption = CAPTIONED.includes(mediaType)
		? readOptionalWords(context, 'caption', 'Caption', index)
		: undefined;
	if (caption !== undefined && caption.length > CAPTION_MAX)
		throw new Error(
			`"Caption" has ${caption.length} characters, and at most ${CAPTION_MAX} are allowed. Shorten it, or send the rest as a text.`,
		);
	const about = caption === undefined ? {} : { caption };
	if (context.getNodeParameter('source', index, 'url') === 'binary') {
		const field = readRequired(context, 'binaryField', 'Input Binary Field', index);
		const media = await findFile(context, field, index, { isAudio: type === 'AUDIO' });
		const { bytes, mimeType, fileName = '' } = media;
		const fileId = `${bytes} ${mimeType} ${fileName}`;
		return { content: { type, attachments: [{ url: '', ...about }] }, media, fileId };
	}
	const url = readHttpUrl(context, 'mediaUrl', 'Media URL', index);
	if (isDocument(undefined, fileNameOfUrl(new URL(url))))
		throw new Error(`"Media URL" leads to a document. ${DOCUMENTS_ELSEWHERE}`);
	return { content: { type, attachments: [{ url, ...about }] }, fileId: url };
}

export const sendMedia = sendOperation({
	name: 'Send Media',
	value: 'sendMedia',
	action: 'Send media',
	description: 'Send an image, a video, a voice note or a sticker, from a URL or a binary file',
	names: 'media messages',
	// The service downloads, checks and converts the file before it responds.
	timeout: 120_000,
	fields: [
		choiceField('Media Type', 'mediaType', {
			options: {
				audio: ['Audio', 'A voice note or sound, up to 16 MB'],
				image: ['Image', 'Up to 5 MB'],
				sticker: ['Sticker', 'A small picture, sent as WebP of up to 100 KB'],
				video: ['Video', 'Up to 16 MB'],
			},
			default: 'image',
			description:
				'How the chat shows the file. Documents cannot be sent: send a link with Send Text, or a template with a document.',
		}),
		choiceField('Source', 'source', {
			options: {
				binary: [
					'Binary File',
					'A file of the input item, e.g. from a node that downloads or creates it',
				],
				url: ['URL', 'A public address from which the service downloads the file'],
			},
			default: 'url',
			description: 'Where the file comes from',
		}),
		textField('Media URL', 'mediaUrl', {
			required: true,
			placeholder: 'e.g. https://example.com/picture.jpg',
			displayOptions: { show: { source: ['url'] } },
			description: 'The public address from which the service downloads the file',
		}),
		textField('Input Binary Field', 'binaryField', {
			default: DEFAULT_FIELD,
			placeholder: 'e.g. data',
			hint: 'The name of the input field containing the file to be sent',
			displayOptions: { show: { source: ['binary'] } },
			description:
				'The name of the input field with the file, up to 100 MB. With "data", the only file of an item counts whatever its field is. Not every service accepts files this way.',
		}),
		textField('Caption', 'caption', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Our menu for this week',
			displayOptions: { show: { mediaType: CAPTIONED } },
			description: `A text below the image or video, up to ${CAPTION_MAX} characters`,
		}),
	],
	read,
});
