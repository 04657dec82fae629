/**
 * The texts of the examples' notes in an n8n of `npm start`, where credential, channel and data
 * table are already chosen.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../checkout.mts';
import type { N8nClient } from './client.mts';
import { readManifest } from './package.mts';
import type { StoredWorkflow, Workflow, WorkflowNode } from './types.mts';

/** The note that lists the choices of an importing user. */
export const NOTE_OF_CHOICES = 'Before You Publish';

const AUTO_REPLY = 'Auto-Reply';
/** What the marks of the table stand for. */
const MARKS = new Map([
	['†', `Unpublish whatever else answers first (${AUTO_REPLY}, your own).`],
	[
		'‡',
		'Between 20 and 9, it waits: to try it then, set `from` to 0 and `to` to 24 in **Settings**.',
	],
]);

export interface Places {
	/** Address of the sandbox's page. */
	sandboxUrl: string;
	/** The examples in this n8n, by name. */
	workflows: Array<Pick<StoredWorkflow, 'id' | 'name'>>;
}

/** How to try each example in the sandbox, by its name: the table of workflows/README.md. */
export function waysToTry(): Map<string, string> {
	const page = readFileSync(join(checkout, 'workflows', 'README.md'), 'utf8');
	const [, table = ''] = page.split('\n## Try them in the sandbox\n');
	return new Map(
		[...table.matchAll(/^\| (.+?)(?: ([†‡]+))? \| (.+) \|$/gm)].map(([, name = '', marks, way]) => [
			name,
			[...[...(marks ?? '')].map((mark) => MARKS.get(mark)), way].join(' '),
		]),
	);
}

/** The text of the note that replaces the choices. */
export function noteHere(example: string, { sandboxUrl, workflows }: Places): string {
	const linkTo = ({ id, name }: Places['workflows'][number]): string =>
		`[${name}](/workflow/${id})`;
	const others = workflows.filter(({ name }) => name !== example);
	const autoReply = others.find(({ name }) => name === AUTO_REPLY);
	const way = waysToTry().get(example) ?? '';
	return [
		'## Try it here',
		autoReply ? way.replace(AUTO_REPLY, linkTo(autoReply)) : way,
		`[The page](${sandboxUrl}) · [All workflows](/home/workflows) · [The examples](${pageOfExamples()})`,
		...(autoReply || others.length === 0 ? [] : [`More to try: ${others.map(linkTo).join(' · ')}`]),
	].join('\n\n');
}

const pageOfExamples = (): string =>
	`${String(readManifest(checkout).homepage)}/blob/main/workflows/README.md`;

/** Pixels of n8n's notes at a zoom of 1: a letter, a line and the room behind a paragraph. */
const [LETTER, LINE, ROOM] = [8, 19, 8];
const PADDING = 26;

/** The height of a note for a heading and paragraphs, rather too much than too little. */
function heightOf(content: string, width: number): number {
	const paragraphs = content.replace(/\]\([^)]*\)/g, '').split('\n\n');
	const lines = paragraphs.map((text) => Math.ceil((text.length * LETTER) / (width - PADDING)));
	return lines.reduce((height, count) => height + count * LINE + ROOM, PADDING + LINE);
}

export const noteOfChoices = ({ nodes }: Workflow): WorkflowNode | undefined =>
	nodes.find(({ name }) => name === NOTE_OF_CHOICES);

/**
 * Updates an example's note to what is left to do here. Keeps a note that the user changed.
 *
 * @param own the example as in the repository
 */
export async function provideNote(
	client: N8nClient,
	{ id }: StoredWorkflow,
	own: Workflow,
	places: Places,
): Promise<void> {
	const workflow = await client.getWorkflow(id);
	const note = noteOfChoices(workflow);
	if (!note) return;
	const content = noteHere(workflow.name, places);
	const now = String(note.parameters.content);
	const ours = [String(noteOfChoices(own)?.parameters.content), content].map(withoutPorts);
	if (now === content || !ours.includes(withoutPorts(now))) return;
	const parameters = {
		...note.parameters,
		content,
		height: heightOf(content, Number(note.parameters.width)),
	};
	await client.updateWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) => (node === note ? { ...node, parameters } : node)),
	});
}

/** Texts that differ only in the sandbox's address are the same. */
const withoutPorts = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, '');
