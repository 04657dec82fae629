/** What the Webhook Health Check finds, by the list of webhooks. */
import type { IDataObject } from 'n8n-workflow';

import { assignedBy, conditionOf, evaluate, nodeOf, runCode } from './evaluate.mts';

const EXAMPLE = 'webhook-health-check';
const HOUR_MS = 3_600_000;
const $execution = { resumeUrl: 'https://n8n.example.com/webhook-waiting/7' };

/** The facts about a webhook, by the node's expressions. */
function aboutOf(webhook: IDataObject, Settings: IDataObject): IDataObject {
	const fields = ['workflowId', 'path', 'isAwaited'].map((field) => {
		const expression = assignedBy(EXAMPLE, 'About Each Webhook', field);
		return [field, evaluate(expression, webhook, { Settings }, {}, $execution)];
	});
	return { ...webhook, ...(Object.fromEntries(fields) as IDataObject) };
}
const isChecked = (about: IDataObject): boolean => {
	const [isOurs, waits] = (
		nodeOf(EXAMPLE, 'Made by This n8n').parameters.conditions as {
			conditions: Array<{ leftValue: string }>;
		}
	).conditions.map(({ leftValue }) => evaluate(leftValue, about));
	return isOurs === true && waits === false;
};

/** Judges at https://n8n.example.com. @returns the findings, by webhook */
function judge(
	webhooks: IDataObject[],
	n8nUrl = 'https://n8n.example.com/',
	answer = {},
): IDataObject {
	const Settings = [{ n8nUrl, workflowIds: ['listed'] }];
	const all = webhooks.map((webhook) => aboutOf(webhook, Settings[0]!)).filter(isChecked);
	const found = all.flatMap((about) =>
		runCode(EXAMPLE, 'What Is Wrong?', { Settings, 'Made by This n8n': [about], '': [answer] }),
	);
	return Object.fromEntries<IDataObject[string]>(
		found.map(({ webhookId, finding }) => [String(webhookId), finding]),
	);
}

const webhook = (id: string, url: string, wait: IDataObject = {}): IDataObject => ({
	id,
	url,
	status: 'ENABLED',
	events: [id],
	createdByN8n: true,
	createdByThisN8n: true,
	customAttributes: { n8n: { instanceId: 'i', workflowId: id }, ...wait },
});
const asked = (id: string, url: string, deadline: number): IDataObject =>
	webhook(id, url, { n8nWait: { deadline: new Date(Date.now() + deadline).toISOString() } });

test("names webhooks that go to a copy of this n8n or to a former address, and deletes none of a copy's questions", () => {
	const copy = 'https://copy.example.com/webhook';
	const webhooks = [
		webhook('here', 'https://n8n.example.com/webhook/1/webhook'),
		webhook('elsewhere', `${copy}/1/webhook`),
		asked('over', 'https://n8n.example.com/webhook-waiting/1/n', -2 * HOUR_MS),
		asked('waits', 'https://n8n.example.com/webhook-waiting/1/n', HOUR_MS),
		asked('over elsewhere', `${copy}-waiting/1/n`, -2 * HOUR_MS),
		asked('waits elsewhere', `${copy}-waiting/1/n`, HOUR_MS),
	];
	const found = { elsewhere: 'elsewhere', over: 'orphan', 'over elsewhere': 'elsewhere' };
	expect(judge(webhooks)).toEqual({ here: 'unchecked', ...found });
	// Settings that were restored with the database name the address of production.
	expect(judge(webhooks, 'https://copy.example.com/')['over elsewhere']).toBe('elsewhere');
	const moved = Object.values(judge(webhooks.slice(0, 2), 'https://n8n.example.org/'));
	expect(moved).toEqual(['elsewhere', 'elsewhere']);
});

const NOBODY = { statusCode: 404, body: { message: 'The requested webhook is not registered.' } };
const UNSTORED = {
	statusCode: 401,
	body: { message: 'Unauthorized: no signing secret is stored' },
};
const TEST = 'webhook-test/1/webhook';
test.each<
	[what: string, id: string, path: string, answer: IDataObject, more: IDataObject, found: string]
