/** What the Webhook Health Check finds, by the list of webhooks. */
import type { IDataObject } from 'n8n-workflow';

import { runCode } from './evaluate.mts';

const HOUR_MS = 3_600_000;

/** Runs the node's code at https://n8n.example.com. @returns the findings, by webhook */
function judge(webhooks: IDataObject[], n8nUrl = 'https://n8n.example.com/'): IDataObject {
	const given: Record<string, IDataObject[]> = {
		Settings: [{ n8nUrl, workflowIds: [] }],
		'Get the Channel': [{ id: 'C', phoneConnected: true }],
		'List the Webhooks': webhooks,
	};
	const $execution = { resumeUrl: 'https://n8n.example.com/webhook-waiting/7' };
	const findings = runCode('webhook-health-check', 'Judge the Webhooks', given, { $execution });
	return Object.fromEntries(
		findings.map(({ webhookId, finding }) => [webhookId, finding]),
	) as IDataObject;
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
