/** A script that cannot be played, with one sentence for each reason. */
export class ScriptError extends Error {
	override readonly name = 'ScriptError';
}
