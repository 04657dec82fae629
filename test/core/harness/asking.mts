/**
 * Runs *Send and Wait* in n8n's own engine, against a service that keeps webhooks and takes
 * messages, or fails them as the test says.
 */
import type { IDataObject, INode } from 'n8n-workflow';

import type { Question } from '#nodes/resources/message/sendAndWait/kinds/index.ts';
import { byId, CHANNEL, SECRET_KEY } from '../../support/constants.mts';
import { type EngineResult, type EngineSettings, runInEngine } from './engine.mts';
import { respondJson, startScriptedService } from './scriptedService.mts';
import { type FakeRequest, type FakeResponse, WebhookStore } from './webhookStore.mts';

export interface SentMessage {
	recipient: string;
	/** Of its body. */
	text: string;
	content: IDataObject;
}

/** A failure of which nobody knows for certain that the service refused. */
export const PAGE = { status: 403, body: '<p>Forbidden</p>' };

export interface Asking {
	url: string;
	store: WebhookStore;
	/** All requests except messages. */
	requests: FakeRequest[];
	messages: SentMessage[];
	/**
	 * Which messages fail: refused for the closed window, refused in other words, answered so, or
	 * with their response lost.
	 */
	fail: (
		message: SentMessage,
	) => 'refuse' | { words: string } | { status: number; body: unknown } | 'cut' | undefined;
	/** Asked before the store. What it returns is the response. */
	intercept: (request: FakeRequest) => FakeResponse | undefined;
	close(): Promise<void>;
}

export async function startAsking(asking = {} as Asking): Promise<Asking> {
	const started: Partial<Asking> = {
		...{ store: new WebhookStore(), requests: [], messages: [] },
		...{ fail: () => undefined, intercept: () => undefined },
	};
	Object.assign(asking, started);
	const { url, close } = await startScriptedService(({ method, url: path, body }, response) => {
		const parsed = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
		if (path.endsWith('/messages')) {
			const message = messageOf(parsed);
			asking.messages.push(message);
			const failure = asking.fail(message);
			if (failure === 'cut') return void response.socket?.destroy();
			if (typeof failure === 'object' && 'status' in failure)
				return respondJson(response, failure.status, failure.body);
			if (failure) {
				const words = failure === 'refuse' ? 'Conversation window is closed' : failure.words;
				return respondJson(response, 422, { error: 422, message: words });
			}
			return respondJson(response, 200, { messageId: '0'.repeat(32) });
		}
		const request = { method, path, body: parsed };
		asking.requests.push(request);
		const { status, body: responded } = asking.intercept(request) ?? asking.store.respond(request);
		respondJson(response, status, responded);
	});
	return Object.assign(asking, { url, close });
}

/** A service of its own for each test of a file, after which nothing is mocked any longer. */
export function askingOfEachTest(): Asking {
	const asking = {} as Asking;
	beforeEach(async () => void (await startAsking(asking)));
	afterEach(async () => {
		jest.restoreAllMocks();
		await asking.close();
	});
	return asking;
}

function messageOf(body: Record<string, unknown>): SentMessage {
	const { recipient, content } = body as {
		recipient: { identifier: string };
		content: { body?: { message: string } };
	};
	return { recipient: recipient.identifier, text: content.body?.message ?? '', content };
}

export interface Asked extends EngineResult {
	/** As kept with the execution. Only for tests that know there is one. */
	question: Question;
}

/** Runs the operation with these fields beside the channel, and what else the engine is told. */
export async function asking(
	{ url }: Asking,
	parameters: IDataObject,
	settings: Partial<INode> = {},
	more: Pick<EngineSettings, 'executionId' | 'onStart'> = {},
): Promise<Asked> {
	const result = await runInEngine({
		baseUrl: url,
		credential: { secretKey: SECRET_KEY },
		parameters: {
			resource: 'message',
			operation: 'sendAndWait',
			channelId: byId(CHANNEL),
			...parameters,
		},
		settings: { typeVersion: 2, ...settings },
		...more,
	});
	const kept = result.run.data.executionData?.contextData['node:Business Messaging']?.question;
	return {
		...result,
		question: (typeof kept === 'string' ? JSON.parse(kept) : undefined) as Question,
	};
}
