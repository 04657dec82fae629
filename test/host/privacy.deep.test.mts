/** Where n8n keeps a customer's number and words, as docs/privacy.md says. */
import { basename } from 'node:path';

import { CREDENTIAL_TYPE } from '#scripts/n8n/provision.mts';
import { until } from '#scripts/until.mts';
import { ACTION, byId, Host, TRIGGER } from './harness/host.mts';
import { createAccount } from './harness/listener.mts';
import { countRemembered } from './harness/staticData.mts';
import { databaseTexts, filesWritten } from './harness/traces.mts';

const host = new Host();
const { home, sandboxUrl } = host.underTest;
/** Of this file's own. */
const CUSTOMER = '5511900031415';
const WORDS = 'words-of-the-privacy-test';

afterEach(async () => await host.cleanUp());

const tablesWith = (needle: string): string[] =>
	[
		...new Set(
			databaseTexts(home)
				.filter(({ text }) => text.includes(needle))
				.map(({ place }) => place),
		),
	].sort();

/** Files with it, apart from the database's own, which also hold what was deleted. */
const filesWith = (needle: string): string[] =>
	filesWritten(home)
		.filter(({ place }) => !basename(place).startsWith('database.sqlite'))
		.filter(({ text }) => text.includes(needle))
		.map(({ place }) => place);

test("a customer's number and words are in executions alone, and gone when these are deleted", async () => {
	const { channels, secretKey } = await createAccount(host, ['Privacy']);
	const [channelId = ''] = channels;
	const credential = await host.client.createCredential('Privacy', CREDENTIAL_TYPE, {
		...{ baseUrl: sandboxUrl, secretKey },
	});
	const trigger = host.node(
		'Trigger',
		TRIGGER,
		{ source: 'channel', channelId: byId(channelId), options: {} },
		credential,
	);
	const sendText = (name: string, channel: string) =>
		host.node(
			name,
			ACTION,
			{
				...{ resource: 'message', operation: 'sendText', channelId: byId(channel) },
				recipient: "={{ $('Trigger').item.json.sender.identifier }}",
				text: "=You said {{ $('Trigger').item.json.text }}",
				options: {
					sendOnceKey: `=${name} {{ $('Trigger').item.json.sender.identifier }}`,
					tagExecution: true,
				},
			},
			credential,
		);
	const fails = {
		...sendText('Fails', 'F'.repeat(32)),
		onError: 'continueRegularOutput' as const,
	};
	const workflow = await host.createWorkflow('Privacy', [
		trigger,
		sendText('Sends', channelId),
		fails,
	]);
	await host.client.publish(workflow.id);
	await host.sandbox.customerWrites({
		...{ channelId, from: CUSTOMER, name: 'A Customer', text: WORDS },
	});
	const executions = await until(
		'the execution to end',
		async () => {
			const listed = await host.client.listExecutions(workflow.id);
			return listed.some(({ status }) => status === 'success') ? listed : undefined;
		},
		60_000,
	);
	const record = await host.client.rawExecution(executions[0]!.id);
	expect(record).toContain(WORDS);
	expect(record).toContain(`to ${CUSTOMER}`);

	expect(tablesWith(CUSTOMER)).toEqual(['execution_data.data', 'execution_metadata.value']);
	expect(tablesWith(WORDS)).toEqual(['execution_data.data']);
	expect(countRemembered(home, workflow.id)).toBeGreaterThan(0);
	expect(filesWritten(home).map(({ place }) => basename(place))).toContain('n8n.log');
	expect([CUSTOMER, WORDS].flatMap(filesWith)).toEqual([]);

	await host.client.deleteExecutions(executions.map(({ id }) => id));
	expect([CUSTOMER, WORDS].flatMap(tablesWith)).toEqual([]);
}, 120_000);
