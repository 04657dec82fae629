import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import type { Browser } from 'playwright-core';

import { ARTIFACTS, BROWSERS } from './pictures.mts';
import { NOT_TRIED } from './story.mts';

/** Keeps a picture of every open page when a test fails, before its window closes. */
export default class PicturesOfFailures extends TestEnvironment {
	async handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): Promise<void> {
		if (event.name === 'test_fn_failure' && !NOT_TRIED.test(String(event.error)))
			await this.keepPictures(event.test.name);
		if (event.name === 'hook_failure')
			await this.keepPictures(event.test?.name ?? 'before the tests');
	}

	private async keepPictures(test: string): Promise<void> {
		const browsers = (this.global as Record<string, unknown>)[BROWSERS] as Browser[] | undefined;
		const pages = (browsers ?? [])
			.flatMap((browser) => browser.contexts())
			.flatMap((context) => context.pages());
		mkdirSync(ARTIFACTS, { recursive: true });
		for (const [index, page] of pages.entries()) {
			const name = `failed-${test.replace(/[^a-z0-9]+/gi, '-').slice(0, 100)}-${index + 1}`;
			// A page that hangs must not hold up the report of the failure.
			await page
				.screenshot({ path: join(ARTIFACTS, `${name}.png`), timeout: 10_000 })
				.catch((error: unknown) => console.error(`No picture of "${test}":`, error));
		}
	}
}
