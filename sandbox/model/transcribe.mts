/** The words of a voice note. The stand-in hears none, and says so. */
export function transcribe(form: unknown): string {
	const file = form instanceof FormData ? form.get('file') : null;
	if (!(file instanceof File)) throw new Error('The form has no file');
	return `(a voice note of ${Math.ceil(file.size / 1000)} kB, which the stand-in cannot hear)`;
}
