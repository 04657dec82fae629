/**
 * The address under which receivers reach the sandbox's files. Its port may be known only after
 * listening.
 */
export class Origin {
	#url = '';

	/** Without a slash at the end. */
	set(url: string): void {
		this.#url = url;
	}

	/** A path of the sandbox as a full address; any other address unchanged. */
	resolve(url: string): string {
		return url.startsWith('/') ? this.#url + url : url;
	}
}
