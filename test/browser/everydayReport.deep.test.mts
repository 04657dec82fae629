/** The report of everyday customers, as it reaches a colleague: on a phone, in the dark. */
import { connect } from '#sandbox/client/index.mts';
import { viewOf } from '#sandbox/everyday/guest.mts';
import { asPage } from '#sandbox/everyday/page.mts';
import { playScenes } from '#sandbox/everyday/play.mts';
import { judge } from '#sandbox/everyday/report.mts';
import { SCENES } from '#sandbox/everyday/scenes.mts';
import { hostUnderTest } from '../host/harness/host.mts';
import { startEverydayBot } from '../sandbox/everydayBot.mts';
import { barriers } from './harness/accessibility.mts';
import { illustrate, launchBrowser } from './harness/browser.mts';
import { PHONE } from './harness/sandboxPage.mts';

const SEEN = ['one-message', 'without-words', 'again'];

test('a colleague reads the report on a phone, in light and dark', async () => {
	const sandbox = await connect(hostUnderTest().sandboxUrl);
	const channel = await sandbox.account();
	const bot = await startEverydayBot(channel, 'leak');
	const view = await viewOf({
		...{ sandbox, channel, webhooks: bot.webhooks, openings: ['Hello'] },
		...{ within: 30_000, settle: 100 },
	});
	const scenes = SCENES.filter(({ name }) => SEEN.includes(name));
	const played = await playScenes(scenes, view);
	const report = { played, findings: judge(played, []), seconds: 1 };
	await channel.remove();
	await bot.stop();
	const browser = await launchBrowser();
	try {
		for (const colorScheme of ['dark', 'light'] as const) {
			const page = await browser.newPage({ colorScheme, viewport: PHONE });
			await page.setContent(asPage(report));
			expect(await barriers(page)).toEqual([]);
			await page.setViewportSize({ width: 720, height: 520 });
			await illustrate(page, 'everyday-report');
			await page.close();
		}
	} finally {
		await browser.close();
	}
}, 240_000);
