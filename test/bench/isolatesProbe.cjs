/**
 * Run by itself: makes isolates for expressions as n8n does when an execution evaluates its first
 * one, with n8n's compile cache and without, by turns, and prints the processor time of each in
 * milliseconds, as JSON.
 *
 *     node --no-node-snapshot test/bench/isolatesProbe.cjs <folder of n8n's node_modules> <rounds>
 */
const { join } = require('node:path');

const [modules = '', rounds = ''] = process.argv.slice(2);
const { IsolatedVmBridge } = require(join(modules, '@n8n', 'expression-runtime'));

/** Isolates that are made in a row. */
const MADE = 5;

/** @param {boolean} compileCache @returns {Promise<number>} */
async function millisecondsOf(compileCache) {
	const before = process.cpuUsage();
	const made = Array.from({ length: MADE }, () => {
		const bridge = new IsolatedVmBridge({ compileCache });
		bridge.initializeSync();
		return bridge;
	});
	const { user, system } = process.cpuUsage(before);
	for (const bridge of made) await bridge.dispose();
	return (user + system) / 1000 / MADE;
}

void (async () => {
	/** @type {{ without: number[], with: number[] }} */
	const taken = { without: [], with: [] };
	for (let round = 0; round <= Number(rounds); round += 1) {
		for (const cached of round % 2 === 0 ? [false, true] : [true, false]) {
			const milliseconds = await millisecondsOf(cached);
			// The first round warms up, and makes the cache.
			if (round > 0) taken[cached ? 'with' : 'without'].push(milliseconds);
		}
	}
	console.log(JSON.stringify(taken));
	process.exit();
})();
