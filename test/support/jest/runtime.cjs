const { createRequire, isBuiltin } = require('node:module');

const { default: Runtime } = require('jest-runtime');

/** @param {string} name */
const isPackage = (name) => !/^[./#]/.test(name) && !isBuiltin(name) && !name.startsWith('@jest/');

/**
 * Loads packages as Node.js does, once for each process, instead of anew for each test file. No
 * test replaces a package.
 */
module.exports = class SharedPackages extends Runtime {
	/**
	 * @override
	 * @template Exports
	 * @param {string} from
	 * @param {string} name
	 * @returns {Exports}
	 */
	requireModuleOrMock(from, name) {
		return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
	}
};
