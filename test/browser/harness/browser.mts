import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Browser, type Page } from 'playwright-core';

import { provideChromium } from '../../../scripts/chromium.mts';
import { checkout } from '../../../scripts/checkout.mts';
import { OWNER } from '../../../scripts/n8n/provision.mts';
import { until } from '../../../scripts/until.mts';

/** Where pictures go; kept after the run and not part of the repository. */
const ARTIFACTS = join(checkout, 'test-artifacts');

/** Chromium as it runs in a container: as root, without a GPU, asking nobody on the network. */
export async function launchBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: await provideChromium(),
		args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
	});
}

/** Signs the owner in to n8n's editor. */
export async function signIn(page: Page, n8nUrl: string): Promise<void> {
	await page.goto(`${n8nUrl}/signin`);
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').fill(OWNER.email);
	await page.locator('input[type="password"]').fill(OWNER.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

/** Takes a picture once nothing moves or fades any more: when two in a row are the same. */
export async function takePicture(page: Page, name: string): Promise<void> {
	let last: Buffer = Buffer.alloc(0);
	const picture = await until(
		'the page to be at rest',
		async () => {
			const before = last;
			last = await page.screenshot({ caret: 'hide' });
			return last.equals(before) && last;
		},
		30_000,
		250,
	);
	mkdirSync(ARTIFACTS, { recursive: true });
	writeFileSync(join(ARTIFACTS, `${name}.png`), picture);
}
