/**
 * A newcomer adds a second channel by mouse: creates it in n8n, takes the connection SDK's object
 * from the sandbox's page, connects, and answers a customer there.
 */
import type { Browser, BrowserContext } from 'playwright-core';

import { takePicture } from './harness/browser.mts';
import { story } from './harness/story.mts';
import { SEND_TEXT, signedIn, Trial } from './harness/trial.mts';

const START = 'When clicking ‘Execute workflow’';
const CREATE = 'Create channel';
const CONNECT = 'Connect channel';
const SECOND = 'Second Shop';
const ANA = '5511900008861';

let browser: Browser;
let context: BrowserContext;
let trial: Trial;
/** What the page copied. */
let object: string;

beforeAll(async () => {
	({ browser, context } = await signedIn());
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	trial = await Trial.begin(context, 'First Shop');
});
afterAll(async () => {
	await trial?.end();
	await browser?.close();
});

const step = story();

step('the channel is created, with a type from the list', async () => {
	const { build } = trial;
	await build.startByHand();
	await trial.addWithCredential(START, CREATE);
	await build.type('name', SECOND);
	await build.chooseFromList('type', 'OFFICIAL_CHATAPP');
	await build.execute();
	await build.showOutputAsSchema();
	expect(await build.outputValues()).toMatchObject({ name: SECOND, type: 'OFFICIAL_CHATAPP' });
	await build.closeNode();
});

step("the sandbox's page gives the object, and says what to do with it", async () => {
	const page = await context.newPage();
	try {
		await page.goto(`${trial.customers.host.underTest.sandboxUrl}/#connect`);
		await page
			.getByLabel('Channel', { exact: true })
			.selectOption({ value: await trial.channelCalled(SECOND) });
		await page.getByRole('button', { name: 'Get the object' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
		await page.getByText(`choose ${SECOND}, and paste this object`).waitFor();
		await page.getByRole('button', { name: 'Copy Result' }).click();
		await page.getByText('Result copied').waitFor();
		await takePicture(page, 'trial-channel-object');
		object = String(await page.evaluate('navigator.clipboard.readText()'));
	} finally {
		await page.close();
	}
});

step('Connect takes the object as it is', async () => {
	const { build } = trial;
	await trial.addWithCredential(CREATE, CONNECT);
	const entries = await build.openList('channelId');
	expect(await entries.filter({ hasText: SECOND }).innerText()).toContain('not connected');
	await takePicture(build.page, 'trial-channel-list');
	await build.page.keyboard.press('Escape');
	await build.paste('sdkObject', object);
	await build.execute();
	await takePicture(build.page, 'trial-channel-connected');
	await build.showOutputAsSchema();
	expect(await build.outputValues()).toMatchObject({ success: 'true' });
	await build.closeNode();
});

step('a customer who writes there gets a text from there', async () => {
	const { build, customers } = trial;
	const channelId = await trial.channelCalled(SECOND);
	await customers.host.sandbox.customerWrites({ channelId, from: ANA, name: 'Ana', text: 'Hello' });
	await trial.addWithCredential(CONNECT, SEND_TEXT);
	await build.chooseFromList('channelId', SECOND);
	await build.type('recipient', ANA);
	await build.type('text', 'Welcome to the second shop.');
	await build.execute();
	const sent = (await customers.host.sandbox.messages(channelId)).filter(
		({ direction }) => direction === 'out',
	);
	expect(sent.map(({ customer, content }) => ({ customer, content }))).toEqual([
		{ customer: ANA, content: { type: 'TEXT', text: 'Welcome to the second shop.' } },
	]);
	await build.closeNode();
});
