import '../../core/harness/environment.mts';

import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DEPTH_MAX } from '../../../nodes/BusinessMessaging/delivery/body.ts';
import type { KnownProof } from '../../../nodes/BusinessMessaging/delivery/verify.ts';
import {
	additionalData,
	callWebhook,
	changedStaticData,
	CHANNEL_ID,
	triggerWorkflow,
} from '../../core/harness/n8n.mts';
import {
	applyChanges,
	changes,
	isGenuine,
	rightDelivery,
	rightRequest,
	SECRET,
	TOKEN_HASH,
	TOLERANCE,
} from '../deliveries.mts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { shownForm } from '../secrets.mts';

const urls = {
	production: 'http://127.0.0.1:5678/webhook',
	test: 'http://127.0.0.1:5678/webhook-test',
};
const SECRET_KEY = 'sk-that-must-not-show';
const PROOF: KnownProof = {
	...{ kind: 'signature', secrets: [SECRET], scheme: 'fiveField' },
	...{ tolerance: TOLERANCE, tokenHash: TOKEN_HASH },
};

const texts = fc.subarray(['5511999990000', 'TEXT', 'IMAGE', 'PENDING', 'READ', '']);
const input = fc.record({
	right: rightDelivery,
	changes,
	/** No raw body: a form, an upload. */
	withoutBody: fc.constantFrom(false, false, false, false, false, false, true),
	parameters: fc.record({
		source: fc.constantFrom('channel', 'template'),
		channelEvents: fc.constantFrom<string[][]>(
			['MESSAGE_RECEIVED'],
			['MESSAGE_RECEIVED', 'MESSAGE_STATUS'],
		),
		options: fc.record(
			{
				output: fc.constantFrom('simplified', 'raw'),
				includeHeaders: fc.boolean(),
				chatFields: fc.boolean(),
				deduplicate: fc.boolean(),
				senders: texts,
				contentKinds: texts,
				statuses: texts,
				includeOwnMessages: fc.boolean(),
			},
			{ requiredKeys: [] },
		),
	}),
});
type Input = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

interface Responded {
	status: number | undefined;
	body: unknown;
}

/** n8n's response, as far as a node uses it. */
function fakeResponse(responded: Responded) {
	const response = {
		headersSent: false,
		statusCode: 200,
		writableFinished: true,
		destroyed: false,
		once: () => response,
		setHeader: () => response,
		status: (code: number) => {
			responded.status = code;
			return response;
		},
		json: (body: unknown) => void (responded.body = body),
	};
	return response;
}

/**
 * Of the bodies that are nothing but nested lists: whether it is deeper than what the trigger
 * takes.
 */
const isDeep = (body: string): boolean => body.startsWith('['.repeat(DEPTH_MAX + 1));

let calls = 0;

/**
 * Every response that `webhook()` may give. Anything else, a throw above all, n8n turns into a 500
 * and a failed execution.
 */
async function check({ right, changes: list, withoutBody, parameters }: Input): Promise<void> {
	const now = Math.floor(Date.now() / 1000);
	const request = applyChanges(rightRequest(right, PROOF, now), list);
	const rawBody = Buffer.from(request.body, 'base64');
	const responded: Responded = { status: undefined, body: undefined };
	// Another node each time: the process remembers deliveries.
	const workflow = triggerWorkflow({
		parameters,
		workflowId: `fuzz-${calls++}`,
		staticData: {
			'node:Business Messaging Trigger': {
				webhookId: 'A'.repeat(32),
				secret: SECRET,
				tokenHash: TOKEN_HASH,
				channelId: CHANNEL_ID,
			},
		},
	});
	const data = additionalData(
		{ baseUrl: 'https://api.messaging.example', secretKey: SECRET_KEY },
		urls,
		{
			httpRequest: {
				headers: {},
				headersDistinct: request.headers,
				...(withoutBody ? {} : { rawBody }),
			},
			httpResponse: fakeResponse(responded),
		},
	);
	const logged: unknown[] = [];
	const log = (...said: unknown[]) => void logged.push(said);
	const result = await callWebhook(workflow, data, 'webhook', {
		debug: log,
		info: log,
		warn: log,
		error: log,
	});

	must(changedStaticData(workflow) === undefined, 'static data was written');
	must(shownForm([result, responded, logged], SECRET_KEY, SECRET) === undefined, 'a secret shows');
	if (result.noWebhookResponse) {
		must(responded.status === 401 || responded.status === 422, `responded ${responded.status}`);
		must(result.workflowData === undefined, 'refused and executed');
		must(list.length > 0 || withoutBody || isDeep(right.body), 'a genuine delivery was refused');
		return;
	}
	must(!withoutBody && isGenuine(request, PROOF, now), 'a forged delivery was taken');
	must(list.length > 0 || !isDeep(right.body), 'a body was taken that no execution can hold');
	must(responded.status === undefined, `taken and responded ${responded.status}`);
	const items: INodeExecutionData[] | undefined = result.workflowData?.[0];
	must(
		items === undefined
			? (result.webhookResponse as IDataObject).message === 'Filtered out'
			: items.length > 0,
		'neither items nor filtered out',
	);
	for (const { json } of items ?? [])
		must(
			typeof json === 'object' && json !== null && !Array.isArray(json),
			`an item is ${JSON.stringify(json)}`,
		);
}

/** `webhook()` of the trigger in n8n-core's own context. */
export const reception: EntryPoint<Input> = {
	name: 'reception',
	input,
	check,
};
