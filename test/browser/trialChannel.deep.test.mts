/**
 * A newcomer adds a second channel by mouse: creates it in n8n, takes the connection SDK's object
 * from the sandbox's page, connects, and answers a customer there.
 */
import { SEND_TEXT, START, Trial } from './harness/trial.mts';

const CREATE = 'Create channel';
const CONNECT = 'Connect channel';
const SECOND = 'Second Shop';
const ANA = '5511900008861';

const trial = new Trial('First Shop');
const { step } = trial;
/** What the page copied. */
let object: string;

step('the channel is created, with a type from the list', async () => {
	const { build } = trial;
	await build.startByHand();
	await trial.addWithCredential(START, CREATE);
	await trial.set({ name: SECOND });
	await build.chooseFromList('type', 'OFFICIAL_CHATAPP');
	await build.execute();
	await trial.shows({ name: SECOND, type: 'OFFICIAL_CHATAPP' });
	await build.closeNode();
});

step("the sandbox's page gives the object, and says what to do with it", async () => {
	const context = trial.window.page.context();
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const page = await context.newPage();
	try {
		await page.goto(`${trial.host.underTest.sandboxUrl}/#connect`);
		const id = await trial.channelCalled(SECOND);
		await page.getByLabel('Channel', { exact: true }).selectOption(id);
		await page.getByRole('button', { name: 'Get the object' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click();
		await page.getByText(`choose ${SECOND}, and paste this object`).waitFor();
		await page.getByRole('button', { name: 'Copy Result' }).click();
		await page.getByText('Result copied').waitFor();
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
	await build.page.keyboard.press('Escape');
	await build.paste('sdkObject', object);
	await build.execute();
	await trial.shows({ success: 'true' });
	await build.closeNode();
});

step('a customer who writes there gets a text from there', async () => {
	const { build } = trial;
	const { sandbox } = trial.host;
	const channelId = await trial.channelCalled(SECOND);
	await sandbox.customerWrites({ channelId, from: ANA, name: 'Ana', text: 'Hello' });
	await trial.addWithCredential(CONNECT, SEND_TEXT);
	await build.chooseFromList('channelId', SECOND);
	await trial.set({ recipient: ANA, text: 'Welcome to the second shop.' });
	await build.execute();
	const sent = (await sandbox.messages(channelId)).filter(({ direction }) => direction === 'out');
	expect(sent.map(({ customer, content }) => ({ customer, content }))).toEqual([
		{ customer: ANA, content: { type: 'TEXT', text: 'Welcome to the second shop.' } },
	]);
	await build.closeNode();
});
