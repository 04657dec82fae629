import type { IDataObject } from 'n8n-workflow';
import type { Browser, Locator, Page } from 'playwright-core';

import type { WorkflowNode } from '#scripts/n8n/types.mts';
import { type Host, hostUnderTest } from '../../host/harness/host.mts';
import { launchBrowser, signIn } from './browser.mts';
import { Builder } from './builder.mts';

const LIMIT_MS = 120_000;

/** For the tests of a file or a describe: a window that is signed in to the n8n under test. */
export class N8nWindow {
	readonly n8nUrl = hostUnderTest().n8nUrl;
	#browser: Browser | undefined;
	#editor: Builder | undefined;

	constructor(height = 900) {
		beforeAll(async () => {
			this.#browser = await launchBrowser();
			const viewport = { width: 1440, height };
			// A context of its own, because a page's own context opens no second page.
			const page = await (await this.#browser.newContext({ viewport })).newPage();
			this.#editor = new Builder(page, this.n8nUrl);
			await signIn(page, this.n8nUrl);
		}, LIMIT_MS);
		afterAll(async () => await this.#browser?.close());
	}

	/** n8n's editor in the window, once the tests run. */
	get build(): Builder {
		if (!this.#editor) throw new Error('the window is not open yet');
		return this.#editor;
	}

	get page(): Page {
		return this.build.page;
	}

	async open(workflowId: string): Promise<void> {
		await this.page.goto(`${this.n8nUrl}/workflow/${workflowId}`);
	}

	/** Creates a workflow, and opens it. @returns its last node, on the canvas */
	async openNew(host: Host, nodes: WorkflowNode[], items?: IDataObject[]): Promise<Locator> {
		const { id } = await host.createWorkflow('In the window', nodes, items);
		await this.open(id);
		const last = this.build.nodeOnCanvas(nodes.at(-1)?.name ?? '');
		await last.waitFor();
		return last;
	}
}
