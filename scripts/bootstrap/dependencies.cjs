/** Installs the checkout's own node_modules when they are missing, half-installed or behind the lock. */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const { cacheRoot, withLock } = require('./cache.cjs');
const { npm } = require('./npm.cjs');

/** @param {string} checkout the repository's folder */
async function installDependencies(checkout) {
	if (isInstalled(checkout)) return;
	mkdirSync(cacheRoot(), { recursive: true });
	const name = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
	await withLock(
		join(cacheRoot(), `checkout-${name}.lock`),
		'another run to finish installing the dependencies',
		async () => {
			if (isInstalled(checkout)) return;
			console.log('Installing the dependencies of the project (about a minute) ...');
			await npm(['ci', '--ignore-scripts', '--legacy-peer-deps'], {
				cwd: checkout,
				what: 'install the dependencies of the project',
			});
		},
	);
}

/**
 * Compares what npm wrote down at the end of its last install with the lock, package by package. Dates would not do: an install that was
 * interrupted, or a lock that changed with a checkout, can leave the younger date on the wrong side.
 *
 * @param {string} checkout
 */
function isInstalled(checkout) {
	const installed = join(checkout, 'node_modules', '.package-lock.json');
	if (!existsSync(installed)) return false;
	const present = packagesOf(installed);
	return Object.entries(packagesOf(join(checkout, 'package-lock.json'))).every(
		([path, { version, optional, devOptional }]) =>
			path === '' || optional || devOptional || present[path]?.version === version,
	);
}

/**
 * @param {string} lock
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(lock) {
	return JSON.parse(readFileSync(lock, 'utf8')).packages;
}

module.exports = { installDependencies };
