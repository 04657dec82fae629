import type { Answer, HostileCase } from './request.mts';

export interface Group {
	title: string;
	/** Whether these inputs start the workflow. */
	starts: boolean;
	cases: HostileCase[];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
const shown = (answer: Answer): string => (answer === 'none' ? 'none: the sender left' : String(answer));

function row({ input, answer }: HostileCase, number: number, starts: boolean): string {
	const [current, oldest] = typeof answer === 'object' ? [answer.current, answer.oldest] : [answer, answer];
	return `| ${number} | ${cell(input)} | ${shown(current)} | ${shown(oldest)} | ${starts ? 'yes' : 'no'} |`;
}

/** The document of the inputs, the same for the same inputs. */
export function renderTable(groups: readonly Group[]): string {
	const refused = groups.filter(({ starts }) => !starts).reduce((total, { cases }) => total + cases.length, 0);
	const lines = [
		'# Hostile inputs',
		'',
		'<!-- Written by the test test/host/hostileInputs.test.mts: change its cases, not this file. -->',
		'',
		`What a published workflow answers to ${refused} requests that should not start it, and to some that are only strange. They are sent byte for byte to the real`,
		'webhook URL in a running n8n, of both generations that the package supports. After each one the executions are counted, and at the end a genuine event',
		'still starts the workflow.',
		'',
		'Each request has the right token, so that it is the signature that decides, and a right signature unless its line says otherwise. "Unproven" has',
		'neither. 401 and most 422 are the trigger\'s own answers, and it logs their reasons. Malformed bodies, bodies that are too large or wrongly compressed,',
		'other methods, other URLs and broken HTTP are refused by n8n before the trigger runs.',
	];
	let number = 0;
	for (const { title, starts, cases } of groups) {
		lines.push('', `## ${title}`, '', '| | Input | Answer, n8n 2 | Answer, n8n 1 | Starts the workflow |', '|---|---|---|---|---|');
		for (const hostile of cases) lines.push(row(hostile, ++number, starts));
	}
	return `${lines.join('\n')}\n`;
}
