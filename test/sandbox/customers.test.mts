/** Whom a channel can have as a customer. */
import { DEMO_CHANNEL_ID } from '../../sandbox/seed.mts';
import { startTestSandbox } from './helpers.mts';

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
/** By type. */
const channels = new Map<string, string>([['OFFICIAL_CHATAPP', DEMO_CHANNEL_ID]]);

beforeAll(async () => {
	sandbox = await startTestSandbox();
	for (const type of ['WEB_CHATAPP', 'PHOTO_INBOX', 'PAGE_INBOX', 'MESSENGER_BOT']) {
		const { body } = await sandbox.call<{ id: string }>('/v1/channels', {
			body: { name: type, type },
		});
		channels.set(type, body.id);
	}
});
afterAll(() => sandbox.close());

const NUMBER = 'must be a phone number with its country code: 8 to 15 digits without signs';
const NAME = 'must be a name or ID without blanks, +, parentheses and slashes';

const REFUSED: Array<[type: string, form: string, ...identifiers: string[]]> = [
	...['OFFICIAL_CHATAPP', 'WEB_CHATAPP'].map((type): [string, string, ...string[]] => [
		type,
		NUMBER,
		...['+5500000000101', '55 00 000000101', '005500000000101', '01100000101', '1234567'],
		...['1234567890123456', '-5500000000101', 'tel:5500000000101', '@store', 'Ana Example'],
	]),
	...['PHOTO_INBOX', 'PAGE_INBOX', 'MESSENGER_BOT'].map((type): [string, string, ...string[]] => [
		type,
		NAME,
		...['+5500000000101', '55 00 000000101', '(55)00000000101', '55/00000000101', 'Ana Example'],
	]),
];

test.each(REFUSED)('%s refuses what it cannot have', async (type, form, ...identifiers) => {
	const channelId = channels.get(type) ?? '';
	for (const identifier of identifiers) {
		expect(await sandbox.send(identifier, 'Hello', channelId)).toMatchObject({
			status: 422,
			body: { error: 422, message: `recipient.identifier: ${form}` },
		});
		for (const [path, field] of [
			['inbound', 'from'],
			['from-phone', 'to'],
		] as const)
			expect(
				await sandbox.call(`/_sandbox/${path}`, {
					body: { channelId, [field]: identifier, text: 'Hello' },
				}),
			).toMatchObject({ status: 422, body: { error: `${field}: ${form}` } });
	}
});

test.each([
	['OFFICIAL_CHATAPP', '12345678', '123456789012345'],
	['PHOTO_INBOX', '@store', '17841400000000101', 'ana.example', '5500000000101'],
	['MESSENGER_BOT', '-1001234567890', '7f3a', 'ana@shop.example'],
])('%s takes what it can have, and answers by the window', async (type, ...identifiers) => {
	const channelId = channels.get(type) ?? '';
	const isConnected = type === 'OFFICIAL_CHATAPP';
	for (const identifier of identifiers)
		expect(await sandbox.send(identifier, 'Hello', channelId)).toMatchObject({
			status: 422,
			body: {
				message: isConnected ? 'Conversation window is closed' : 'Channel is not connected',
			},
		});
});
