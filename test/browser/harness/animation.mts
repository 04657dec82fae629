/** Makes animated WebP from Chromium's pictures. The format is simple, and no tool is installed. */

/** A picture, or a part that is drawn over the picture before it. */
export interface Frame {
	/** A WebP file, not animated. */
	picture: Buffer;
	/** Its position, in even pixels. */
	x: number;
	y: number;
	/** How long it stays. */
	milliseconds: number;
}

interface Chunk {
	name: string;
	data: Buffer;
}

/** The bit of VP8X for animation. */
const ANIMATED = 0x02;
/** A frame replaces the pixels below it. */
const WITHOUT_BLENDING = 0x02;
/** The chunks of a frame, without the rest of a file, such as its colour profile. */
const PICTURE_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];

/**
 * Makes an animation that repeats for ever. The first frame gives its size.
 *
 * @throws Error if a frame is not a lossy WebP, or is outside the first
 */
export function animate(frames: readonly Frame[]): Buffer {
	const drawn = frames.map((frame) => ({ ...frame, ...readPicture(frame.picture) }));
	const [{ width, height } = { width: 0, height: 0 }] = drawn;
	for (const { x, y, ...part } of drawn)
		if (x % 2 || y % 2 || x + part.width > width || y + part.height > height)
			throw new Error(`a frame is at ${x}, ${y} with ${part.width} × ${part.height}`);
	return chunk('RIFF', [
		Buffer.from('WEBP'),
		chunk('VP8X', [Buffer.from([ANIMATED, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]),
		chunk('ANIM', [Buffer.alloc(6)]),
		...drawn.map(({ x, y, milliseconds, chunks, ...part }) =>
			chunk('ANMF', [
				uint24(x / 2),
				uint24(y / 2),
				uint24(part.width - 1),
				uint24(part.height - 1),
				uint24(milliseconds),
				Buffer.from([WITHOUT_BLENDING]),
				...chunks.map(({ name, data }) => chunk(name, [data])),
			]),
		),
	]);
}

/** The size of a lossy picture, and the chunks that it consists of. */
function readPicture(file: Buffer): { width: number; height: number; chunks: Chunk[] } {
	const chunks = [...chunksOf(file)].filter(({ name }) => PICTURE_CHUNKS.includes(name));
	const lossy = chunks.find(({ name }) => name === 'VP8 ');
	if (!lossy) throw new Error('the picture is no lossy WebP');
	// After a tag of three bytes and a start code of three. The upper two bits of each number are its
	// scaling.
	return {
		width: lossy.data.readUInt16LE(6) & 0x3fff,
		height: lossy.data.readUInt16LE(8) & 0x3fff,
		chunks,
	};
}

function* chunksOf(file: Buffer): Generator<Chunk> {
	for (let at = 12; at + 8 <= file.length;) {
		const length = file.readUInt32LE(at + 4);
		yield {
			name: file.toString('latin1', at, at + 4),
			data: file.subarray(at + 8, at + 8 + length),
		};
		at += 8 + length + (length % 2);
	}
}

function chunk(name: string, parts: Buffer[]): Buffer {
	const data = Buffer.concat(parts);
	const length = Buffer.alloc(4);
	length.writeUInt32LE(data.length);
	return Buffer.concat([Buffer.from(name, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value: number): Buffer {
	const bytes = Buffer.alloc(3);
	bytes.writeUIntLE(value, 0, 3);
	return bytes;
}
