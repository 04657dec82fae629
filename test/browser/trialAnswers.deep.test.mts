/**
 * A newcomer builds two workflows that answer customers by mouse, from an empty canvas: one that
 * waits for quick messages, and an agent that writes Markdown.
 */
import type { Browser, BrowserContext } from 'playwright-core';

import type { CredentialReference } from '../../scripts/n8n/types.mts';
import { type StubChatModel, startStubChatModel } from '../host/harness/stubChatModel.mts';
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

describe('a burst', () => {
	const step = story();
	beforeAll(async () => {
		trial = await Trial.begin(context, 'Questions');
	});
	afterAll(async () => await trial?.end());

	step('the trigger waits for quick messages, and shows one', async () => {
		await trial.startWithTrigger();
		await trial.build.choose('grouping', 'Wait for Quick Messages');
		// Longer than a busy machine needs between two messages.
		await trial.build.type('quietTime', '5');
		await trial.listen(async () => await trial.writes(ANA, 'Hello!'));
		await trial.build.closeNode();
	});

	step('a text answers what was written', async () => {
		const { build } = trial;
		await trial.addBehind(TRIGGER, SEND_TEXT);
		await build.map('{{ $json.sender.identifier }}', 'recipient');
		await build.type('text', 'You wrote:');
		await build.map('{{ $json.text }}', 'text');
		await build.execute();
		expect(await trial.received(ANA, 1)).toEqual([{ type: 'TEXT', text: 'You wrote: Hello!' }]);
		await build.closeNode();
	});

	step('once published, three quick messages get one answer at first try', async () => {
		await trial.publish();
		for (const text of ['Hello', 'I have a question:', 'are you open?'])
			await trial.writes(BRUNO, text);
		expect(await trial.received(BRUNO, 1)).toEqual([
			{ type: 'TEXT', text: 'You wrote: Hello\nI have a question:\nare you open?' },
		]);
	});
});

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
		await build.addOption('Add Fields for AI Agents');
		await trial.listen(async () => await trial.writes(ANA, 'Saturday?'));
		await build.showOutputAsSchema();
		expect(await build.outputValues()).toMatchObject({ chatInput: 'Saturday?' });
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

	step('once published, it answers another customer at first try', async () => {
		await trial.publish();
		await trial.writes(BRUNO, 'Sunday?');
		expect(await trial.received(BRUNO, 1)).toEqual([
			{ type: 'TEXT', text: '*Yes*, about "Sunday?":\n\n- we are _open_' },
		]);
	});
});
