/** Percent-encoded: as usual and every byte, in both cases. */
const percentEncoded = (text: string): string[] => {
	const usual = encodeURIComponent(text);
	const every = [...Buffer.from(text)]
		.map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
		.join('');
	return [usual, every].flatMap((form) => [
		form,
		form.replace(/%../g, (code) => code.toLowerCase()),
	]);
};

/** In base64 at each of the three offsets, without characters that hold bits of its neighbours. */
const base64 = (text: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const shifted = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
		const whole = shifted
			.toString('base64')
			.slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
		return [whole, whole.replace(/\+/g, '-').replace(/\//g, '_')];
	});

/** Every form of a secret that must not be found. */
export const formsOf = (secret: string): string[] => [
	...new Set([secret, ...percentEncoded(secret), ...base64(secret)]),
];

/** How servers and proxies show a secret, or the header with it. */
export const echoesOf = (secret: string): string[] => {
	const encoded = [secret, `Bearer ${secret}`, `api:${secret}`].flatMap((text) => [
		Buffer.from(text).toString('base64'),
		Buffer.from(text).toString('base64url'),
	]);
	return [...new Set([secret, ...percentEncoded(secret), ...encoded])];
};

/** Everything in an error, and what n8n saves of it. */
export function toldBy(error: unknown): unknown {
	if (!(error instanceof Error)) return String(error);
	const { description, details } = error as { description?: unknown; details?: unknown };
	const { name, message, stack } = error;
	return { ...error, name, message, stack, description, details };
}

/** The form of a secret in an output, fields' names included. Undefined if there is none. */
export function shownForm(left: unknown, ...secrets: string[]): string | undefined {
	const text = JSON.stringify(left) ?? '';
	return secrets.flatMap(formsOf).find((form) => text.includes(form));
}
