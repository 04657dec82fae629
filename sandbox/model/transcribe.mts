/**
 * The words of a voice note. The stand-in hears none, and says so.
 *
 * @param type the form's content type, with its boundary
 */
export async function transcribe(form: Buffer, type: string): Promise<string> {
	const fields = await new Response(new Uint8Array(form), {
		headers: { 'content-type': type },
	}).formData();
	const file = fields.get('file');
	if (!(file instanceof File)) throw new Error('The form has no file');
	return `(a voice note of ${Math.ceil(file.size / 1000)} kB, which the stand-in cannot hear)`;
}
