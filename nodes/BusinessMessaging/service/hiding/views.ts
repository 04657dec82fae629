/**
 * A text in the form in which secrets are searched, and where each of its characters comes from.
 */
export interface View {
	text: string;
	/** Where the original of each character starts. */
	starts: Int32Array;
	/** Where it ends. */
	ends: Int32Array;
	/** Where it starts without the backslashes before it. */
	bareStarts: Int32Array;
}

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const BACKSLASH = 0x5c;
const LETTER_U = 0x55;
const REPLACEMENT = 0xfffd;
/** In the place of a byte of UTF-8 until the others are there: in the private use area. */
const BYTE = 0xf700;

/** Characters between `&` and `;`. */
const ENTITY_MAX = 10;
const ENTITIES: Partial<Record<string, number>> = {
	AMP: 0x26,
	LT: 0x3c,
	GT: 0x3e,
	QUOT: 0x22,
	APOS: 0x27,
	NBSP: 0x20,
};

/**
 * What stands for a character: its capital, and one sign for those that encodings exchange: for a
 * blank, `+` and `-`, and for `/` and `_`.
 */
function fold(unit: number): number {
	if (unit === 0x20 || unit === 0x2d) return 0x2b;
	if (unit === 0x5f) return 0x2f;
	if (unit < 0x80) return unit >= 0x61 && unit <= 0x7a ? unit - 0x20 : unit;
	const capital = String.fromCharCode(unit).toUpperCase();
	if (capital.length !== 1) return unit;
	const folded = capital.charCodeAt(0);
	return folded < 0x80 ? unit : folded;
}

/** The value of a hexadecimal digit. -1 for anything else. Letters are capitals. */
function digit(unit: number): number {
	if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
	return unit >= 0x41 && unit <= 0x46 ? unit - 0x37 : -1;
}

/** The text as it is, but for what `fold` makes of its characters. */
export function asWritten(text: string): View {
	const writer = new Writer(text.length);
	for (let at = 0; at < text.length; at++) writer.put(fold(text.charCodeAt(at)), at, at + 1);
	return writer.view();
}

/**
 * The text decoded, as often as it was encoded: percent-encoding, and the escapes of JSON and HTML,
 * mixed as they may be. Without backslashes, because JSON puts them before other characters. It
 * takes linear time: each step back makes the result shorter.
 */
export function decoded(text: string): View {
	const writer = new Writer(text.length);
	for (let at = 0; at < text.length; at++) {
		writer.put(fold(text.charCodeAt(at)), at, at + 1);
		while (writer.decodeEnd());
	}
	writer.finish();
	return writer.view();
}

/** What folds lines, and what has no width. Proxies and mail break long words with them. */
const BREAKS = /=(?=[\r\n])|\\[rn]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

export const withoutBreaks = (text: string): string => text.replace(BREAKS, '');

/** The text decoded, without what breaks its words. Undefined if nothing does. */
export function decodedAndJoined(text: string): View | undefined {
	const places = new Int32Array(text.length);
	const parts: string[] = [];
	let length = 0;
	let from = 0;
	const keepTo = (end: number) => {
		parts.push(text.slice(from, end));
		for (let at = from; at < end; at++) places[length++] = at;
	};
	for (const { index, 0: sign } of text.matchAll(BREAKS)) {
		keepTo(index);
		from = index + sign.length;
	}
	if (from === 0) return undefined;
	keepTo(text.length);
	const { starts, ends, bareStarts, ...view } = decoded(parts.join(''));
	return {
		...view,
		starts: starts.map((at) => places[at]!),
		ends: ends.map((at) => places[at - 1]! + 1),
		bareStarts: bareStarts.map((at) => places[at]!),
	};
}

class Writer {
	private length = 0;
	private readonly units: Uint16Array;
	private readonly starts: Int32Array;
	private readonly ends: Int32Array;
	private bareStarts: Int32Array;

	/** @param most characters: what is decoded is never longer */
	constructor(most: number) {
		this.units = new Uint16Array(most);
		this.starts = new Int32Array(most);
		this.ends = new Int32Array(most);
		this.bareStarts = this.starts;
	}

	put(unit: number, start: number, end: number): void {
		this.units[this.length] = unit;
		this.starts[this.length] = start;
		this.ends[this.length] = end;
		this.length += 1;
	}

