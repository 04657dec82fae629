import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

const IN_PAGE = readFileSync(join(import.meta.dirname, 'accessibility.js'), 'utf8')
	.trim()
	.replace(/;$/, '');
const ask = (page: Page, question: string): Promise<unknown> => page.evaluate(`${IN_PAGE}.${question}()`);

/** Texts that are too faint for WCAG AA, and a page that is wider than its window. */
export const legibilityProblems = async (page: Page) => (await ask(page, 'legibilityProblems')) as string[];

/** What can be clicked or filled in but has no name for a screen reader. */
export const namelessControls = async (page: Page) => (await ask(page, 'namelessControls')) as string[];

export interface Focus {
	what: string;
	/** Whether it can be seen to have the focus. */
	visible: boolean;
}

/** Presses Tab through the page, and gives what had the focus until it left. */
export async function tabThrough(page: Page): Promise<Focus[]> {
	const LONGEST = 150;
	const seen: Focus[] = [];
	while (seen.length < LONGEST) {
		await page.keyboard.press('Tab');
		const focus = (await ask(page, 'focus')) as Focus | undefined;
		if (!focus) break;
		seen.push(focus);
	}
	return seen;
}
