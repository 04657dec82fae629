import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import { checkout } from '#scripts/checkout.mts';
import type { Generation } from '#scripts/n8n/host.mts';
import { until } from '#scripts/until.mts';
import { Editor } from './editor.mts';

const LIMIT_MS = 60_000;

export const NODE = 'Business Messaging';
export const TRIGGER = `${NODE} Trigger`;

/** A newcomer who builds a workflow by mouse: a node behind another, each tried before the next. */
export class Builder extends Editor {
	/**
	 * Counts clicks from now on, in the panel of a node and the lists that it opens. Drags do not
	 * count, nor do clicks on the canvas and in the panel of nodes.
	 */
	async countClicks(): Promise<() => Promise<number>> {
		await this.page.evaluate(
			`(() => {
				window.clicks = 0;
				let from;
				addEventListener('pointerdown', (event) => (from = event), true);
				addEventListener('pointerup', ({ clientX, clientY }) => {
					const isDrag = Math.hypot(clientX - from.clientX, clientY - from.clientY) > 5;
					const isElsewhere = from.target.closest('.vue-flow, [data-test-id="node-creator"]');
					if (!isDrag && !isElsewhere) window.clicks += 1;
				}, true);
			})()`,
		);
		return async () => await this.page.evaluate<number>('window.clicks');
	}

	/** Opens the nodes panel behind an output of a node. */
	async openPanelBehind(node: string, output = 0): Promise<void> {
		await this.part('zoom-to-fit').click();
		const handle = `[data-test-id="canvas-node-output-handle"][data-node-name="${node}"]`;
		const outputs = this.page.locator(`${handle}[data-index="${output}"]`);
		await this.part('canvas-handle-plus', outputs).click();
		await this.part('node-creator-search-bar').waitFor();
	}

	/** Opens the nodes panel on the connection that begins at a node. */
	async openPanelOnConnection(from: string): Promise<void> {
		await this.part('zoom-to-fit').click();
		const label = `[data-test-id="edge-label"][data-source-node-name="${from}"]`;
		const button = this.part('add-connection-button');
		await until(
			'the button of a connection',
			async () => {
				// The line itself lies above its label, and shows the button while the mouse is there. The
				// canvas still moves after its zoom, also out of view.
				await this.page.locator(label).hover({ force: true }).catch(String);
				return await button.isVisible();
			},
			LIMIT_MS,
		);
		await button.click();
		await this.part('node-creator-search-bar').waitFor();
	}

	/** Adds a node that has no list of operations. Its parameters are then open. */
	async addPlainNode(name: string): Promise<void> {
		await this.search(name);
		await this.entryCalled(name).click();
		await this.node.waitFor();
	}

	/** Imports one of the examples into an empty workflow. */
	async importExample(name: string): Promise<void> {
		await this.openEmptyWorkflow();
		const file = join(checkout, 'workflows', `${name}.json`);
		await this.part('workflow-import-input').setInputFiles(file);
	}

	/** The nodes with a red triangle. */
	async markedNodes(): Promise<string[]> {
		const marked = '[data-test-id="canvas-node"]:has([data-test-id="node-issues"])';
		const nodes = await this.page.locator(marked).all();
		return await Promise.all(
			nodes.map(async (node) => (await node.getAttribute('data-node-name')) ?? ''),
		);
	}

	/** Adds the trigger that a click in the editor starts. It has nothing to set. */
	async startByHand(): Promise<void> {
		await this.openPanel('canvas-plus-button');
		await this.entryCalled('Trigger manually').click();
		await this.part('canvas-handle-plus').waitFor();
	}

	private entryCalled(name: string): Locator {
		const entries = this.page.locator('[data-test-id="node-creator-item-name"]');
		return entries.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) }).first();
	}

	/** Types into a field of text. @param at which of several fields of this name */
	async type(parameter: string, text: string, at = 0): Promise<void> {
		const fields = this.page.locator(`[data-test-id="parameter-input-${parameter}"]`);
		await fields.nth(at).locator('input, textarea').first().fill(text);
	}

	/** Presses a button in the panel of the node, such as one that adds an entry to a list. */
	async press(name: string): Promise<void> {
		await this.leaveField();
		await this.part('node-parameters').getByRole('button', { name, exact: true }).click();
	}

	/** Adds an entry to a collection, whose button is named like those of others. */
	async addEntry(collection: string, button: string): Promise<void> {
		await this.leaveField();
		const entries = this.part(`fixed-collection-${collection}`);
		await entries.getByRole('button', { name: button, exact: true }).click();
	}

	/** Chooses how an If compares, from the list of a type. */
	async chooseOperator(type: string, operator: string): Promise<void> {
		await this.part('filter-operator-select').click();
		await this.page.getByText(type, { exact: true }).first().hover();
		await this.page.getByText(operator, { exact: true }).locator('visible=true').first().click();
	}

	/**
	 * Runs the opened If until it ran as it is set, and waits until the item is in this branch. n8n
	 * takes over a condition up to 1.5 s after its last change.
	 */
	async executeIf(
		branch: 'True' | 'False',
		ranAsSet: (executionId: string) => Promise<boolean>,
	): Promise<void> {
		const ran = async (): Promise<boolean> => await ranAsSet(await this.run());
		await until('the If to run as it is set', ran, LIMIT_MS);
		await this.shown(this.output.getByText(`${branch} Branch (1 item)`));
	}

	/** Closes the editor of an expression, which covers what is below it. */
	private async leaveField(): Promise<void> {
		await this.part('tab-params').click();
	}

	/** Shows the fields of an earlier node in the input. They are below those of the node before. */
	async unfold(node: string): Promise<void> {
		const input = this.part('ndv-input-panel');
		const headings = input.locator('[data-test-id="run-data-schema-header"]');
		const heading = headings.filter({ has: this.page.getByText(node, { exact: true }) });
		await input.hover();
		await until(
			`the fields of ${node}`,
			async () => {
				await this.page.mouse.wheel(0, 400);
				return await heading.isVisible();
			},
			LIMIT_MS,
		);
		await heading.click();
	}

	/** Lets the opened trigger listen while a customer writes, until it shows the message. */
	async listen(write: () => Promise<void>): Promise<void> {
		await this.part('trigger-execute-button').click();
		const listening = this.part('trigger-listening');
		await listening.waitFor();
		await write();
		await listening.waitFor({ state: 'hidden' });
		await this.part('ndv-items-count', this.output).waitFor();
	}

	/** Runs the opened question until it waits, and has it answered. */
	async executeQuestion(answer: () => Promise<void>): Promise<void> {
		await this.part('node-execute-button', this.node).click();
		const waiting = this.output.getByText('Waiting for input');
		await waiting.waitFor();
		await answer();
		await waiting.waitFor({ state: 'hidden' });
		await this.part('ndv-items-count', this.output).waitFor();
	}

	/** Publishes the workflow for the first time. */
	async publishFirst(generation: Generation): Promise<void> {
		await this.publish(generation);
		if (generation === 'oldest') await this.part('workflow-activate-switch').click();
		await this.part('activation-modal').getByRole('button', { name: 'Got it' }).click();
	}
}
