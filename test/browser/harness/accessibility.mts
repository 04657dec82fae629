import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 up to level AA, and axe's good practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Accessibility problems, one per line: axe's findings, and a page wider than its window. */
export async function barriers(page: Page): Promise<string[]> {
	// Axe's other mode opens a second page, which Playwright refuses in a page's own context.
	const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze();
	const found = violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
	);
	const sideways = Number(
		await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
	);
	return sideways > 0 ? [...found, `the page is ${sideways}px wider than the window`] : found;
}

export interface Focus {
	what: string;
	/** Whether the element visibly has the focus. */
	visible: boolean;
}

/** Runs in the page: the focused element; undefined if there is none. */
const FOCUS = `(() => {
	const element = document.activeElement;
	if (!element || element === document.body) return undefined;
	const { outlineStyle, outlineWidth } = getComputedStyle(element);
	const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
	const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
	return { what: element.tagName.toLowerCase() + ' ' + name.trim().slice(0, 40), visible };
})()`;

/** Presses Tab through the page, and returns the focused elements. */
export async function tabThrough(page: Page): Promise<Focus[]> {
	const LONGEST = 150;
	const seen: Focus[] = [];
	while (seen.length < LONGEST) {
		await page.keyboard.press('Tab');
		const focus = await page.evaluate<Focus | undefined>(FOCUS);
		if (!focus) break;
		seen.push(focus);
	}
	return seen;
}
