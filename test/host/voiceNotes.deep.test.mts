import { randomUUID } from 'node:crypto';

import { startScriptedService, respondJson } from '../core/harness/scriptedService.mts';
import { number } from './harness/conversations.mts';
import { Example, ownAccount } from './harness/examples.mts';
import type { Host } from './harness/host.mts';
import { firstTextsTo } from './harness/questions.mts';
import {
	type ModelRequest,
	startStubChatModel,
	type StubChatModel,
} from './harness/stubChatModel.mts';

const KEY = 'made-up-transcription-key';
/** The transcribing model also hears what the test wants: the words in the file. */
const audioOf = (words: string) => `OggS ${words}`;

let host: Host;
let channelId: string;
let secretKey: string;
let transcription: Awaited<ReturnType<typeof startScriptedService>>;
let model: StubChatModel;
let example: Example;

beforeAll(async () => {
	const account = await ownAccount(['Voice Notes']);
	({ host, secretKey } = account);
	[channelId = ''] = account.channels;
	transcription = await startScriptedService(({ body }, response) => {
		const [, text = ''] = /OggS (.*)/.exec(body) ?? [];
		respondJson(response, 200, { text });
	});
	model = await startStubChatModel((request) => ({ text: `You said: ${asked(request).at(-1)}` }));
	const credentials = [
		await model.createCredential(host),
		await host.client.createCredential(`Transcription ${randomUUID()}`, 'httpBearerAuth', {
			token: KEY,
		}),
	];
	example = await Example.import(host, 'voice-notes', channelId, {
		credentials,
		settings: {
			transcriptionUrl: `${transcription.url}/v1/audio/transcriptions`,
			transcriptionModel: 'stub-transcription',
		},
	});
	await example.publish();
});
afterAll(async () => {
	await host?.cleanUp();
	await transcription?.close();
	await model?.close();
});

/** The customer's words in the chat so far, as the model is told. */
const asked = ({ messages }: ModelRequest): string[] =>
	messages.filter(({ role }) => role === 'user').map(({ content }) => String(content));

/** A customer records a voice note. */
async function says(from: string, words: string): Promise<void> {
	const response = await fetch(
		new URL(`/_sandbox/media?channelId=${channelId}`, host.sandbox.url),
		{ method: 'POST', headers: { 'content-type': 'audio/ogg' }, body: audioOf(words) },
	);
	const { url } = (await response.json()) as { url: string };
	const message = { channelId, from, name: 'Ana', type: 'AUDIO', url };
	await host.sandbox.post('/_sandbox/inbound', message);
}

const answers = async (customer: string, count: number): Promise<string[]> =>
	await firstTextsTo({ host, channelId }, customer, count);

test('downloads, transcribes and answers a voice note, and remembers the chat', async () => {
	const [ana, ben] = [number(610), number(611)];
	await says(ana, 'Are you open on Saturday?');
	expect(await answers(ana, 1)).toEqual(['You said: Are you open on Saturday?']);
	await example.executions(1);
	await says(ana, 'And on Sunday?');
	await answers(ana, 2);
	await says(ben, 'Do you deliver?');
	expect(await answers(ben, 1)).toEqual(['You said: Do you deliver?']);
	await example.executions(3);

	expect(model.requests.map(asked)).toEqual([
		['Are you open on Saturday?'],
		['And on Sunday?'],
		['Do you deliver?'],
	]);
	expect(model.requests.map(({ messages }) => messages[0]?.content)).toEqual([
		expect.stringContaining('(This is the first message.)'),
		expect.stringContaining(
			'Customer: Are you open on Saturday?\nAssistant: You said: Are you open on Saturday?',
		),
		expect.stringContaining('(This is the first message.)'),
	]);
	const [uploaded] = transcription.requests;
	expect(uploaded).toMatchObject({ method: 'POST', url: '/v1/audio/transcriptions' });
	expect(uploaded?.headers.authorization).toBe(`Bearer ${KEY}`);
	const form = await new Response(uploaded?.body, {
		headers: { 'content-type': uploaded?.headers['content-type'] ?? '' },
	}).formData();
	expect(form.get('model')).toBe('stub-transcription');
	const file = form.get('file') as File;
	expect(file.name).toMatch(/\.ogg$/);
	expect(file.type).toBe('audio/ogg');
	expect(await file.text()).toBe(audioOf('Are you open on Saturday?'));
	expect(JSON.stringify([transcription.requests, model.requests])).not.toContain(secretKey);
});

test('tells the agent if it hears no words, and does not start for a text', async () => {
	const customer = number(612);
	const before = (await example.executions(0)).length;
	await host.sandbox.customerWrites({ channelId, from: customer, name: 'Ana', text: 'Hello' });
	await says(customer, '');
	expect(await answers(customer, 1)).toEqual([
		'You said: (a voice note in which no words can be heard)',
	]);
	await example.executions(before + 1);
	expect(await example.executions(0)).toHaveLength(before + 1);
});
