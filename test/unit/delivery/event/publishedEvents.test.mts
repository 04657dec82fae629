import type { IDataObject } from 'n8n-workflow';

import { events as PUBLISHED, type PublishedEvent } from '../../../fixtures/events.mts';
import { CHANNEL } from '../../../support/constants.mts';
import { items } from './items.mts';

const simplified = (body: unknown): IDataObject => {
	const [item, ...more] = items(body);
	expect(more).toEqual([]);
	return item ?? {};
};

/** The same message, written by a customer. */
const byCustomer = ({ message, ...rest }: PublishedEvent) => ({
	...rest,
	message: { ...message, metadata: { ...message.metadata, from_me: false, from_api: false } },
});

const COMMON = {
	event: 'MESSAGE_STATUS',
	channelId: CHANNEL,
	timestamp: '2026-05-28T15:01:13.342Z',
	fromMe: true,
	fromApi: true,
	forwarded: false,
	sender: { identifier: 'SYSTEM', name: 'System', key: 'SYSTEM' },
	recipient: { identifier: '5511999990000', name: '5511999990000', key: '5511999990000' },
	status: 'PENDING',
	text: null,
	attachments: [],
};
const file = (type: string, name: string) => ({ type, url: `https://files.example.com/${name}` });
const button = (id: string, title: string) => ({ id, title, type: 'BUTTON' });

const WANTED: Record<string, IDataObject> = {
	TEXT: { type: 'TEXT', text: 'Hello! We have news for you.' },
	IMAGE: {
		type: 'IMAGE',
		text: 'See our new line',
		attachments: [
			{
				...file('IMAGE', 'image.png'),
				caption: 'See our new line',
				thumbnailUrl: 'https://files.example.com/image-thumb.png',
			},
		],
	},
	AUDIO: { type: 'AUDIO', attachments: [file('AUDIO', 'audio.mp3')] },
	VIDEO: {
		type: 'VIDEO',
		text: 'How it works',
		attachments: [{ ...file('VIDEO', 'video.mp4'), caption: 'How it works' }],
	},
	STICKER: { type: 'STICKER', attachments: [file('STICKER', 'sticker.webp')] },
	CONTACT_ARRAY: {
		type: 'CONTACT_ARRAY',
		contents: [
			{
				type: 'CONTACT_ARRAY',
				contacts: [
					{
						type: 'CONTACT',
						name: 'Bo Example',
						first_name: 'Bo',
						last_name: 'Example',
						phones: ['5511988880000'],
					},
				],
			},
		],
	},
	INTERACTIVE_BUTTON: {
		type: 'INTERACTIVE_BUTTON',
		text: 'How was it?',
		contents: [
			{
				type: 'INTERACTIVE_BUTTON',
				message: 'How was it?',
				buttons: [button('1', 'Excellent'), button('2', 'Good'), button('3', 'Average')],
			},
		],
	},
	INTERACTIVE_BUTTON_with_image: {
		type: 'INTERACTIVE_BUTTON',
		text: 'An offer for you',
		contents: [
			{
				type: 'INTERACTIVE_BUTTON',
				message: 'An offer for you',
				thumbnail: 'https://files.example.com/image.png',
				buttons: [button('1', 'Yes'), button('2', 'No')],
			},
		],
	},
	INTERACTIVE_ACTION: {
		type: 'INTERACTIVE_ACTION',
		text: 'How can we help?',
		contents: [
			{
				type: 'INTERACTIVE_ACTION',
				message: 'How can we help?',
				header: { message: 'Shop', type: 'BUTTON' },
				footer: { message: 'Choose', type: 'BUTTON' },
				action: { type: 'BUTTON' },
				buttons: [
					{ id: '1', title: 'Visit', type: 'URL', url: 'https://shop.example.com' },
					{ id: '2', title: 'Call', type: 'CALL', phone: '5511988880000' },
				],
			},
		],
	},
};

test('every published structure has an expectation', () => {
	expect(Object.keys(PUBLISHED).sort()).toEqual(Object.keys(WANTED).sort());
});

describe.each(Object.entries(WANTED))('the published %s', (kind, wanted) => {
	const body = PUBLISHED[kind]!;

	it("is simplified whole, without the service's internal fields", () => {
		expect(simplified(body)).toEqual({ ...COMMON, messageId: body.message._id, ...wanted });
	});

	it('is the same from a customer, without how it was sent, and an offered button is no reply', () => {
		const { fromApi: _fromApi, ...common } = COMMON;
		expect(simplified(byCustomer(body))).toEqual({
			...common,
			event: 'MESSAGE_RECEIVED',
			fromMe: false,
			messageId: body.message._id,
			...wanted,
		});
	});
});
