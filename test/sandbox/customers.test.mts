/** Whom a channel can have as a customer. */
import { DEMO_CHANNEL_ID } from '#sandbox/seed.mts';
import { testSandbox } from './deliveryHarness.mts';

const sandbox = testSandbox();
const NUMBER = 'must be a phone number with its country code: 8 to 15 digits without signs';
const NAME = 'must be a name or ID without blanks, +, parentheses and slashes';
const NO_NUMBERS = [
	...['+5500000000101', '55 00 000000101', '005500000000101', '01100000101', '1234567'],
	...['1234567890123456', '-5500000000101', 'tel:5500000000101', '@store', 'Ana Example'],
];
const NO_NAMES = [
	'+5500000000101',
	'55 00 101',
	'(55)00000000101',
	'55/00000000101',
	'Ana Example',
];

/** The demo channel, or a new one that is not connected. */
async function channelOf(type: string): Promise<string> {
	if (type === 'OFFICIAL_CHATAPP') return DEMO_CHANNEL_ID;
	const body = { name: type, type };
	return (await sandbox.call<{ id: string }>('/v1/channels', { body })).body.id;
}

test.each([
	['OFFICIAL_CHATAPP', NUMBER, NO_NUMBERS],
	['WEB_CHATAPP', NUMBER, NO_NUMBERS],
	['PHOTO_INBOX', NAME, NO_NAMES],
	['PAGE_INBOX', NAME, NO_NAMES],
	['MESSENGER_BOT', NAME, NO_NAMES],
])('%s refuses what it cannot have', async (type, form, identifiers) => {
	const channelId = await channelOf(type);
	for (const identifier of identifiers) {
		const sent = await sandbox.send(identifier, 'Hello', channelId);
		const message = `recipient.identifier: ${form}`;
		expect(sent).toMatchObject({ status: 422, body: { error: 422, message } });
		for (const [path, field] of Object.entries({ inbound: 'from', 'from-phone': 'to' })) {
			const body = { channelId, [field]: identifier, text: 'Hello' };
			const refused = await sandbox.attempt(`/${path}`, body);
			expect(refused).toMatchObject({ status: 422, body: { error: `${field}: ${form}` } });
		}
	}
});

test.each([
	['OFFICIAL_CHATAPP', '12345678', '123456789012345'],
	['PHOTO_INBOX', '@store', '17841400000000101', 'ana.example', '5500000000101'],
	['MESSENGER_BOT', '-1001234567890', '7f3a', 'ana@shop.example'],
])('%s takes what it can have, and answers by the window', async (type, ...identifiers) => {
	const channelId = await channelOf(type);
	const isDemo = channelId === DEMO_CHANNEL_ID;
	const message = isDemo ? 'Conversation window is closed' : 'Channel is not connected';
	for (const identifier of identifiers) {
		const sent = await sandbox.send(identifier, 'Hello', channelId);
		expect(sent).toMatchObject({ status: 422, body: { message } });
	}
});
