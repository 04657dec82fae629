/** A module of the page as a browser can run it. Of the package, which has no types, it is no part. */
export async function withoutTypes(source: Uint8Array): Promise<string> {
	const { transform } = await import('esbuild');
	return (await transform(source, { loader: 'ts', target: 'es2022', charset: 'utf8' })).code;
}
