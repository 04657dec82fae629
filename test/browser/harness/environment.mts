import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Circus } from '@jest/types';
import type { Browser, Page } from 'playwright-core';

import OneContext from '../../support/jest/environment.cjs';
import { ARTIFACTS, BROWSERS } from './pictures.mts';
import { NOT_TRIED } from './story.mts';

/** A page that hangs must not hold up the report of the failure. */
const LIMIT_MS = 10_000;
/** Characters of what a page showed that a failure's message has. */
const TEXT_LENGTH = 2000;

/**
 * When a test fails, keeps a picture of every open page before its window closes, and adds to the
 * failure what the page showed.
 */
export default class PicturesOfFailures extends OneContext {
	async handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): Promise<void> {
		if (event.name === 'test_fn_failure' && !NOT_TRIED.test(String(event.error)))
			await this.keepPages(event.test.name, event.error);
		if (event.name === 'hook_failure')
			await this.keepPages(event.test?.name ?? 'before the tests', event.error);
	}

	private async keepPages(test: string, error: unknown): Promise<void> {
		const browsers = (this.global as Record<string, unknown>)[BROWSERS] as Browser[] | undefined;
		const pages = (browsers ?? [])
			.flatMap((browser) => browser.contexts())
			.flatMap((context) => context.pages());
		mkdirSync(ARTIFACTS, { recursive: true });
		for (const [index, page] of pages.entries()) {
			const name = `failed-${test.replace(/[^a-z0-9]+/gi, '-').slice(0, 100)}-${index + 1}`;
			await page
				.screenshot({ path: join(ARTIFACTS, `${name}.png`), timeout: LIMIT_MS })
				.catch((problem: unknown) => console.error(`No picture of "${test}":`, problem));
			const seen = `${new URL(page.url()).pathname} (test-artifacts/${name}.png) showed:\n${await textOf(page)}`;
			if (error instanceof Error) addToMessage(error, seen);
			else console.error(`"${test}" failed. ${seen}`);
		}
	}
}

/** What a page shows: of n8n's editor, the opened node. */
async function textOf(page: Page): Promise<string> {
	const node = page.locator('[data-test-id="ndv"]').first();
	const shown = (await node.isVisible()) ? node : page.locator('body');
	const text = await shown
		.innerText({ timeout: LIMIT_MS })
		.catch((problem: unknown) => `nothing that could be read: ${String(problem)}`);
	return text.replace(/\s*\n\s*/g, '\n').slice(0, TEXT_LENGTH);
}

/** Jest prints the stack, which begins with the message. */
function addToMessage(error: Error, more: string): void {
	const { message, stack = message } = error;
	error.message = `${message}\n\n${more}\n`;
	error.stack = stack.replace(message, () => error.message);
}
