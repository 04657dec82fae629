import type { Locator, Page } from 'playwright-core';

import type { Generation } from '#scripts/n8n/host.mts';
import { until } from '#scripts/until.mts';
import type { Area } from './browser.mts';

/**
 * Longest wait for something to appear in the editor, in milliseconds. It is long because the
 * machine may be busy.
 */
const LIMIT = 60_000;

/** The request with which the editor runs a workflow. */
const RUN = /\/rest\/workflows\/[^/]+\/run$/;
/** The beginning of the window's title while a workflow runs. */
const RUNNING_MARK = '🔄';

/** n8n's editor, as a person uses it. The names are the same in both generations. */
export class Editor {
	constructor(
		readonly page: Page,
		private readonly n8nUrl: string,
	) {
		page.setDefaultTimeout(LIMIT);
	}

	/**
	 * The first element on the page, or inside another element, that n8n marked with this name for
	 * its own tests.
	 */
	part(name: string, within: Page | Locator = this.page): Locator {
		return within.locator(`[data-test-id="${name}"]`).first();
	}

	/** The opened node. */
	get node(): Locator {
		return this.part('ndv');
	}

	get output(): Locator {
		return this.part('output-panel');
	}

	async openEmptyWorkflow(): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/new`);
		await this.part('canvas-plus-button').waitFor();
	}

	nodeOnCanvas(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/**
	 * Opens the nodes panel for the next node: at the start of an empty canvas, or after the last
	 * node.
	 */
	async openPanel(from: 'canvas-plus-button' | 'canvas-handle-plus'): Promise<void> {
		await this.part(from).click();
		await this.part('node-creator-search-bar').waitFor();
	}

	/** What the nodes panel lists for a word. */
	async search(word: string): Promise<string[]> {
		const names = this.page.locator('[data-test-id="node-creator-item-name"]');
		// Searches for a word that no node has first, so that the list afterwards belongs to the wanted
		// word.
		await this.part('node-creator-search-bar').fill('zxqj');
		await this.part('node-creator-no-results').waitFor();
		await this.part('node-creator-search-bar').fill(word);
		await names.first().waitFor();
		return (await names.allInnerTexts()).map((name) => name.trim());
	}

	/** Adds a node by its operation, from the panel's list. Its parameters are then open. */
	async addNode(name: string, group: 'Triggers' | 'Actions', entry: string): Promise<void> {
		await this.page
			.locator('[data-test-id="node-creator-item-name"]', {
				hasText: new RegExp(`^\\s*${name}\\s*$`),
			})
			.first()
			.click();
		const panel = this.part('node-creator');
		const wanted = panel.getByText(entry, { exact: true });
		const heading = panel.getByText(new RegExp(`^\\s*${group} \\(\\d+\\)`)).first();
		await heading.waitFor();
		// One of the two groups is open, depending on where the node is added. Its entries come a
		// moment after the heading, and a click on the heading of an open group closes it.
		const isShown = async () =>
			await wanted.waitFor({ timeout: 1000 }).then(
				() => true,
				() => false,
			);
		await until(
			`${entry} in an open group`,
			async () => {
				if (await isShown()) return true;
				await heading.click();
				return await isShown();
			},
			LIMIT,
		);
		await wanted.click();
		await this.node.waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.nodeOnCanvas(name).dblclick();
		// The panel is there a moment before its fields, which appear all at once.
		const fields = this.part('node-parameters').locator('[data-test-id^="parameter-input-"]');
		await fields.first().waitFor();
	}

	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').or(this.part('back-to-canvas')).first().click();
		await this.node.waitFor({ state: 'hidden' });
	}

	/** The boxes with a notice among the opened node's parameters. */
	async boxes(): Promise<string[]> {
		const boxes = this.part('node-parameters').locator('.notice-content:visible');
		return (await boxes.allInnerTexts()).map((text) => text.trim());
	}

	/** The given labels among the opened node's parameters, in order and with repetitions. */
	async labelsShown(labels: readonly string[]): Promise<string[]> {
		const text = await this.page.locator('.parameter-input-list-wrapper').first().innerText();
		if (/undefined|\[object/.test(text)) throw new Error(`no word for people: ${text}`);
		return text
			.split('\n')
			.map((line) => line.trim())
			.filter((line) => labels.includes(line));
	}

	/** A parameter's field. */
	field(parameter: string, within: Page | Locator = this.page): Locator {
		return this.part(`parameter-input-${parameter}`, within);
	}

	/** Chooses from a drop-down list. @param at which of several fields of this name */
	async choose(parameter: string, option: string, at = 0): Promise<void> {
		const fields = this.page.locator(`[data-test-id="parameter-input-${parameter}"]`);
		const input = fields.nth(at).locator('input').first();
		const wanted = this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ hasText: startsWith(option) });
		// n8n shows the fields of another choice a moment later. Until then, the list may be an older
		// one.
		await until(
			`the option "${option}"`,
			async () => {
				if (await wanted.isVisible()) return true;
				await input.click();
				return await appears(wanted, 1_000);
			},
			LIMIT,
		);
		await wanted.click();
	}

	/** Opens the list of a resource locator. Returns its entries once there are any. */
	async openList(parameter: string): Promise<Locator> {
		await this.part('rlc-input', this.part(`resource-locator-${parameter}`)).click();
		const entries = this.page.locator('[data-test-id="rlc-item"]:visible');
		await entries.first().waitFor();
		return entries;
	}

	async chooseFromList(parameter: string, entry: string): Promise<void> {
		const entries = await this.openList(parameter);
		await entries.filter({ hasText: entry }).click();
		await entries.first().waitFor({ state: 'hidden' });
	}

	async chooseCredential(id: string): Promise<void> {
		await this.openCredentials();
		await this.page.locator(`[data-test-id="node-credentials-select-item-${id}"]:visible`).click();
	}

	/** Opens the dialog for a new credential. */
	async createCredential(): Promise<Locator> {
		await this.openCredentials();
		await this.page.locator('[data-test-id="node-credentials-select-item-new"]:visible').click();
		const dialog = this.part('credential-edit-dialog');
		await this.field('secretKey', dialog).waitFor();
		// n8n asks its server for a name, and stores no credential without one.
		await this.part('credential-name').waitFor();
		return dialog;
	}

	private async openCredentials(): Promise<void> {
		await this.part('node-credentials-select').click();
	}

	/**
	 * Drags a field of the input onto a parameter as a person does, because n8n follows the mouse
	 * while its button is down.
	 */
	async map(expression: string, parameter: string): Promise<void> {
		const source = this.part('ndv-input-panel').locator(`[data-value="${expression}"]`);
		const target = this.field(parameter);
		await target.scrollIntoViewIfNeeded();
		await source.hover();
		await this.page.mouse.down();
		const { x, y, width, height } = await boxOf(target);
		await this.page.mouse.move(x + width / 2, y + height, { steps: 8 });
		await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
		const self = `[data-test-id="parameter-input-${parameter}"]`;
		await this.page
			.locator(`${self}[class*="activeDrop"], ${self} [class*="activeDrop"]`)
			.first()
			.waitFor();
		await this.page.mouse.up();
		// n8n puts the cursor there a moment later. What is opened before that closes again.
		await target.locator('.cm-content:focus').waitFor();
	}

	/** The expression in a parameter. */
	expressionIn(parameter: string): Locator {
		return this.part('inline-expression-editor-input', this.field(parameter));
	}

	/** The result of the expression that is being edited. */
	valueOfExpression(): Locator {
		return this.page.locator('[data-test-id="inline-expression-editor-output"]:visible');
	}

	/** Runs the opened node, which has one output, and waits until that is shown. */
	async execute(): Promise<void> {
		await this.run();
		await this.shown(this.part('ndv-items-count', this.output));
	}

	/** Runs the opened node, which fails, and waits until its error is shown. */
	async executeToError(): Promise<void> {
		await this.run();
		await this.error.waitFor();
	}

	/** Runs the opened node, and waits until it is over. @returns the id of the execution */
	protected async run(): Promise<string> {
		const started = this.page.waitForResponse((response) => RUN.test(response.url()));
		await this.part('node-execute-button', this.node).click();
		const { data } = (await (await started).json()) as { data: { executionId: string } };
		const isRunning = async (): Promise<boolean> =>
			(await this.page.title()).startsWith(RUNNING_MARK);
		await until('the execution to end', async () => !(await isRunning()), LIMIT);
		return data.executionId;
	}

	/** Waits for what a successful run shows. Fails at once if there is an error instead. */
	protected async shown(outcome: Locator): Promise<void> {
		await outcome.or(this.error).first().waitFor();
		if (await this.error.isVisible())
			throw new Error(`the node failed: ${await this.output.innerText()}`);
	}

	private get error(): Locator {
		return this.part('node-error-message', this.output);
	}

	/** Publishes what was changed. n8n 1 does so when it saves a published workflow. */
	async publish(generation: Generation): Promise<void> {
		if (generation === 'oldest') {
			await this.part('workflow-save-button').click();
			return;
		}
		await this.part('workflow-open-publish-modal-button').click();
		await this.part('workflow-publish-button').click();
		await this.part('workflow-publish-button').waitFor({ state: 'hidden' });
	}

	/** Shows the output as a table. Returns the names of its columns. */
	async outputColumns(): Promise<string[]> {
		await this.part('radio-button-table', this.output).click();
		const columns = this.output.locator('th');
		await columns.first().waitFor();
		return (await columns.allInnerTexts()).map((name) => name.trim()).filter((name) => name !== '');
	}

	/** Shows the output as a list of fields with their values. */
	async showOutputAsSchema(): Promise<void> {
		await this.part('radio-button-schema', this.output).click();
		await this.part('run-data-schema-item', this.output).waitFor();
	}

	/** The values in the output by the path of their fields, such as `sender.identifier`. */
	async outputValues(): Promise<Record<string, string>> {
		const items = await this.output.locator('[data-test-id="run-data-schema-item"]').all();
		const pairs = items.map(async (item): Promise<[string, string]> => [
			(await item.locator('[data-path]').first().getAttribute('data-path')) ?? '',
			(await this.part('run-data-schema-item-value', item).innerText()).trim(),
		]);
		return Object.fromEntries(
			(await Promise.all(pairs)).map(([path, value]) => [path.replace(/^\./, ''), value]),
		);
	}

	/** Waits until no success message covers the page, and nothing is under the mouse. */
	async clearView(): Promise<void> {
		await this.page.mouse.move(0, 0);
		await this.page.locator('.el-notification:visible').first().waitFor({ state: 'hidden' });
	}

	/** The opened node's place in the window, without its edge. */
	async areaOfNode(): Promise<Area> {
		const { x, y, width, height } = await boxOf(this.node);
		return {
			x: Math.ceil(x) + 1,
			y: Math.ceil(y) + 1,
			width: Math.floor(width) - 3,
			height: Math.floor(height) - 3,
		};
	}
}

/** Whether something appears within this many milliseconds. */
async function appears(element: Locator, timeout: number): Promise<boolean> {
	return await element.waitFor({ timeout }).then(
		() => true,
		() => false,
	);
}

function startsWith(text: string): RegExp {
	return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}

async function boxOf(element: Locator): Promise<Area> {
	const box = await element.boundingBox();
	if (!box) throw new Error(`nothing of ${element.toString()} is on the page`);
	return box;
}
