/** Parts of a form that are read. An upload has two. */
const MAX_PARTS = 16;

/** Alone, because a reader could take another one of several. */
const BOUNDARY =
	/^multipart\/form-data; *boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+.-]{1,70}))$/i;

/** Whether a form would take minutes to be read, and gigabytes. */
function hasManyParts(body: Buffer, boundary: string): boolean {
	let place = -1;
	for (let parts = 0; parts <= MAX_PARTS + 1; parts++) {
		place = body.indexOf(`--${boundary}`, place + 1);
		if (place === -1) return false;
	}
	return true;
}

/** The form of a body. Null: it is none, or has too many parts. @param type its content type */
export async function parseForm(body: Buffer, type: string): Promise<FormData | null> {
	const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
	const boundary = quoted ?? plain;
	if (boundary === undefined || hasManyParts(body, boundary)) return null;
	const given = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
	return await given.formData().catch(() => null);
}
