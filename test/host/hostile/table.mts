import type { Status, HostileCase } from './request.mts';

export interface Group {
	title: string;
	/** Whether these inputs start the workflow. */
	starts: boolean;
	cases: HostileCase[];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const shown = (status: Status): string =>
	status === 'none' ? 'none: the sender left' : String(status);

function row({ input, status }: HostileCase, number: number, starts: boolean): string {
	const [current, oldest] =
		typeof status === 'object' ? [status.current, status.oldest] : [status, status];
	return `| ${number} | ${cell(input)} | ${shown(current)} | ${shown(oldest)} | ${starts ? 'yes' : 'no'} |`;
}

/** The document of the inputs. The same inputs give the same text. */
export function renderTable(groups: readonly Group[]): string {
	const refused = groups
		.filter(({ starts }) => !starts)
		.reduce((total, { cases }) => total + cases.length, 0);
	const lines = [
		'# Hostile inputs',
		'',
		'<!-- Written by the test test/host/hostileInputs.deep.test.mts: change its cases, not this file. -->',
		'',
		`How a published workflow responds to ${refused} requests that should not start it, and to some that are only strange. They are sent byte for byte to the real`,
		'webhook URL in a running n8n, of both generations that the package supports. After each one the executions are counted, and at the end a genuine event',
		'still starts the workflow.',
		'',
		'The trigger asks for two proofs: the signature, and the token that it registered. Each request has both, right, unless its line says otherwise, so that',
		'what the line says is what decides. "Unproven" has neither. 401 and most 422 are the trigger\'s own responses, and it logs their reasons. Malformed bodies,',
		'bodies that are too large or wrongly compressed, other methods, other URLs and broken HTTP are refused by n8n before the trigger runs.',
	];
	let number = 0;
	for (const { title, starts, cases } of groups) {
		lines.push(
			'',
			`## ${title}`,
			'',
			'| | Input | Response, n8n 2 | Response, n8n 1 | Starts the workflow |',
			'|---|---|---|---|---|',
		);
		for (const hostile of cases) lines.push(row(hostile, ++number, starts));
	}
	return `${lines.join('\n')}\n`;
}
