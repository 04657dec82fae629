/**
 * Run by itself: loads nodes as n8n does, a group of files after the other, and prints for each
 * round the milliseconds that each group kept the processor busy.
 *
 *     node --no-compilation-cache loadingProbe.cjs <json: names and files> <folder> ...
 *
 * Before each loading it forgets what was loaded from the folders. What the files need of other
 * packages stays, because n8n and other nodes need it, too.
 */
const ROUNDS = 11;
/** Measured as one, because some kernels count time in steps of 4 ms, a third of a loading. */
const LOADINGS = 8;

const [json = '', ...folders] = process.argv.slice(2);
/** @type {Record<string, string[]>} */
const groups = JSON.parse(json);

/** @param {string[]} files */
function load(files) {
	const before = process.threadCpuUsage();
	for (let loading = 0; loading < LOADINGS; loading++) {
		for (const file of Object.keys(require.cache))
			if (folders.some((folder) => file.startsWith(folder))) delete require.cache[file];
		for (const file of files) {
			const [name = ''] = file.split('/').at(-1)?.split('.') ?? [];
			new (require(file)[name])();
		}
	}
	const { user, system } = process.threadCpuUsage(before);
	return (user + system) / 1000 / LOADINGS;
}

Object.values(groups).forEach(load);
/** @type {Record<string, number[]>} */
const rounds = {};
for (let round = 0; round < ROUNDS; round++)
	for (const [name, files] of Object.entries(groups)) (rounds[name] ??= []).push(load(files));
console.log(JSON.stringify(rounds));
