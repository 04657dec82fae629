/** The forms in which a secret can leave: as it is, and as servers, proxies and libraries write it down again. */
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

/** A secret in base64, at each of the three offsets that preceding bytes can give it: only the characters made of the secret alone. */
const base64 = (text: string): string[] =>
	[0, 1, 2].flatMap((shift) => {
		const shifted = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]);
		const whole = shifted
			.toString('base64')
			.slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
		return [whole, whole.replace(/\+/g, '-').replace(/\//g, '_')];
	});

/** Every form of a secret that is looked for. */
export const formsOf = (secret: string): string[] => [
	...new Set([secret, ...percentEncoded(secret), ...base64(secret)]),
];

/** What others make of a secret, or of the header that carries it, when they show what they were sent. */
export const echoesOf = (secret: string): string[] => {
	const encoded = [secret, `Bearer ${secret}`, `api:${secret}`].flatMap((text) => [
		Buffer.from(text).toString('base64'),
		Buffer.from(text).toString('base64url'),
	]);
	return [...new Set([secret, ...percentEncoded(secret), ...encoded])];
};

/** All that an error tells, and what n8n keeps of it. */
export function toldBy(error: unknown): unknown {
	if (!(error instanceof Error)) return String(error);
	const { description, details } = error as { description?: unknown; details?: unknown };
	return {
		...error,
		name: error.name,
		message: error.message,
		stack: error.stack,
		description,
		details,
	};
}

/** The form in which a secret shows in what leaves, names of fields included; undefined where it does not. */
export function shownForm(left: unknown, ...secrets: string[]): string | undefined {
	const text = JSON.stringify(left) ?? '';
	return secrets.flatMap(formsOf).find((form) => text.includes(form));
}
