/** What the examples' notes say in an n8n that `npm start` has set up: there credential, channel and data table are chosen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../checkout.mts';
import type { N8nClient } from './client.mts';
import { noteHeight } from './noteHeight.mts';
import { readManifest } from './package.mts';
import type { StoredWorkflow, Workflow, WorkflowNode } from './types.mts';

/** The note that asks for what an importing user has to choose. */
export const NOTE_OF_CHOICES = 'Before You Publish';

const AUTO_REPLY = 'Auto-Reply';

export interface Places {
	/** Address of the sandbox's page. */
	sandboxUrl: string;
	/** The examples that this n8n has, by their names. */
	workflows: Array<Pick<StoredWorkflow, 'id' | 'name'>>;
}

/** By the name of an example, how to try it in the sandbox: the table of workflows/README.md. */
export function waysToTry(): Map<string, string> {
	const page = readFileSync(join(checkout, 'workflows', 'README.md'), 'utf8');
	const [, table = ''] = page.split('\n## Try them in the sandbox\n');
	return new Map(
		[...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, name = '', way = '']) => [name, way]),
	);
}

/** The text of the note that stands in the place of the choices. */
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

export const noteOfChoices = ({ nodes }: Workflow): WorkflowNode | undefined =>
	nodes.find(({ name }) => name === NOTE_OF_CHOICES);

/**
 * Has an example's note say what is left to do here. One that the user wrote into stays.
 *
 * @param own the example as the repository has it
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
	if (now === content || ![noteOfChoices(own)?.parameters.content, content].some(isSame(now)))
		return;
	const parameters = {
		...note.parameters,
		content,
		height: noteHeight(content, Number(note.parameters.width)),
	};
	await client.updateWorkflow({
		...workflow,
		nodes: workflow.nodes.map((node) => (node === note ? { ...node, parameters } : node)),
	});
}

/** Whether two texts differ in nothing but where the sandbox was. */
const isSame =
	(text: string) =>
	(other: unknown): boolean =>
		withoutPorts(text) === withoutPorts(String(other));
const withoutPorts = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, '');
