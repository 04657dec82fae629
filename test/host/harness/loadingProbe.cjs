/**
 * Run by itself: loads nodes as n8n does, a group of files after the other, and prints the
 * milliseconds that each group took in each round.
 *
 *     node --no-compilation-cache loadingProbe.cjs <json: names and files> <folder> ...
 *
 * Before each loading it forgets what was loaded from the folders. What the files need of other
 * packages stays, because n8n and other nodes need it, too.
 */
const ROUNDS = 25;

const [json = '', ...folders] = process.argv.slice(2);
/** @type {Record<string, string[]>} */
const groups = JSON.parse(json);

/** @param {string[]} files */
function load(files) {
	for (const file of Object.keys(require.cache))
		if (folders.some((folder) => file.startsWith(folder))) delete require.cache[file];
	const start = performance.now();
	for (const file of files) {
		const [name = ''] = file.split('/').at(-1)?.split('.') ?? [];
		new (require(file)[name])();
	}
	return performance.now() - start;
}

Object.values(groups).forEach(load);
/** @type {Record<string, number[]>} */
const rounds = {};
const turns = Object.entries(groups);
for (let round = 0; round < ROUNDS; round++) {
	for (const [name, files] of turns) (rounds[name] ??= []).push(load(files));
	// What is loaded first leaves its garbage to the other.
	turns.reverse();
}
console.log(JSON.stringify(rounds));
