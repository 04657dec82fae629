/** The command lines of the sandbox. */
const { command, text } = require('./core/commandLine.cjs');

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
	port: text('NUMBER', `port to listen on (default ${DEFAULT_PORT}; 0 takes a free one)`),
	host: text('ADDRESS', 'address to listen on (default 127.0.0.1: only this machine)'),
	token: text(
		'TOKEN',
		`token for the page and the control API; better in the variable ${TOKEN_VARIABLE}. Made when --host or --allow-host is given. Give it behind a proxy`,
	),
	'allow-host': {
		...text('NAME', 'another host name of the sandbox; can be repeated'),
		multiple: true,
	},
	n8n: text(
		'URL',
		'address of your n8n, which the page may post to, such as http://127.0.0.1:5678',
	),
	'allow-delivery-to': {
		...text('HOST', 'another host that deliveries may go to; can be repeated'),
		multiple: true,
	},
});

/** The published program. */
const START = command({
	name: PROGRAM,
	about: ABOUT,
	options: {
		data: text('FOLDER', 'folder for the state (default ~/.business-messaging-sandbox)'),
		memory: {
			type: 'boolean',
			about: 'keeps the state in memory; it is lost when the sandbox ends',
		},
		seed: text('FILE', 'JSON with the contents of a new sandbox: {seed?, demo?, tenants?}'),
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
		data: text('FILE', 'SQLite file for the state (default: in memory, lost at the end)'),
		seed: text('TEXT', 'makes the same ids in every run with a new data file'),
		...ADDRESS,
	},
	example: '--port 4011',
});

const REHEARSE = command({
	name: `${PROGRAM} rehearse`,
	about: 'Plays conversations against the workflow that listens on a channel of a running sandbox.',
	words: { usage: '<script.yaml ...> | --everyday' },
	options: {
		url: text(
			'URL',
			`of the sandbox (default http://127.0.0.1:${DEFAULT_PORT}, or the variable ${URL_VARIABLE})`,
		),
		token: text(
			'TOKEN',
			`token of the sandbox, if it needs one; better in the variable ${TOKEN_VARIABLE}`,
		),
		channel: text(
			'ID',
			`channel that the workflow listens on (default: the demo account's, or the variable ${CHANNEL_VARIABLE})`,
		),
		within: text(
			'TIME',
			'longest wait for an expected message, unless the script says otherwise (default 5s); longer while words wait to be delivered again',
		),
		settle: text(
			'TIME',
			'how long to watch for unexpected messages after the last step, unless the script says otherwise (default 1s)',
		),
		junit: text('FILE', 'also writes the results to this file, as JUnit XML'),
		everyday: {
			type: 'boolean',
			about: 'plays everyday customers instead of a script, and judges what any bot owes them',
		},
		only: { ...text('NAME', 'of --everyday, only this scene; can be repeated'), multiple: true },
		first: {
			...text('TEXT', 'what an everyday customer writes first (default Hello); can be repeated'),
			multiple: true,
		},
		html: text('FILE', 'with --everyday, also writes the report to this file, for a browser'),
		silent: { type: 'boolean', about: 'with --everyday, the bot need not answer' },
		yes: { type: 'boolean', about: 'with --everyday, does not ask before it starts' },
	},
	example: 'conversation.yaml --url http://127.0.0.1:4011',
	more: 'Exit codes: 0 if all scripts passed, 1 if one failed, 2 if a script or the sandbox is missing or not valid, or what is played with stops.',
});

const DEFAULT_PROBE_PORT = 4040;
const DEFAULT_WAIT = '5m';
const DEFAULT_FACTS_FILE = 'probe-facts.json';

const PROBE = command({
	name: `${PROGRAM} probe`,
	about:
		'Asks a service which published and assumed facts of the contract hold, and writes a file about it. It only reads, unless --allow is given, and removes what it made.',
	options: {
		url: text('URL', 'Base URL of the service'),
		channel: text('ID', 'channel to ask about'),
		phone: text('NUMBER', 'phone or name that you write from, as the service shows it'),
		allow: text(
			'LIST',
			'what else it may do, separated by commas: sends (messages to the phone), webhooks, channels (creates and deletes one), templates (submits and deletes one)',
		),
		'public-url': text('URL', 'public address that leads to --port, for deliveries'),
		port: text('NUMBER', `port on this machine for deliveries (default ${DEFAULT_PROBE_PORT})`),
		wait: { ...text('TIME', 'longest wait for you, and for each delivery'), default: DEFAULT_WAIT },
		'templates-path': text(
			'PATH',
			"path of the businesses under the Base URL, as in n8n's credential",
		),
		out: { ...text('FILE', 'file for the result'), default: DEFAULT_FACTS_FILE },
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
