import { crc32, inflateSync } from 'node:zlib';

import { number } from './harness/conversations.mts';
import { Example, itemsOf, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';

const TRIGGER = 'When Clicking Execute';
const CAPTION = 'Orders of three days';
const HEIGHT = 320;

let host: Host;
let channelId: string;

beforeAll(async () => {
	const account = await ownAccount(['Files']);
	({ host } = account);
	[channelId = ''] = account.channels;
});
afterAll(async () => await host?.cleanUp());

const draw = async (recipient: string, numbers: number[]) =>
	await Example.import(host, 'send-a-file', channelId, {
		settings: { recipient, caption: CAPTION, numbers },
	});

/** The chunks of a PNG, by their names, each with a right checksum. */
function chunksOf(png: Buffer): Map<string, Buffer> {
	expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
	const chunks = new Map<string, Buffer>();
	for (let at = 8; at < png.length;) {
		const end = at + 8 + png.readUInt32BE(at);
		expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
		chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end));
		at = end + 4;
	}
	return chunks;
}

/** The height of each bar, in points, of a picture with two colours. */
function barsOf(png: Buffer): number[] {
	const chunks = chunksOf(png);
	const header = chunks.get('IHDR')!;
	expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
	expect(header.readUInt32BE(4)).toBe(HEIGHT);
	const rowLength = 1 + header.readUInt32BE(0) / 8;
	// Ends with a checksum that zlib checks.
	const rows = inflateSync(chunks.get('IDAT')!);
	expect(rows).toHaveLength(rowLength * HEIGHT);
	const heights = Array.from({ length: (rowLength - 1) * 8 }, (_, x) =>
		Array.from(
			{ length: HEIGHT },
			(__, y) => ((rows[y * rowLength + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1,
		).reduce((sum, point) => sum + point, 0),
	);
	return heights.filter((height, x) => height > 0 && heights[x - 1] !== height);
}

test('draws a chart and sends it as a picture, and the customer gets the same file', async () => {
	const customer = number(600);
	await host.sandbox.customerWrites({ channelId, from: customer, name: 'Ana', text: 'Hello' });
	const example = await draw(customer, [10, 20, 5]);
	const [sent] = await example.run(TRIGGER, 'Send the Picture');
	const [execution] = await example.executions(1);
	const [drawn] = execution ? itemsOf(execution, 'Draw the Chart') : [];

	const message = (await host.sandbox.messages(channelId)).find(({ id }) => id === sent?.messageId);
	expect(message).toMatchObject({
		customer,
		direction: 'out',
		content: { type: 'IMAGE', caption: CAPTION },
	});
	const { url } = message?.content as { url: string };
	const file = await fetch(new URL(url, host.sandbox.url));
	expect(file.headers.get('content-type')).toBe('image/png');
	const bytes = Buffer.from(await file.arrayBuffer());
	expect(bytes.toString('base64')).toBe(drawn?.picture);
	expect(barsOf(bytes)).toEqual([140, 280, 70]);
});
