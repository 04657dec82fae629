/**
 * Run by itself: loads and makes a package's nodes and credentials as n8n does, and prints how many
 * milliseconds that took beyond n8n-workflow and zod.
 *
 *     node test/bench/loadingProbe.cjs <file> ...
 */
require('n8n-workflow');
require('zod');

const began = performance.now();
for (const file of process.argv.slice(2)) {
	const [name = ''] = file.split('/').at(-1)?.split('.') ?? [];
	new (require(file)[name])();
}
console.log(performance.now() - began);
