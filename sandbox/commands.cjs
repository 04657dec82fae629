/** The command lines of the sandbox. */
const { command } = require('./core/commandLine.cjs');

const DEFAULT_PORT = 4010;

const PROGRAM = 'business-messaging-sandbox';
const TOKEN_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_TOKEN';
const URL_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_URL';
/** The secret key of a service. A command line would show it to others on the machine. */
const KEY_VARIABLE = 'BUSINESS_MESSAGING_PROBE_KEY';
const CHANNEL_VARIABLE = 'BUSINESS_MESSAGING_SANDBOX_CHANNEL';

const ABOUT = 'Runs a sandbox of the messaging service on this machine.';

/** Of every command that starts a sandbox. */
const ADDRESS = /** @type {const} */ ({
	port: {
		type: 'string',
		value: 'NUMBER',
		about: `port to listen on (default ${DEFAULT_PORT}; 0 takes a free one)`,
	},
	host: {
		type: 'string',
		value: 'ADDRESS',
		about: 'address to listen on (default 127.0.0.1: only this machine)',
	},
	token: {
		type: 'string',
		value: 'TOKEN',
		about: `token for the page and the control API; better in the variable ${TOKEN_VARIABLE}. Made when --host or --allow-host is given. Give it behind a proxy`,
	},
	'allow-host': {
		type: 'string',
		multiple: true,
		value: 'NAME',
		about: 'another host name of the sandbox; can be repeated',
	},
	facts: {
		type: 'string',
		value: 'FILE',
		about: 'behaves as the service that a probe wrote this file about; see probe --help',
	},
	n8n: {
		type: 'string',
		value: 'URL',
		about: 'address of your n8n, which the page may post to, such as http://127.0.0.1:5678',
	},
	'allow-delivery-to': {
		type: 'string',
		multiple: true,
		value: 'HOST',
		about: 'another host that deliveries may go to; can be repeated',
	},
});

/** The published program. */
const START = command({
	name: PROGRAM,
	about: ABOUT,
	options: {
		data: {
			type: 'string',
			value: 'FOLDER',
			about: 'folder for the state (default ~/.business-messaging-sandbox)',
		},
		memory: {
			type: 'boolean',
			about: 'keeps the state in memory; it is lost when the sandbox ends',
		},
		seed: {
			type: 'string',
			value: 'FILE',
			about: 'JSON with the contents of a new sandbox: {seed?, demo?, tenants?}',
		},
		...ADDRESS,
		version: { type: 'boolean', about: 'prints the version' },
	},
	example: '--memory --port 4011',
	more: `${PROGRAM} rehearse plays conversations with a workflow. See ${PROGRAM} rehearse --help. ${PROGRAM} probe asks a service what it does. See ${PROGRAM} probe --help.`,
});

/** The sandbox from the repository. */
const START_HERE = command({
	name: 'npm run sandbox --',
	about: ABOUT,
	options: {
		data: {
			type: 'string',
			value: 'FILE',
			about: 'SQLite file for the state (default: in memory, lost at the end)',
		},
		seed: {
			type: 'string',
			value: 'TEXT',
			about: 'makes the same ids in every run with a new data file',
		},
		...ADDRESS,
	},
	example: '--port 4011',
});

const REHEARSE = command({
	name: `${PROGRAM} rehearse`,
	about: 'Plays conversations against the workflow that listens on a channel of a running sandbox.',
	words: { usage: '<script.yaml ...>' },
	options: {
		url: {
			type: 'string',
			value: 'URL',
			about: `of the sandbox (default http://127.0.0.1:${DEFAULT_PORT}, or the variable ${URL_VARIABLE})`,
		},
		token: {
			type: 'string',
			value: 'TOKEN',
			about: `token of the sandbox, if it needs one; better in the variable ${TOKEN_VARIABLE}`,
		},
		channel: {
			type: 'string',
			value: 'ID',
			about: `channel that the workflow listens on (default: the demo account's, or the variable ${CHANNEL_VARIABLE})`,
		},
		within: {
			type: 'string',
			value: 'TIME',
			about:
				'longest wait for an expected message, unless the script says otherwise (default 5s); longer while words wait to be delivered again',
		},
		settle: {
			type: 'string',
			value: 'TIME',
			about:
				'how long to watch for unexpected messages after the last step, unless the script says otherwise (default 1s)',
		},
		junit: {
			type: 'string',
			value: 'FILE',
			about: 'also writes the results to this file, as JUnit XML',
		},
	},
	example: 'conversation.yaml --url http://127.0.0.1:4011',
	more: 'Exit codes: 0 if all scripts passed, 1 if one failed, 2 if a script or the sandbox is missing or not valid.',
});

const DEFAULT_PROBE_PORT = 4040;
const DEFAULT_WAIT = '5m';
const DEFAULT_FACTS_FILE = 'probe-facts.json';

const PROBE = command({
	name: `${PROGRAM} probe`,
	about:
		'Asks a service which published and assumed facts of the contract hold, and writes a file about it. It only reads, unless --allow is given, and removes what it made.',
	options: {
		url: { type: 'string', value: 'URL', about: 'Base URL of the service' },
		channel: { type: 'string', value: 'ID', about: 'channel to ask about' },
		phone: {
			type: 'string',
			value: 'NUMBER',
			about: 'phone or name that you write from, as the service shows it',
		},
		allow: {
			type: 'string',
			value: 'LIST',
			about:
				'what else it may do, separated by commas: sends (messages to the phone), webhooks, channels (creates and deletes one), templates (submits and deletes one)',
		},
		'public-url': {
			type: 'string',
			value: 'URL',
			about: 'public address that leads to --port, for deliveries',
		},
		port: {
			type: 'string',
			value: 'NUMBER',
			about: `port on this machine for deliveries (default ${DEFAULT_PROBE_PORT})`,
		},
		wait: {
			type: 'string',
			value: 'TIME',
			default: DEFAULT_WAIT,
			about: 'longest wait for you, and for each delivery',
		},
		'templates-path': {
			type: 'string',
			value: 'PATH',
			about: "path of the businesses under the Base URL, as in n8n's credential",
		},
		out: {
			type: 'string',
			value: 'FILE',
			default: DEFAULT_FACTS_FILE,
			about: 'file for the result',
		},
	},
	example: `--url https://api.example.com --channel <id>`,
	more: `The secret key comes from the variable ${KEY_VARIABLE}, or is asked for. Exit codes: 0 if all probed facts hold, 1 if one does not, 2 if it could not ask, 130 or 143 if it was stopped.`,
});

module.exports = {
	CHANNEL_VARIABLE,
	DEFAULT_PORT,
	DEFAULT_PROBE_PORT,
	KEY_VARIABLE,
	PROBE,
	REHEARSE,
	START,
	START_HERE,
	TOKEN_VARIABLE,
	URL_VARIABLE,
};
