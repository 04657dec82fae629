/**
 * A newcomer builds an agent by mouse, from an empty canvas: it waits for quick messages, and
 * writes Markdown.
 */
import type { Browser, BrowserContext } from 'playwright-core';

import type { CredentialReference } from '../../scripts/n8n/types.mts';
import { type StubChatModel, startStubChatModel } from '../host/harness/stubChatModel.mts';
import { takePicture } from './harness/browser.mts';
import { TRIGGER } from './harness/builder.mts';
import { story } from './harness/story.mts';
import { ofTrigger, SEND_TEXT, signedIn, Trial } from './harness/trial.mts';

const ANA = '5511900008811';
const BRUNO = '5511900008812';

let browser: Browser;
let context: BrowserContext;
let trial: Trial;

beforeAll(async () => {
	({ browser, context } = await signedIn());
});
afterAll(async () => await browser?.close());

describe('an agent', () => {
	const step = story();
	let model: StubChatModel;
	let credential: CredentialReference;

	beforeAll(async () => {
		model = await startStubChatModel(({ messages }) => ({
			text: `**Yes**, about "${messages.at(-1)?.content}":\n\n* we are *open*`,
		}));
		trial = await Trial.begin(context, 'Assistant');
		credential = await model.createCredential(trial.customers.host);
	});
	afterAll(async () => {
		await trial?.end();
		await model?.close();
	});

	step('the trigger gives the fields that agents look for', async () => {
		const { build } = trial;
		await trial.startWithTrigger();
		await build.choose('grouping', 'Wait for Quick Messages');
		// Longer than a busy machine needs between two messages.
		await build.type('quietTime', '5');
		await build.addOption('Add Fields for AI Agents');
		await trial.listen(async () => await trial.writes(ANA, 'Saturday?'));
		await build.showOutputAsSchema();
		expect(await build.outputValues()).toMatchObject({ chatInput: 'Saturday?' });
		await build.output.getByText('A test takes one message, and groups nothing.').waitFor();
		await takePicture(build.page, 'trial-grouped-test');
		await build.closeNode();
	});

	step('the agent gets a model, and answers without any mapping', async () => {
		const { build } = trial;
		await build.openPanelBehind(TRIGGER);
		await build.addPlainNode('AI Agent');
		await build.openPanelOfInput('ai_languageModel');
		await build.addPlainNode('OpenAI Chat Model');
		await build.chooseCredential(credential.id);
		await build.toggle('responsesApiEnabled');
		await build.closeNode();
		await build.openNode('AI Agent');
		await build.execute();
		await build.showOutputAsSchema();
		expect((await build.outputValues()).output).toContain('**Yes**, about "Saturday?"');
		await build.closeNode();
	});

	step('its Markdown is sent in the marks of the chat', async () => {
		const { build } = trial;
		await trial.addBehind('AI Agent', SEND_TEXT);
		await build.map('{{ $json.output }}', 'text');
		await build.unfold(TRIGGER);
		await build.map(ofTrigger('sender.identifier'), 'recipient');
		await build.addOption('Convert Markdown');
		await build.execute();
		expect(await trial.received(ANA, 1)).toEqual([
			{ type: 'TEXT', text: '*Yes*, about "Saturday?":\n\n- we are _open_' },
		]);
		await build.closeNode();
	});

	step('once published, it answers the burst of another customer once', async () => {
		await trial.publish();
		for (const text of ['Hello', 'Sunday?']) await trial.writes(BRUNO, text);
		expect(await trial.received(BRUNO, 1)).toEqual([
			{ type: 'TEXT', text: '*Yes*, about "Hello\nSunday?":\n\n- we are _open_' },
		]);
	});
});
