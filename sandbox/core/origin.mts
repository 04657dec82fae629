/** Under which address receivers reach the sandbox's files. Its port may be known only once it listens. */
export class Origin {
	#url = '';

	/** Without a slash at the end. */
	set(url: string): void {
		this.#url = url;
	}

	/** A path of the sandbox as a full address; any other address as it is. */
	resolve(url: string): string {
		return url.startsWith('/') ? this.#url + url : url;
	}
}
