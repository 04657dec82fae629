/** The picture that *Send a File* draws. Its rehearsal sends it. */
import { crc32, inflateSync } from 'node:zlib';

import { runCode } from './evaluate.mts';

const HEIGHT = 320;

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

test('is a PNG with a bar for each number', () => {
	const given = { '': [{ numbers: [10, 20, 5] }] };
	const [drawn] = runCode('send-a-file', 'Draw the Chart', given);
	expect(barsOf(Buffer.from(String(drawn?.picture), 'base64'))).toEqual([140, 280, 70]);
});
