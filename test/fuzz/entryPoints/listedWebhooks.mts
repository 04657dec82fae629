import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { getAll } from '../../../nodes/BusinessMessaging/resources/webhook/getAll.ts';
import { createServiceClient } from '../../../nodes/BusinessMessaging/service/client.ts';
import { ServiceError } from '../../../nodes/BusinessMessaging/service/errors/index.ts';
import { type EntryPoint, must } from '../entryPoint.mts';
import { shownForm, toldBy } from '../secrets.mts';
import { jsonOf } from '../texts.mts';

const BASE_URL = 'https://api.messaging.example';
const SECRET_KEY = 'sk_that+must/not=show';
const CHANNEL_ID = '019E4C54B1B375A28970B605CA9B03C3';
/** What proves to n8n that a waiting execution may go on, in the two forms of its links. */
const SIGNATURES = [
	'4f9d2b7c1e8a6053f9d2b7c1e8a60534f9d2b7c1e8a6053f9d2b7c1e8a605345',
	'c0ffee5eed1234567890abcdefc0ffee5eed1234567890abcdefc0ffee5eed12/3f1d2c4b-0000-4000-8000-000000000001',
];

const parameter = fc.constantFrom('approved=true', 'question=1', 'a', 'a=%20b', 'sig=1', '');
const url = fc
	.record({
		root: fc.constantFrom(
			'https://n8n.example.com/webhook-waiting/42',
			'http://127.0.0.1:5678/webhook-waiting/42/',
			'https://n8n.example.com/hook',
		),
		before: fc.array(parameter, { maxLength: 2 }),
		signature: fc.constantFrom(...SIGNATURES),
		after: fc.array(parameter, { maxLength: 2 }),
		fragment: fc.constantFrom('', '#top'),
	})
	.map(
		({ root, before, signature, after, fragment }) =>
			`${root}?${[...before, `signature=${signature}`, ...after].join('&')}${fragment}`,
	);

const webhook = fc.record(
	{
		id: fc.constantFrom('A'.repeat(32), 'B'.repeat(32)),
		url: fc.oneof(
			{ weight: 4, arbitrary: url },
			{ weight: 1, arbitrary: fc.constantFrom('https://receiver.example/hook', 'not a URL', '') },
		),
		events: fc.constant(['MESSAGE_RECEIVED']),
		status: fc.constantFrom('ENABLED', 'DISABLED'),
		description: fc.oneof(
			fc.constantFrom(null, 'waits for an answer'),
			url.map((text) => `waits at ${text}`),
		),
		signing: fc.boolean(),
		customAttributes: fc.constantFrom<unknown>(
			null,
			{ n8n: { nodeId: '1' } },
			{ n8nWait: { executionId: '42' } },
		),
		createdAt: fc.constantFrom('2026-07-15T19:00:00.000+0000', 'x', null),
	},
	{ requiredKeys: ['id', 'url', 'events', 'status'] },
);

const input = fc.record({
	kind: fc.constantFrom('channel' as const, 'template' as const),
	simplify: fc.boolean(),
	filters: fc.record(
		{
			createdByN8n: fc.boolean(),
			urlContains: fc.constantFrom('n8n', 'signature'),
			status: fc.constant('ENABLED'),
		},
		{ requiredKeys: [] },
	),
	listed: fc.oneof(
		{ weight: 4, arbitrary: fc.array(webhook, { maxLength: 3 }) },
		{ weight: 1, arbitrary: fc.array(jsonOf('id', 'url', 'events', 'status'), { maxLength: 2 }) },
	),
});
export type ListedWebhooksInput = typeof input extends fc.Arbitrary<infer Value> ? Value : never;

/** A node that gets this list as the response. */
export function contextOf(
	listed: unknown,
	parameters: Record<string, unknown> = {},
	logged: unknown[] = [],
): IExecuteFunctions {
	const log = (...said: unknown[]) => void logged.push(said);
	const given: Record<string, unknown> = { channelId: CHANNEL_ID, returnAll: true, ...parameters };
	return {
		getCredentials: async () => ({ baseUrl: BASE_URL, secretKey: SECRET_KEY }),
		getInstanceId: () => 'this-n8n',
		getNodeParameter: (name: string, _item: number, otherwise: unknown) => given[name] ?? otherwise,
		logger: { debug: log, info: log, warn: log, error: log },
		helpers: {
			httpRequestWithAuthentication: async () => ({
				...{ statusCode: 200, headers: {}, body: structuredClone(listed) },
			}),
		},
	} as unknown as IExecuteFunctions;
}

/** The operation under test. @returns the items */
export type GetMany = (
	context: IExecuteFunctions,
	kind: 'channel' | 'template',
) => Promise<IDataObject | IDataObject[] | undefined>;

export const getMany: GetMany = async (context, kind) =>
	await getAll(kind).executeItem?.(context, await createServiceClient(context), 0);

/**
 * Webhook → Get Many. More people may read its output, in the execution's record, than may reply to
 * a question.
 */
export function listedWebhooksOf(run: GetMany): EntryPoint<ListedWebhooksInput> {
	return {
		name: 'listed-webhooks',
		input,
		check: async ({ kind, simplify, filters, listed }) => {
			const logged: unknown[] = [];
			const left: unknown = await run(contextOf(listed, { simplify, filters }, logged), kind).catch(
				(error: unknown) => {
					// Of lists that are none. Anything else would hide what the items hold.
					must(error instanceof ServiceError, `it failed with ${String(error)}`);
					return toldBy(error);
				},
			);
			const text = JSON.stringify([left, logged]);
			for (const signature of SIGNATURES)
				must(!text.includes(signature.slice(0, 32)), `a signature shows in ${text}`);
			must(shownForm([left, logged], SECRET_KEY) === undefined, 'the secret key shows');
		},
	};
}

export const listedWebhooks = listedWebhooksOf(getMany);
