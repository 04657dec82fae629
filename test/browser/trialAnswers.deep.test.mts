/**
 * A newcomer builds an agent by mouse, from an empty canvas: it waits for quick messages, and
 * writes Markdown.
 */
import type { CredentialReference } from '../../scripts/n8n/types.mts';
import { type StubChatModel, startStubChatModel } from '../host/harness/stubChatModel.mts';
import { TRIGGER } from './harness/builder.mts';
import { ofTrigger, SEND_TEXT, Trial } from './harness/trial.mts';

const ANA = '5511900008811';
const BRUNO = '5511900008812';

const trial = new Trial('Assistant');
const { step } = trial;
let model: StubChatModel;
let credential: CredentialReference;

beforeAll(async () => {
	model = await startStubChatModel(({ messages }) => ({
		text: `**Yes**, about "${messages.at(-1)?.content}":\n\n* we are *open*`,
	}));
	credential = await model.createCredential(trial.host);
});
afterAll(async () => await model?.close());

step('the trigger gives the fields that agents look for', async () => {
	const { build } = trial;
	await trial.startWithTrigger();
	await build.choose('grouping', 'Wait for Quick Messages');
	// Longer than a busy machine needs between two messages.
	await trial.set({ quietTime: '5' });
	await build.addOption('Add Fields for AI Agents');
	await trial.listen(async () => await trial.writes(ANA, 'Saturday?'));
	await trial.shows({ chatInput: 'Saturday?' });
	await build.output.getByText('A test takes one message, and groups nothing.').waitFor();
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
	await trial.shows({ output: expect.stringContaining('**Yes**, about "Saturday?"') });
	await build.closeNode();
});

step('its Markdown is sent in the marks of the chat', async () => {
	const { build } = trial;
	await trial.addBehind('AI Agent', SEND_TEXT);
	await trial.set({ text: '{{ $json.output }}' });
	await build.unfold(TRIGGER);
	await trial.set({ recipient: ofTrigger('sender.identifier') });
	await build.addOption('Convert Markdown');
	await trial.sends(ANA, { text: '*Yes*, about "Saturday?":\n\n- we are _open_' });
	await build.closeNode();
});

step('once published, it answers the burst of another customer once', async () => {
	await trial.publish();
	for (const text of ['Hello', 'Sunday?']) await trial.writes(BRUNO, text);
	expect(await trial.received(BRUNO, 1)).toEqual([
		{ type: 'TEXT', text: '*Yes*, about "Hello\nSunday?":\n\n- we are _open_' },
	]);
});
