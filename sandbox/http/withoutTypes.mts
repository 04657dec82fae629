/** A module of the page as a browser can run it. The package has them without types already. */
export async function withoutTypes(source: Uint8Array): Promise<string> {
	const { transform } = await import('esbuild');
	return (await transform(source, { loader: 'ts', target: 'es2022', charset: 'utf8' })).code;
}
