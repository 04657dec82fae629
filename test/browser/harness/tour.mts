import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { checkout } from '../../../scripts/checkout.mts';
import { animate, type Frame } from './animation.mts';
import { type Area, captureWebp, isUpdating } from './browser.mts';
import { ARTIFACTS } from './pictures.mts';

/**
 * The scale of the window. A part's corners are at even pixels if they are at multiples of `GRID`.
 */
export const TOUR_SCALE = 0.75;
const GRID = 8;
const QUALITY = 55;
const STEP_MS = 1100;
const END_MS = 2600;

/** An animated picture of chats. In each scene the messages appear one after the other. */
export class Tour {
	private readonly frames: Frame[] = [];

	/** @param area of the window, at multiples of 8 CSS pixels */
	constructor(private readonly area: Area) {}

	/**
	 * Adds the open chat. Its messages are all there, hidden except the first, and appear one by one.
	 * So the speed of the machine does not matter.
	 */
	async add(page: Page): Promise<void> {
		await page.mouse.move(0, 0);
		const messages = page.locator('.messages > li');
		const count = await messages.count();
		await showOnly(page, 1);
		await this.take(page, this.area);
		for (let shown = 2; shown <= count; shown++) {
			await showOnly(page, shown);
			const box = await messages.nth(shown - 1).boundingBox();
			if (box) await this.take(page, this.onGrid(box));
		}
		this.frames.at(-1)!.milliseconds = END_MS;
		await page.evaluate('document.adoptedStyleSheets = []');
	}

	/** Keeps the animation, and also in the documentation when its pictures are taken again. */
	save(name: string): Buffer {
		const animation = animate(this.frames);
		mkdirSync(ARTIFACTS, { recursive: true });
		writeFileSync(join(ARTIFACTS, `${name}.webp`), animation);
		if (isUpdating())
			writeFileSync(join(checkout, 'docs', 'screenshots', `${name}.webp`), animation);
		return animation;
	}

	get length(): number {
		return this.frames.length;
	}

	private async take(page: Page, part: Area): Promise<void> {
		this.frames.push({
			picture: await captureWebp(page, QUALITY, { ...part, scale: TOUR_SCALE }),
			x: (part.x - this.area.x) * TOUR_SCALE,
			y: (part.y - this.area.y) * TOUR_SCALE,
			milliseconds: STEP_MS,
		});
	}

	/** The part of the area that holds a box, with its corners on the grid. */
	private onGrid(box: Area): Area {
		const { x, y, width, height } = this.area;
		const [left, right] = snapped(box.x - x, box.x + box.width - x, width);
		const [top, bottom] = snapped(box.y - y, box.y + box.height - y, height);
		return { x: x + left, y: y + top, width: right - left, height: bottom - top };
	}
}

function snapped(from: number, to: number, most: number): [number, number] {
	return [Math.max(0, Math.floor(from / GRID) * GRID), Math.min(most, Math.ceil(to / GRID) * GRID)];
}

/**
 * Hides all messages of the open chat except the first ones. A style sheet does it, because the
 * page redraws its elements.
 */
async function showOnly(page: Page, count: number): Promise<void> {
	await page.evaluate(
		`document.adoptedStyleSheets = [new CSSStyleSheet()];
		document.adoptedStyleSheets[0].replaceSync('.messages > li:nth-child(n + ${count + 1}) { visibility: hidden }');`,
	);
}
