import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { checkout } from '#scripts/checkout.mts';
import type { Client } from '../../sandbox/helpers.mts';
import { CUSTOMER } from './sandboxPage.mts';

/** WebP, 480 by 320: an image and a sticker. */
export const PICTURE = readFileSync(join(checkout, 'sandbox', 'page', 'sample.webp'));

async function upload(sandbox: Client, type: string, bytes: Buffer): Promise<string> {
	const response = await fetch(`${sandbox.url}/_sandbox/media?channelId=${DEMO_CHANNEL_ID}`, {
		method: 'POST',
		headers: { 'content-type': type },
		body: new Uint8Array(bytes),
	});
	return ((await response.json()) as { url: string }).url;
}

/** A second of silence, as WAV. */
export function silence(): Buffer {
	const rate = 8000;
	const header = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
	header.writeUInt32LE(36 + rate, 4);
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate, 28);
	header.writeUInt16LE(1, 32);
	header.writeUInt16LE(8, 34);
	header.writeUInt32LE(rate, 40);
	return Buffer.concat([header, Buffer.alloc(rate, 128)]);
}

/** Two buttons to tap. `more` has further fields of the body. */
export const replyButtons = (more: object = {}) => ({
	type: 'INTERACTIVE_BUTTON',
	body: { message: 'Which day suits you?', ...more },
	attachments: [
		{ id: 'mon', title: 'Monday' },
		{ id: 'tue', title: 'Tuesday' },
	],
});

const actionButtons = (url = 'https://shop.example.com/orders/1') => ({
	type: 'INTERACTIVE_ACTION',
	body: { message: 'Your order left our house.' },
	header: { message: 'On its way' },
	footer: { message: 'Demo Company' },
	attachments: [
		{ id: 'see', title: 'See the order', name: 'URL', url },
		{ id: 'call', title: 'Call us', name: 'CALL', phones: ['5500000000001'] },
	],
});

/** A send of a template of the demo account. */
export const template = (name: string, ...parameters: string[]) => ({
	type: 'TEMPLATE',
	attachments: [
		{
			template: {
				name,
				language: { policy: 'deterministic', code: 'en_US' },
				components: [
					{ type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) },
				],
			},
		},
	],
});

/** Fills a chat with every kind, from the customer, the API and the business's phone. */
export async function sendEveryKind(sandbox: Client): Promise<void> {
	const sample = `${sandbox.url}/page/sample.webp`;
	const send = async (content: object) => {
		const { status, body } = await sandbox.sendContent(CUSTOMER, content);
		expect({ status, body }).toMatchObject({ status: 200 });
	};
	const audio = await upload(sandbox, 'audio/wav', silence());
	const video = await upload(sandbox, 'video/mp4', Buffer.from('00000018667479706d703432', 'hex'));
	const image = await upload(sandbox, 'image/webp', PICTURE);
	const said = { channelId: DEMO_CHANNEL_ID, from: CUSTOMER, name: 'Ana Example' };
	const contacts = [{ name: 'Bo Example', phones: ['5500000000102', '5500000000103'] }];
	for (const content of [
		{ text: 'Hello, is my order on its way?' },
		{ type: 'IMAGE', url: image, caption: 'This is what I ordered' },
		{ type: 'AUDIO', url: audio },
		{ type: 'VIDEO', url: video, caption: 'And this is where it goes' },
		{ type: 'STICKER', url: image },
		{ type: 'CONTACT_ARRAY', contacts, forwarded: true },
	])
		await sandbox.control('/inbound', { body: { ...said, ...content } });
	await send({ type: 'IMAGE', attachments: [{ url: sample, caption: 'Our shop' }] });
	await send({ type: 'AUDIO', attachments: [{ url: sandbox.url + audio }] });
	await send({ type: 'STICKER', attachments: [{ url: sample }] });
	await send({ type: 'CONTACT', attachments: contacts });
	await send(replyButtons({ thumbnail: sample, mimeType: 'image/webp' }));
	await send(actionButtons());
	await send(template('order_update', 'Ana', '1024'));
	await send(template('welcome'));
	const { from: to, ...rest } = said;
	await sandbox.control('/from-phone', { body: { ...rest, to, text: 'I look after it. Cy' } });
}
