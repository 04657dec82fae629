const vm = require('node:vm');

const { TestEnvironment } = require('jest-environment-node');

/** The contexts of environments of this class. */
const contexts = new WeakSet();

/**
 * The modules that were compiled, by their file.
 *
 * @type {Map<string, { code: string, compiled: Function }>}
 */
const compiledModules = new Map();

// Jest compiles each module for the context of the environment, anew for each test file, and has no
// setting for Node's own context. There a module is compiled once, and still runs in each file.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options = {}) => {
	const { parsingContext, filename = '' } = options;
	if (!parsingContext || !contexts.has(parsingContext))
		return compileFunction(code, parameters, options);
	const known = compiledModules.get(filename);
	if (known?.code === code) return known.compiled;
	const compiled = compileFunction(code, parameters, { ...options, parsingContext: undefined });
	compiledModules.set(filename, { code, compiled });
	return compiled;
};

/**
 * Runs tests in Node's own context, where packages are loaded once for all test files of a process
 * (./runtime.cjs). A context of its own for each file would load n8n-core anew, which takes four
 * fifths of the time of the core tests. The project's own modules are still new in each file.
 */
class OneContext extends TestEnvironment {
	/**
	 * @param {ConstructorParameters<typeof TestEnvironment>[0]} config
	 * @param {ConstructorParameters<typeof TestEnvironment>[1]} context
	 */
	constructor(config, context) {
		super(config, context);
		if (this.context) contexts.add(this.context);
		this.global = /** @type {import('@jest/types').Global.Global} */ (
			/** @type {unknown} */ (globalThis)
		);
		if (this.moduleMocker) this.moduleMocker = again(this.moduleMocker, globalThis);
		if (this.fakeTimersModern)
			this.fakeTimersModern = again(this.fakeTimersModern, {
				config: config.projectConfig,
				global: globalThis,
			});
		/** @type {NodeJS.ProcessEnv} */
		this.variables = {};
		// Jest gives the test file a console of its own, which must not outlive it.
		this.ownConsole = globalThis.console;
		/** @type {Set<NodeJS.Timeout>} */
		this.timers = new Set();
		this.setTimer = globalThis.setTimeout;
	}

	/** @override */
	async setup() {
		await super.setup();
		const { setTimer, timers } = this;
		globalThis.setTimeout = Object.assign(
			/** @type {(...given: Parameters<typeof setTimeout>) => NodeJS.Timeout} */
			(
				(...given) => {
					const timer = setTimer(...given);
					timers.add(timer);
					return timer;
				}
			),
			setTimer,
		);
		this.variables = { ...process.env };
	}

	/** @override */
	async teardown() {
		globalThis.console = this.ownConsole;
		globalThis.setTimeout = this.setTimer;
		// What the file did not wait for would write to the log of the next one, and keep the process.
		for (const timer of this.timers) clearTimeout(timer);
		for (const name of Object.keys(process.env))
			if (!(name in this.variables)) delete process.env[name];
		Object.assign(process.env, this.variables);
		// Jest keeps the handlers of a file's events here, and calls them for all later files, too.
		Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
		await super.teardown();
	}
}

/**
 * Makes another object of the same class.
 *
 * @template {object} Made
 * @param {Made} made
 * @param {unknown} options
 * @returns {Made}
 */
function again(made, options) {
	const { constructor } = /** @type {{ constructor: new (options: unknown) => Made }} */ (made);
	return new constructor(options);
}

module.exports = OneContext;
