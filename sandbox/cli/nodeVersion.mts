/** The first Node.js whose node:sqlite needs no flag. */
const NEEDED = [22, 13] as const;

/**
 * The message for a Node.js that is too old, else undefined. `version`: as in
 * `process.versions.node`.
 */
export function nodeProblem(version: string): string | undefined {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
	return isEnough
		? undefined
		: `The sandbox needs Node.js ${NEEDED.join('.')} or newer, and this is ${version}. Install a newer Node.js.`;
}
