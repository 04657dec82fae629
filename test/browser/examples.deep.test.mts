import { type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { BusinessMessaging } from '#nodes/BusinessMessaging.node.ts';
import { BusinessMessagingTrigger } from '#nodes/BusinessMessagingTrigger.node.ts';
import { isAboutTables } from '#scripts/n8n/dataTables.mts';
import { exampleNames, readExample } from '#scripts/n8n/provision.mts';
import type { WorkflowNode } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { hostUnderTest } from '../host/harness/host.mts';
import { takePicture } from './harness/browser.mts';
import { N8nWindow } from './harness/window.mts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
const LIMIT_MS = 60_000;

/** Smallest readable letters, in pixels of the screen. */
const LEAST_LETTERS = 8;
/** Empty room below a note's text, in the note's own pixels. */
const MOST_ROOM = 80;

interface ShownNote {
	title: string;
	/** Below its text, in the note's own pixels. */
	room: number;
	/** Size of its letters, in pixels of the screen. */
	letters: number;
	isInSight: boolean;
}

/** Runs in the page. */
const NOTES = `[...document.querySelectorAll('[data-test-id="sticky"]')].map((note) => {
	const { bottom, top, left, right, width } = note.getBoundingClientRect();
	const zoom = width / note.offsetWidth;
	const texts = [...note.querySelectorAll('h2, h3, p, li, pre')];
	const end = Math.max(...texts.map((text) => text.getBoundingClientRect().bottom));
	return {
		title: note.querySelector('h2').textContent,
		room: Math.round((bottom - end) / zoom),
		letters: parseFloat(getComputedStyle(note.querySelector('p, li')).fontSize) * zoom,
		isInSight: top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight,
	};
})`;

const { generation } = hostUnderTest();
const window = new N8nWindow();

const ours = [new BusinessMessaging(), new BusinessMessagingTrigger()].map(
	({ description }): INodeTypeDescription => description,
);

/** Whether the node's operation needs a channel. n8n marks no empty field that may be empty. */
function needsChannel({ parameters, ...node }: WorkflowNode): boolean {
	const type = ours.find(({ name }) => node.type.endsWith(`.${name}`));
	return (type?.properties ?? []).some(
		(field) =>
			field.name === 'channelId' &&
			field.required &&
			NodeHelpers.displayParameter(parameters, field, node, type!),
	);
}

/**
 * Whether n8n marks a node: the channel that it needs is left to the user, or n8n 1 does not know
 * that it can make a table.
 */
const isOpen = (node: WorkflowNode): boolean =>
	((node.parameters.channelId as { value?: string } | undefined)?.value === '' &&
		needsChannel(node)) ||
	(generation === 'oldest' && isAboutTables(node));

test.each(exampleNames(generation))(
	'%s: the editor imports the file, knows every node, and marks only open choices',
	async (name) => {
		const { nodes } = readExample(name);
		const [notes, others] = [
			nodes.filter(({ type }) => type === STICKY_NOTE),
			nodes.filter(({ type }) => type !== STICKY_NOTE),
		];
		const { build, page } = window;
		await build.importExample(name);
		for (const node of others) await build.nodeOnCanvas(node.name).waitFor();
		expect(await page.locator('[data-test-id="sticky"]').count()).toBe(notes.length);
		// As n8n does when it opens a workflow.
		await page.keyboard.press('1');
		const shown = await until(
			'the notes to be in sight, at rest',
			async () => {
				const before = await page.evaluate<ShownNote[]>(NOTES);
				const now = await page.evaluate<ShownNote[]>(NOTES);
				return (
					JSON.stringify(before) === JSON.stringify(now) &&
					now.every(({ isInSight }) => isInSight) &&
					now
				);
			},
			LIMIT_MS,
		);
		const isFitting = ({ room }: ShownNote) => room >= 0 && room < MOST_ROOM;
		const isReadable = ({ letters }: ShownNote) => letters >= LEAST_LETTERS;
		expect(shown.filter((note) => !isFitting(note) || !isReadable(note))).toEqual([]);
		await takePicture(page, `example-${name}`);
		const names = await build.markedNodes();
		expect(names).toEqual(expect.arrayContaining(others.filter(isOpen).map((node) => node.name)));
		// n8n 2 chooses a credential of the type if there is one. n8n 1 leaves it to the user.
		expect(
			others.filter((node) => isOpen(node) || node.credentials).map((node) => node.name),
		).toEqual(expect.arrayContaining(names));
	},
);
