/**
 * Installs the checkout's node_modules if they are missing, incomplete or older than the lock file.
 */
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
			console.log('Installing the dependencies of the project (one to three minutes) ...');
			await npm(['ci', '--ignore-scripts', '--legacy-peer-deps'], {
				cwd: checkout,
				what: 'install the dependencies of the project',
			});
		},
	);
}

/**
 * Compares npm's record of its last install with the lock file, package by package. Dates are not
 * enough: an interrupted install or a changed lock file can have the newer date on the wrong side.
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
