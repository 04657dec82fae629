/**
 * Run by itself: loads a package's nodes and credentials as n8n does, and prints what that took
 * beyond n8n-workflow and zod, as JSON.
 *
 *     node --expose-gc test/bench/loadingProbe.cjs <file> ...
 */
require('n8n-workflow');
require('zod');

const heap = () => {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed;
};

const files = process.argv.slice(2);
const before = heap();
const began = performance.now();
// Kept, so that the collector leaves them.
const loaded = files.map((file) => {
	const [name = ''] = file.split('/').at(-1)?.split('.') ?? [];
	return new (require(file)[name])();
});
const milliseconds = performance.now() - began;
const bytes = heap() - before;
console.log(JSON.stringify({ milliseconds, bytes, count: loaded.length }));
