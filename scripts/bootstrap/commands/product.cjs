/** The command lines of what runs, builds and publishes the packages. */
const { command } = require('../../../sandbox/core/commandLine.cjs');

/** Of every command that runs a sandbox and an n8n until Ctrl-C. */
const SERVE_OPTIONS = /** @type {const} */ ({
	port: { type: 'string', value: 'NUMBER', default: '5678', about: 'port of n8n' },
	'sandbox-port': {
		type: 'string',
		value: 'NUMBER',
		default: '4010',
		about: 'port of the sandbox',
	},
	'model-port': {
		type: 'string',
		value: 'NUMBER',
		default: '4020',
		about: 'port of the stand-in for a language model',
	},
	data: {
		type: 'string',
		value: 'FOLDER',
		default: '.sandbox',
		about: 'folder that keeps everything between runs',
	},
	n8n: {
		type: 'string',
		value: 'GENERATION',
		default: 'current',
		about: 'current or oldest: which of the supported versions of n8n',
	},
});

const START = command({
	name: 'npm start --',
	about:
		'Runs the package: the sandbox, and a real n8n with the built package and a published workflow that replies to customers.',
	options: {
		...SERVE_OPTIONS,
		check: {
			type: 'boolean',
			about:
				'plays a customer of Auto-Reply and one of the AI agent, with a folder and ports of its own, and ends with 0 only if both replies came',
		},
	},
	example: '--port 5679 --sandbox-port 4011 --model-port 4021',
});

const DEV = command({
	name: 'npm run dev --',
	about:
		'Does the same as npm start. In addition, saving a file of the nodes rebuilds them and restarts n8n.',
	options: {
		...SERVE_OPTIONS,
		sources: {
			type: 'string',
			value: 'FOLDER',
			default: '.',
			about: "folder of the package's sources",
		},
	},
	example: '--port 5679',
});

const BUILD = command({
	name: 'npm run build --',
	about: 'Builds the package into dist/.',
	options: {},
	example: '',
});

const BUILD_SANDBOX = command({
	name: 'node scripts/bootstrap.mjs build:sandbox',
	about: 'Builds the package business-messaging-sandbox, complete for npm.',
	options: {
		out: {
			type: 'string',
			value: 'FOLDER',
			default: 'dist-sandbox',
			about: 'folder for it, emptied first',
		},
	},
	example: '--out /tmp/sandbox',
});

const SCAN = command({
	name: 'node scripts/bootstrap.mjs scan',
	about:
		"Applies the rules of n8n's scanner to the sources and to the packed package, and then n8n's linter for nodes.",
	options: {
		folder: {
			type: 'string',
			value: 'FOLDER',
			about: 'scans another package there, without packing',
		},
	},
	example: '',
});

const RELEASE = command({
	name: 'npm run release:check --',
	about: 'Checks everything before publishing a version, except the tests.',
	options: {
		sandbox: { type: 'boolean', about: "checks the sandbox's package instead of the nodes" },
		tag: {
			type: 'string',
			value: 'TAG',
			about: "the release's tag: the version, or sandbox-<version>",
		},
		out: { type: 'string', value: 'FOLDER', about: 'keeps the tarball there; emptied first' },
	},
	example: '--out release',
});

module.exports = { BUILD, BUILD_SANDBOX, DEV, RELEASE, SCAN, START };
