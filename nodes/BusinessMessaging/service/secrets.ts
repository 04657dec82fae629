/** What stands in the place of a secret. */
export const HIDDEN = '[hidden]';

/** Bytes below which a secret is found in ordinary words: then only what stands alone counts. */
const SHORT = 6;
/** How often what is encoded may have been encoded again. */
const DECODINGS = 3;

/** A text of bytes, a character each, and where in the text that was given each of them begins and ends. */
interface Reading {
	bytes: string;
	begins: number[];
	ends: number[];
}

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
const textOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString();

const ENCODED =
	/%([\da-f]{2})|\\x([\da-f]{2})|\\u([\da-f]{4})|&#x([\da-f]{1,5});|&#(\d{1,6});|&(amp|lt|gt|quot|apos);|[ \t\r\n\f\v\\]/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Takes off one layer of percent-encoding, of escaping by JSON, JavaScript or HTML; and white space, where a long line may have been broken. */
function decode({ bytes, begins, ends }: Reading): Reading {
	const parts: string[] = [];
	const next: Reading = { bytes: '', begins: [], ends: [] };
	let read = 0;
	const keepUntil = (end: number) => {
		parts.push(bytes.slice(read, end));
		for (; read < end; read += 1) {
			next.begins.push(begins[read]!);
			next.ends.push(ends[read]!);
		}
	};
	for (const {
		0: encoded,
		1: percent,
		2: byte,
		3: unit,
		4: hex,
		5: decimal,
		6: entity,
		index,
	} of bytes.matchAll(ENCODED)) {
		keepUntil(index);
		const code = unit ?? hex;
		const decoded =
			(percent ?? byte) !== undefined
				? String.fromCharCode(parseInt(percent ?? byte ?? '', 16))
				: (code ?? decimal) !== undefined
					? bytesOf(String.fromCodePoint(code === undefined ? Number(decimal) : parseInt(code, 16)))
					: (ENTITIES[entity?.toLowerCase() ?? ''] ?? '');
		parts.push(decoded);
		read = index + encoded.length;
		for (let count = 0; count < decoded.length; count += 1) {
			next.begins.push(begins[index]!);
			next.ends.push(ends[read - 1]!);
		}
	}
	keepUntil(bytes.length);
	return { ...next, bytes: parts.join('') };
}

/** A text in every reading, from what it is to what it stands for. */
function readingsOf(text: string): Reading[] {
	const bytes = bytesOf(text);
	const readings: Reading[] = [
		{
			bytes,
			begins: Array.from(bytes, (_, index) => index),
			ends: Array.from(bytes, (_, index) => index + 1),
		},
	];
	for (let layer = 0; layer < DECODINGS; layer += 1) {
		const last = readings[layer]!;
		const next = decode(last);
		if (next.bytes.length === last.bytes.length) break;
		readings.push(next);
	}
	return readings;
}

/** In one case, and in one of base64's two alphabets. */
const alike = (bytes: string) => bytes.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');

interface Form {
	/** As `alike` writes it. */
	bytes: string;
	/** At its ends, base64 has characters that hold bits of a neighbour, and padding. */
	hasEnds: boolean;
	standsAlone: boolean;
}

/** How a secret may be written beside what `decode` undoes. Of three bytes base64 makes four characters, so within other bytes there are three cases. */
function formsOf(secret: string): Form[] {
	const bytes = Buffer.from(secret);
	const standsAlone = bytes.length < SHORT;
	const base64 = [0, 1, 2].map((before) => {
		const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		return encoded.slice(
			Math.ceil((before * 4) / 3),
			Math.floor(((before + bytes.length) * 4) / 3),
		);
	});
	const whole = bytes.toString('base64');
	const plain = [
		...readingsOf(secret).map((reading) => reading.bytes),
		bytesOf(secret).replaceAll(' ', '+'),
		...(standsAlone ? [whole, whole.replaceAll('=', '')] : [bytes.toString('hex')]),
	];
	const forms = [
		...plain.map((form) => ({ form, hasEnds: false })),
		...(standsAlone ? [] : base64.map((form) => ({ form, hasEnds: true }))),
	];
	return forms
		.filter(({ form }) => form !== '')
		.map(({ form, hasEnds }) => ({ bytes: alike(form), hasEnds, standsAlone }));
}

/** From where to where of the text that was given a form stands. */
function* placesOf(
	{ bytes: form, hasEnds, standsAlone }: Form,
	{ bytes, begins, ends }: Reading,
	given: string,
): Generator<[start: number, end: number]> {
	for (
		let index = bytes.indexOf(form);
		index !== -1;
		index = bytes.indexOf(form, index + form.length)
	) {
		let start = begins[index]!;
		let end = ends[index + form.length - 1]!;
		if (
			standsAlone &&
			(/\w/.test(`${given[start - 1] ?? ''}${given[end] ?? ''}`) ||
				/\s/.test(given.slice(start, end)))
		)
			continue;
		if (hasEnds) {
			if (/[\w+/-]/.test(given[start - 1] ?? '')) start -= 1;
			end += /^[\w+/-]?=?=?/.exec(given.slice(end, end + 3))?.[0].length ?? 0;
		}
		yield [start, end];
	}
}

/**
 * Makes what takes secrets out of foreign text, however they are written there: as they are, percent-encoded, in base64 or in hexadecimal digits, as
 * JSON and HTML escape them, in any case of letters. Takes time in proportion to the text.
 */
export function secretRemover(secrets: readonly unknown[]): (text: string) => string {
	const forms = [...new Set(secrets)].flatMap((secret) =>
		typeof secret === 'string' && secret !== '' ? formsOf(secret) : [],
	);
	return (text) => {
		const readings = readingsOf(text);
		const given = readings[0]!.bytes;
		const places = readings
			.map((reading) => ({ ...reading, bytes: alike(reading.bytes) }))
			.flatMap((reading) => forms.flatMap((form) => [...placesOf(form, reading, given)]));
		if (places.length === 0) return text;
		const parts: string[] = [];
		let read = 0;
		for (const [start, end] of places.sort(([one], [other]) => one - other)) {
			if (start >= read) parts.push(given.slice(read, start), HIDDEN);
			read = Math.max(read, end);
		}
		return textOf(parts.join('') + given.slice(read));
	};
}
