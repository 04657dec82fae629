import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

import { provideChromium } from '#scripts/chromium.mts';
import { checkout } from '#scripts/checkout.mts';
import { ownerOf } from '#scripts/n8n/owner.mts';
import { until } from '#scripts/until.mts';
import { hostUnderTest } from '../../host/harness/host.mts';
import { ARTIFACTS, BROWSERS } from './pictures.mts';

/** Chromium as it runs in a container: as root, without a GPU, without requests to the network. */
export async function launchBrowser(): Promise<Browser> {
	const browser = await chromium.launch({
		executablePath: await provideChromium(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--no-first-run',
		],
	});
	const known = globalThis as Partial<Record<typeof BROWSERS, Browser[]>>;
	known[BROWSERS] = [...(known[BROWSERS] ?? []).filter((other) => other.isConnected()), browser];
	return browser;
}

/** Signs the owner in to n8n's editor. @param home of that n8n */
export async function signIn(
	page: Page,
	n8nUrl: string,
	home = hostUnderTest().home,
): Promise<void> {
	const { email, password } = ownerOf(home);
	await page.goto(`${n8nUrl}/signin`);
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').fill(email);
	await page.locator('input[type="password"]').fill(password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

/**
 * Takes a picture. `UPDATE_SCREENSHOTS=1 npm test browser` puts it into the documentation, as a
 * lossy WebP file.
 */
export async function illustrate(page: Page, name: string, clip?: Area): Promise<void> {
	await takePicture(page, name, clip);
	if (!process.env.UPDATE_SCREENSHOTS) return;
	const session = await page.context().newCDPSession(page);
	const { data } = await session.send('Page.captureScreenshot', {
		format: 'webp',
		quality: 80,
		...(clip ? { clip: { ...clip, scale: 1 } } : {}),
	});
	await session.detach();
	writeFileSync(join(checkout, 'docs', 'screenshots', `${name}.webp`), Buffer.from(data, 'base64'));
}

/** A part of the window, in CSS pixels. */
export interface Area {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Takes a picture once nothing but clocks moves, which two equal pictures in a row show. */
export async function takePicture(page: Page, name: string, clip?: Area): Promise<void> {
	const picture = (mask: Locator[] = []) =>
		page.screenshot({ caret: 'hide', mask, ...(clip ? { clip } : {}) });
	// A machine that takes a second for a picture would never see two with the same.
	const clocks = page.locator('time');
	let last: Buffer = Buffer.alloc(0);
	await until(
		'the page to be at rest',
		async () => {
			const before = last;
			last = await picture([clocks]);
			return last.equals(before);
		},
		30_000,
		250,
	);
	mkdirSync(ARTIFACTS, { recursive: true });
	writeFileSync(join(ARTIFACTS, `${name}.png`), await picture());
}
