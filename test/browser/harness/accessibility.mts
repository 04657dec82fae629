import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What WCAG 2.2 asks for, up to level AA, and what axe counts as good practice. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What stands in the way of some people, one line each: by axe's rules, and a page that is wider than its window. */
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
	/** Whether it can be seen to have the focus. */
	visible: boolean;
}

/** Runs in the page: what has the focus; undefined when nothing does. */
const FOCUS = `(() => {
	const element = document.activeElement;
	if (!element || element === document.body) return undefined;
	const { outlineStyle, outlineWidth } = getComputedStyle(element);
	const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
	const visible = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
	return { what: element.tagName.toLowerCase() + ' ' + name.trim().slice(0, 40), visible };
})()`;

/** Presses Tab through the page, and gives what had the focus until it left. */
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