>([
	['of a deleted workflow', 'A', 'webhook/1/webhook', NOBODY, {}, 'orphan'],
	['of a listed one', 'listed', 'webhook/1/webhook', NOBODY, {}, 'notListening'],
	['of a test that is over', 'listed', TEST, NOBODY, {}, 'orphan'],
	['of a test that listens', 'A', TEST, { statusCode: 401 }, { status: 'DISABLED' }, 'test'],
	[
		'that is disabled',
		'A',
		'webhook/1/webhook',
		{ statusCode: 401 },
		{ status: 'DISABLED' },
		'disabled',
	],
	['that is well', 'A', 'webhook/1/webhook', { statusCode: 401 }, {}, 'live'],
	['whose state is gone', 'A', 'webhook/1/webhook', UNSTORED, {}, 'stateGone'],
	['of a test before its state is stored', 'A', TEST, UNSTORED, {}, 'test'],
	['behind another 404', 'A', 'webhook/1/webhook', { statusCode: 404, body: 'No' }, {}, 'live'],
	[
		'of a question whose deadline is gone',
		'A',
		'webhook-waiting/1/n',
		{},
		{ customAttributes: { n8nWait: {} } },
		'unchecked',
	],
	['of a gone question', 'A', 'webhook-waiting/1/n', {}, { deleted: true }, 'goneQuestion'],
])('a webhook %s', (_, id, path, answer, more, found) => {
	const one = { ...webhook(id, `https://n8n.example.com/${path}`), ...more };
	expect(judge([one], undefined, answer)).toEqual({ [id]: found });
});

const ASKED = 'https://n8n.example.com/webhook/0f-1/webhook';
test.each<[url: string, more: IDataObject, isAsked: boolean]>([
	[ASKED, {}, true],
	[ASKED, { createdByThisN8n: false }, false],
	[`http://evil.example/?${ASKED}`, {}, false],
	[`http://evil.example/${ASKED}`, {}, false],
	['https://n8n.example.com@evil.example/webhook/1/webhook', {}, false],
	// A workflow that anyone can start by its URL.
	['https://n8n.example.com/webhook/1', {}, false],
	['https://n8n.example.com/webhook/x/../1?/webhook', {}, false],
])('whether a request goes to %s with %j: %s', (url, more, isAsked) => {
	for (const n8nUrl of ['https://n8n.example.com', 'https://n8n.example.com/']) {
		const about = aboutOf({ ...webhook('A', url), ...more }, { n8nUrl, workflowIds: [] });
		const mayBe = evaluate(conditionOf(EXAMPLE, 'May It Be Asked?'), about);
		expect(isChecked(about) && mayBe).toBe(isAsked);
	}
});

test('names a workflow that gets the same events as another, unless both are listed', () => {
	const own = ['A', 'B', 'C'].map((id): IDataObject => ({
		...webhook(id, ASKED),
		...{ path: 'webhook/1/webhook', workflowId: id, events: [id === 'C' ? 'BLOCK' : 'CONNECTED'] },
		description: `n8n workflow "${id}"`,
	}));
	const found = (workflowIds: string[]) =>
		runCode(EXAMPLE, 'Who Else Gets Its Events?', {
			...{ Settings: [{ workflowIds }], 'About Each Webhook': own },
			'': own.map(({ id }) => ({ webhookId: id ?? null })),
		}).map(({ finding, message, workflowId }) => [finding, workflowId, String(message)]);
	const shared = (id: string, other: string) => [
		...['shared', id],
		`Another workflow gets the same events: n8n workflow "${other}". If both answer, unpublish one`,
	];
	expect(found(['A', 'C'])).toEqual([shared('A', 'B'), shared('B', 'A')]);
	expect(found(['A', 'B', 'C'])).toEqual([]);
});

test('names a channel that is not connected, and a listed workflow without a webhook', () => {
	const found = (phoneConnected: boolean, workflowIds: string[]) =>
		runCode(EXAMPLE, 'What Is Missing?', {
			...{ 'Get the Channel': [{ id: 'c', phoneConnected }], Settings: [{ workflowIds }] },
			'': [{ ...webhook('A', ASKED), path: 'webhook/1/webhook', workflowId: 'A' }],
		}).map(({ finding, message, workflowId }) => [finding, workflowId, message]);
	const notConnected = expect.stringMatching(/not connected.*Channel → Connect/) as string;
	expect(found(false, ['A'])).toEqual([['notConnected', undefined, notConnected]]);
	expect(found(true, ['A'])).toEqual([]);
	expect(found(true, ['A', 'B'])).toEqual([['missing', 'B', expect.any(String)]]);
});
