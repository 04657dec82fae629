/**
 * A newcomer's first hour after `npm start`: opens the one address that it printed, and clicks
 * everything else.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, Frame, Page } from 'playwright-core';

import { freePort } from '#scripts/n8n/processes.mts';
import { until } from '#scripts/until.mts';
import { hostUnderTest } from '../host/harness/host.mts';
import { npmStart, START_LIMIT_MS, type Started } from '../host/harness/npmStart.mts';
import { launchBrowser } from './harness/browser.mts';
import { Editor } from './harness/editor.mts';
import { story } from './harness/story.mts';

const LIMIT_MS = 60_000;
const REPLY = 'Send the Reply';
const NEW_WORDS = 'Thanks for writing! We are open from 9 to 5.';

let data: string;
let started: Started | undefined;
let browser: Browser;
let editor: Editor;
/** The sandbox's page, as the customer's phone. */
let phone: Page;

beforeAll(async () => {
	data = mkdtempSync(join(tmpdir(), 'business-messaging-first-hour-'));
	started = await npmStart(data, await freePort(), await freePort());
	browser = await launchBrowser();
}, START_LIMIT_MS + LIMIT_MS);
afterAll(async () => {
	await browser?.close();
	await started?.interrupt();
	rmSync(data, { recursive: true, force: true });
}, LIMIT_MS);

const write = async (text: string): Promise<void> => {
	await phone.getByRole('link', { name: 'Chats' }).click();
	await phone.getByLabel('Message', { exact: true }).fill(text);
	await phone.keyboard.press('Enter');
	await phone.locator('.messages > li.mine', { hasText: text }).last().waitFor();
};
/** Runs in the page: how many notes another part of the editor covers at their first words. */
const COVERED = `[...document.querySelectorAll('[data-test-id="sticky"]')].filter((note) => {
	const { left, top } = note.querySelector('h2').getBoundingClientRect();
	return !note.contains(document.elementFromPoint(left + 9, top + 9));
}).length`;
const theirs = (text: string) => phone.locator('.messages > li.theirs', { hasText: text }).last();

const step = story();

step('signs in at the printed address, and finds Auto-Reply first in the list', async () => {
	const output = started?.output() ?? '';
	const [, overview = ''] = /n8n +(http\S+\/home\/workflows)$/m.exec(output) ?? [];
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	editor = new Editor(page, overview);
	await page.goto(overview);
	const { email, password } = started?.account ?? { email: '', password: '' };
	await page.locator('input[type="email"], input[name="emailOrLdapLoginId"]').fill(email);
	await page.locator('input[type="password"]').fill(password);
	await editor.part('form-submit-button').click();
	const first = editor.part('workflow-card-name');
	await first.waitFor();
	expect((await first.innerText()).trim()).toMatch(/^Auto-Reply/);
	await first.click();
	await editor.nodeOnCanvas(REPLY).waitFor();
});

step('reads in the note how to try it, and follows its link to the page', async () => {
	const note = editor.page.locator('[data-test-id="sticky"]', { hasText: 'Try it here' });
	expect(await note.innerText()).not.toMatch(/choose your credential/i);
	if (hostUnderTest().generation === 'current')
		await editor.part('suggested-actions-close').waitFor();
	expect(await editor.page.evaluate(COVERED)).toBe(0);
	const opened = editor.page.context().waitForEvent('page');
	await note.getByRole('link', { name: 'The page', exact: true }).click();
	phone = await opened;
	phone.setDefaultTimeout(LIMIT_MS);
	expect(phone.url()).toBe(`${started?.control.url}/`);
});

step('writes as a customer, and gets the reply', async () => {
	await write('Hello! Are you open on Saturday?');
	await theirs('Thank you for your message: "Hello! Are you open on Saturday?"').waitFor();
});

step(
	'changes the words of the reply, and the next customer’s message gets the new ones',
	async () => {
		await editor.page.bringToFront();
		await editor.openNode(REPLY);
		await editor.expressionIn('text').click();
		await editor.page.keyboard.press('ControlOrMeta+A');
		await editor.page.keyboard.type(NEW_WORDS);
		await editor.valueOfExpression().getByText(NEW_WORDS).waitFor();
		await editor.closeNode();
		await editor.publish(hostUnderTest().generation);
		await until(
			'the changed workflow to be published',
			async () => {
				await phone.bringToFront();
				await write('And on Sunday?');
				return await theirs('We are open from 9 to 5')
					.waitFor({ timeout: 5_000 })
					.then(
						() => true,
						() => false,
					);
			},
			LIMIT_MS,
		);
	},
);

step('has a reply fail, and finds in the execution what happened and what to do', async () => {
	await phone.getByRole('link', { name: 'Controls' }).click();
	await phone.getByRole('switch', { name: 'Conversation window closed' }).check();
	await write('Hello? Anybody there?');
	await editor.page.bringToFront();
	await editor.part('radio-button-executions').click();
	await editor.page.locator('[data-test-execution-status="error"]').first().click();
	const view = await shownExecution();
	await view.locator(nodeCalled(REPLY)).first().dblclick();
	const panel = view.locator('[data-test-id="output-panel"]').first();
	await panel
		.getByText(/the 24-hour conversation window is closed/)
		.first()
		.waitFor();
	expect(await panel.innerText()).toMatch(/Send Template|template/);
	expect(await panel.innerText()).not.toMatch(/undefined|\[object|NodeApiError|AxiosError/);
});

const nodeCalled = (name: string): string =>
	`[data-test-id="canvas-node"][data-node-name="${name}"]:visible`;

/** Where n8n shows an execution: on its page, or in a frame of it. */
async function shownExecution(): Promise<Frame> {
	return await until(
		'the execution to be shown',
		async () => {
			for (const frame of editor.page.frames())
				if (await frame.locator(nodeCalled(REPLY)).first().isVisible()) return frame;
			return undefined;
		},
		LIMIT_MS,
	);
}