	/** Decodes the escape at the end. Returns whether there was one. */
	decodeEnd(): boolean {
		const last = this.at(1);
		if (last === SEMICOLON) return this.decodeEntity();
		if (digit(last) === -1) return false;
		if (this.at(3) === PERCENT && digit(this.at(2)) !== -1) {
			const byte = digit(this.at(2)) * 16 + digit(last);
			this.replace(3, byte < 0x80 ? fold(byte) : BYTE + byte);
			if (byte >= 0x80) this.decodeBytes();
			return true;
		}
		if (this.at(6) !== BACKSLASH || this.at(5) !== LETTER_U) return false;
		const value = this.number(4, 16, 4);
		if (value === undefined) return false;
		this.replace(6, fold(value));
		return true;
	}

	/** Replaces lone surrogates as UTF-8 does, and leaves out backslashes. */
	finish(): void {
		const { units, starts, ends, length } = this;
		this.bareStarts = new Int32Array(length);
		this.length = 0;
		/** Where the backslashes before a character start: they belong to it. */
		let escape = -1;
		for (let at = 0; at < length; at++) {
			const unit = units[at]!;
			if (unit === BACKSLASH) {
				if (escape === -1) escape = starts[at]!;
				continue;
			}
			const isHigh = (unit & 0xfc00) === 0xd800;
			const isLow = (unit & 0xfc00) === 0xdc00;
			const isPair = isHigh
				? ((units[at + 1] ?? 0) & 0xfc00) === 0xdc00
				: isLow && at > 0 && (units[at - 1]! & 0xfc00) === 0xd800;
			this.bareStarts[this.length] = starts[at]!;
			const isLone = (isHigh || isLow) && !isPair;
			this.put(isLone ? REPLACEMENT : unit, escape === -1 ? starts[at]! : escape, ends[at]!);
			escape = -1;
		}
	}

	view(): View {
		const { buffer, byteOffset } = this.units;
		return {
			text: Buffer.from(buffer, byteOffset, this.length * 2).toString('utf16le'),
			starts: this.starts.subarray(0, this.length),
			ends: this.ends.subarray(0, this.length),
			bareStarts: this.bareStarts.subarray(0, this.length),
		};
	}

	/** A character, counted from the end. 0 before the start. */
	private at(back: number): number {
		return back > this.length ? 0 : this.units[this.length - back]!;
	}

	/** Puts characters in the place of the last ones. They may be one or two. */
	private replace(count: number, ...instead: number[]): void {
		const start = this.starts[this.length - count]!;
		const end = this.ends[this.length - 1]!;
		this.length -= count;
		for (const unit of instead) this.put(unit, start, end);
	}

	/** The number in digits that begin `from` characters before the end. */
	private number(from: number, radix: 10 | 16, count: number): number | undefined {
		let value = 0;
		for (let back = from; back > from - count; back--) {
			const next = digit(this.at(back));
			if (next === -1 || next >= radix) return undefined;
			value = value * radix + next;
		}
		return count === 0 ? undefined : value;
	}

	/** The last bytes as a character, if they are one in UTF-8. */
	private decodeBytes(): void {
		for (let count = 2; count <= 4; count++) {
			const lead = this.at(count) - BYTE;
			if (lead >= 0x80 && lead < 0xc0) continue;
			if (lead < 0xc2 || lead > 0xf4) return;
			const wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
			if (wanted !== count) return;
			let code = lead & (0xff >> (count + 1));
			for (let back = count - 1; back > 0; back--)
				code = code * 64 + ((this.at(back) - BYTE) & 0x3f);
			if (code <= 0x10ffff) this.replace(count, ...unitsOf(code));
			return;
		}
	}

	private decodeEntity(): boolean {
		for (let back = 2; back <= ENTITY_MAX + 2; back++) {
			if (this.at(back) !== AMPERSAND) continue;
			const code = this.entity(back);
			if (code === undefined || code > 0x10ffff) return false;
			this.replace(back, ...unitsOf(code));
			return true;
		}
		return false;
	}

	/** The code of the entity that begins `back` characters before the end. */
	private entity(back: number): number | undefined {
		if (this.at(back - 1) !== 0x23) {
			const name = this.units.subarray(this.length - back + 1, this.length - 1);
			return ENTITIES[String.fromCharCode(...name)];
		}
		const isHex = this.at(back - 2) === 0x58;
		const from = isHex ? back - 3 : back - 2;
		return this.number(from, isHex ? 16 : 10, from - 1);
	}
}

/** A code point in UTF-16. Beyond the first plane it has two units. */
function unitsOf(code: number): number[] {
	if (code < 0x10000) return [fold(code)];
	return [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)];
}
