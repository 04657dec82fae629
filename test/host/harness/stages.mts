/**
 * What each example needs beside its conversation: the user's choices at import, and what a person
 * does outside the chats.
 */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import type { MoreChoices } from '#scripts/n8n/provision.mts';
import type { Workflow, WorkflowNode } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { redeliver } from './deliverNow.mts';
import { Example, itemsOf } from './examples.mts';
import type { Host } from './host.mts';
import type { Models } from './models.mts';
import { newestLinkButton, startAsking, submit, waiting } from './questions.mts';
import { issueConnectionData } from './tenants.mts';

export const OUTBOX = 'Business Messaging Outbox';
const PAGE = 'When the Page Sends the Object';
const LIMIT_MS = 60_000;
/** A number in Brazil, in its two spellings. */
const [DORA, DORA_WITH_NINTH] = ['551188880002', '5511988880002'] as const;
const [APPROVER, ANA, BEN, STRANGER, LATE] = [
	...['5500000000010', '5500000000101', '5500000000012', '5500000000013', '5500000000014'],
] as [string, string, string, string, string];

/** An example in its own account. */
export interface Stage {
	host: Host;
	channelId: string;
	tenantId: string;
	publicKey: string;
	example: Example;
	/** Another example, which a person starts in its place. */
	another?: Example;
	/** What sends the rows of a broadcast. */
	outbox?: Example;
	/** Id of the last execution that was started by hand. */
	executionId: string;
}

export interface Staging {
	/**
	 * Changes the service's settings. They hold for all accounts, so it needs a sandbox of its own.
	 */
	settings?: Record<string, unknown>;
	choices?: (host: Host, channelId: string, models: Models) => Promise<MoreChoices>;
	change?: (workflow: Workflow) => Workflow;
	/** False if a person starts it. */
	isPublished?: boolean;
	prepare?: (stage: Stage) => Promise<unknown>;
	/** What a person does, in the script's order. */
	byHand?: Array<(stage: Stage) => Promise<unknown>>;
}

/** Changes the nodes of a workflow. */
export const nodesChanged =
	(change: (node: WorkflowNode) => WorkflowNode) =>
	(workflow: Workflow): Workflow => ({ ...workflow, nodes: workflow.nodes.map(change) });

/** Replaces a text in a workflow. */
export const replaced =
	(from: string, to: string) =>
	(workflow: Workflow): Workflow =>
		JSON.parse(JSON.stringify(workflow).replaceAll(from, to)) as Workflow;

/** Replaces the customers of *Approve Before Broadcast*: the example's own, and its approver. */
export const broadcastTo = (...customers: string[]) =>
	replaced(`\\"${ANA}\\", \\"${APPROVER}\\"`, customers.map((one) => `\\"${one}\\"`).join(', '));

const rows =
	(count: number) =>
	async ({ example }: Stage): Promise<void> => {
		await until(`${count} rows`, async () => (await example.rows()).length >= count, LIMIT_MS);
		expect(await example.rows()).toHaveLength(count);
	};

/** This many messages of colleagues. */
const keptOfColleagues =
	(count: number) =>
	async ({ example }: Stage): Promise<void> =>
		void (await until(
			`${count} rows of colleagues`,
			async () =>
				(await example.rows()).filter(({ answers }) => /^(?:colleague|bot)$/.test(String(answers)))
					.length === count,
			LIMIT_MS,
		));

/** Five minutes, of which a test has less, but longer than a run of its few rows. */
export const shortWait = replaced('"amount":5,"unit":"minutes"', '"amount":20,"unit":"seconds"');

/** *Outbox* beside what fills its table. */
export const outboxOf = async (
	host: Host,
	channelId: string,
	{ dataTables }: Pick<Example, 'dataTables'>,
	change: (workflow: Workflow) => Workflow = (workflow) => workflow,
): Promise<Example> => await Example.import(host, 'outbox', channelId, { dataTables }, change);

/** Sends what waits in the outbox. @returns the execution, which says what became of each row */
export async function sendRows({ host }: Pick<Stage, 'host'>, outbox: Example) {
	const execution = await host.client.execute(outbox.workflow, 'Every Five Minutes');
	expect(execution.status).toBe('success');
	return execution;
}

/** The template that examples send if a window is closed. */
export const addTemplate = async ({ host, tenantId: tenant }: Pick<Stage, 'host' | 'tenantId'>) =>
	await host.sandbox.post('/_sandbox/message-templates', {
		...{ name: 'welcome', body: 'Hello! How can we help you?', status: 'APPROVED', tenant },
	});

/** The template that tells a colleague who it is about, and what it is. */
export const addHandOver = async ({ host, tenantId: tenant }: Pick<Stage, 'host' | 'tenantId'>) =>
	await host.sandbox.post('/_sandbox/message-templates', {
		...{ name: 'hand_over', status: 'APPROVED', tenant },
		body: 'A customer needs you: {{1}}. It is about {{2}}.',
	});

/** A colleague's message is in the transcript. */
const kept =
	(text: string) =>
	async ({ example }: Stage): Promise<void> =>
		void (await until(
			`'${text}' to be kept`,
			async () =>
				(await example.rows('Business Messaging Shop Chats')).some((row) =>
					String(row.text).includes(text),
				),
			LIMIT_MS,
		));

/** Another workflow asks a customer. */
const asks =
	(customer: string) =>
	async ({ host, channelId }: Stage): Promise<void> => {
		const choices = { values: [{ choice: 'Monday' }, { choice: 'Tuesday' }] };
		const { executionId } = await startAsking({ host, channelId }, customer, {
			...{ askIn: 'chat', responseType: 'replyInChat', choices },
		});
		await waiting(host, executionId);
	};

/** Lets a person start this many executions in ten minutes, instead of twenty. */
const limitedTo = (executions: number) =>
	nodesChanged(({ parameters, ...node }) => {
		const options = (parameters.options ?? {}) as INodeParameters;
		const personLimit = { limit: { executions, minutes: 10 } };
		return 'personLimit' in options
			? { ...node, parameters: { ...parameters, options: { ...options, personLimit } } }
			: { ...node, parameters };
	});

/** Executes it by this trigger. */
const start = (trigger: string) => async (stage: Stage) => {
	const { host, example, another = example } = stage;
	stage.executionId = (await host.client.runManually(another.workflow, trigger)) ?? '';
};

async function approve({ host, channelId, executionId }: Stage): Promise<void> {
	await waiting(host, executionId);
	const { url } = await newestLinkButton({ host, channelId }, APPROVER);
	await submit(url, { approved: 'true' });
	expect((await host.client.finishedExecution(executionId)).status).toBe('success');
}

const sendAll = async (stage: Stage): Promise<void> => void (await sendRows(stage, stage.outbox!));

async function connectFromPage({ host, channelId, publicKey, example }: Stage): Promise<void> {
	const answer = await issueConnectionData(host, channelId, publicKey);
	const { path = '' } = example.workflow.nodes.find(({ name }) => name === PAGE)?.parameters ?? {};
	const { status } = await host.sandbox.post<{ status: number }>('/_sandbox/sdk/post', {
		...{ url: example.webhookUrl(String(path)), answer },
	});
	expect(status).toBe(200);
}
/** The colleague's message fails. */
async function fail({ host, channelId, example }: Stage): Promise<void> {
	const sent = await until(
		'the message to be sent',
		async () => (await host.sandbox.messages(channelId)).find(({ status }) => status === 'SENT'),
		LIMIT_MS,
	);
	await host.sandbox.post(`/_sandbox/messages/${sent.id}/status`, { status: 'FAILED' });
	const executions = await example.executions(1);
	expect(executions.flatMap((execution) => itemsOf(execution, 'Alert'))).toMatchObject([
		{
			...{ text: '"This one fails"', status: 'FAILED' },
			reason: 'UNDELIVERABLE: The message could not be delivered',
		},
	]);
}

async function seeFourChanges({ example }: Stage): Promise<void> {
	const told = (await example.executions(5))
		.flatMap((execution) => itemsOf(execution, 'Alert'))
		.filter(({ action }) => action)
		.map(({ title, action }) => [title, action].join('. '));
	expect(told.sort()).toEqual([
		'Template order_update (en) is now PAUSED. Look at the template in the dashboard of the service',
		'Template order_update (en) is now REJECTED. Change the template: "INVALID_FORMAT"',
		'Template order_update (en) moved from UTILITY to MARKETING. Check what messages of this category cost',
		'Template order_update (en) was approved. None: it can be used from now on',
	]);
}

const reportsNothing =
	(trigger: string) =>
	async ({ example }: Stage): Promise<void> =>
		expect(await example.run(trigger, 'Report')).toEqual([]);

const followUp = reportsNothing('Every Five Minutes');

/** Whatever comes first, the failure or the end of the execution that sent. */
async function hearsOfFailure({ example }: Stage): Promise<void> {
	const cleo = expect.objectContaining({ name: 'Cleo', followUp: 'failed 131047' }) as unknown;
	await until(
		'the failure to be reported',
		async () =>
			(await example.executions(1)).flatMap((execution) => itemsOf(execution, 'Report')).length > 0,
		LIMIT_MS,
	);
	const reported = (await example.executions(1)).flatMap((one) => itemsOf(one, 'Report'));
	expect(reported).toEqual([cleo]);
	expect(await example.rows()).toContainEqual(cleo);
	expect(await example.run('Every Five Minutes', 'Report')).toEqual([]);
}

/** In some days, at noon of the zone that a rehearsal has. */
const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3_600_000).toISOString();

/** Reminds this many customers, of whom the outbox knows what became. */
const remind =
	(count: number, ...states: string[]) =>
	async (stage: Stage): Promise<void> => {
		const { host, example, channelId, outbox } = stage;
		const before = await host.sandbox.messages(channelId);
		await example.run('Every Hour', 'Put Into the Outbox');
		await sendAll(stage);
		const sent = (await host.sandbox.messages(channelId)).slice(before.length);
		expect(sent).toHaveLength(count);
		expect((await outbox!.rows(OUTBOX)).map(({ state }) => state)).toEqual(states);
	};

const DRAFTS = 'Business Messaging Template Drafts';

/** Adds drafts that are ready, and submits them. */
const submitDrafts =
	(...names: string[]) =>
	async ({ host, example }: Stage): Promise<void> => {
		for (const name of names)
			await example.insert(
				{
					...{ name, language: 'en_US', category: 'MARKETING', status: 'ready' },
					body: 'Hello {{1}}, all is 20 % off.',
				},
				DRAFTS,
			);
		const { status } = await host.client.execute(example.workflow, 'Every Five Minutes');
		expect(status).toBe('success');
	};

/** Waits for the executions of all events, and expects these drafts. */
async function draftsAre({ example }: Stage, runs: number, rows: unknown[]): Promise<void> {
	await example.executions(runs);
	expect(await example.rows(DRAFTS)).toMatchObject(rows);
}

async function approveAgain(stage: Stage): Promise<void> {
	const { host, example, tenantId: tenant } = stage;
	const approved = (await example.rows(DRAFTS)).at(-1);
	const { deliveries } = await host.sandbox.get<{ deliveries: Array<{ id: number }> }>(
		'/_sandbox/deliveries',
	);
	// Others may have deliveries there that are under way, or whose webhook is gone.
	for (const { id } of deliveries) await redeliver(host.sandbox, id);
	const { templateId, name } = approved ?? {};
	const event = { tenant, templateId, name };
	for (const more of [
		{ field: 'status', status: 'APPROVED' },
		// Of another business account.
		{ field: 'status', status: 'REJECTED', templateId: '1234567890123456' },
		{ field: 'category', newCategory: 'UTILITY' },
	])
		await host.sandbox.post('/_sandbox/templates', { ...event, ...more });
	await draftsAre(stage, 7, [
		{ name: 'summer_sale', status: 'REJECTED', reason: 'INVALID_FORMAT' },
		{ name: 'Summer', status: 'REFUSED', reason: expect.stringContaining('"Name"') as string },
		{ status: 'APPROVED', category: 'UTILITY', broadcast: approved?.broadcast },
	]);
	expect(approved?.broadcast).toMatch(/^20/);
	// A person repeats a broadcast that was cut off.
	const where = { columnName: 'name', value: String(name) };
	await example.updateRows(where, { broadcast: '' }, DRAFTS);
	await host.sandbox.post('/_sandbox/templates', { ...event, field: 'status', status: 'APPROVED' });
	await example.executions(8);
	const rows = await stage.outbox!.rows(OUTBOX);
	expect(rows.map(({ state }) => state)).toEqual(['sent', 'sent', 'opted out']);
}

/** Both ways have their rows once the approval is there. */
async function sendApproved(stage: Stage): Promise<void> {
	await until('three rows', async () => (await stage.outbox!.rows(OUTBOX)).length >= 3, LIMIT_MS);
	await sendAll(stage);
}

/** By the example's name. Examples that need nothing are not listed. */
export const STAGINGS: Record<string, Staging> = {
	'shop-assistant': {
		choices: async (host, _, { standIn }) => ({ credentials: [await standIn(host)] }),
		change: limitedTo(5),
		prepare: async (stage) => {
			await addTemplate(stage);
			await addHandOver(stage);
		},
		byHand: [
			async ({ example }) => expect(await example.run('Set Up', 'A Sample Order')).toHaveLength(1),
			kept('discount of 10 %'),
			kept('/bot'),
			asks(BEN),
		],
	},
	'ai-agent': {
		choices: async (host, _, { agent }) => ({ credentials: [await agent(host)] }),
		change: limitedTo(2),
	},
	'n8n-agent': {
		choices: async (host, _, { standIn }) => ({ credentials: [await standIn(host)] }),
		change: limitedTo(2),
	},
	'voice-notes': {
		choices: async (host, _, { voice }) => await voice(host),
		change: limitedTo(2),
	},
	'human-takeover': {
		change: limitedTo(6),
		byHand: [
			keptOfColleagues(2),
			// One of each of four customers' messages, five of the bot and two of the business's phone.
			async ({ example }) => void (await example.executions(11)),
			keptOfColleagues(3),
			asks(BEN),
		],
	},
	'scheduled-follow-ups': {
		change: (workflow) => replaced('hours: 20', 'hours: 0')(shortWait(workflow)),
		prepare: addTemplate,
		// Its service refuses later in the end.
		settings: { closedWindow: 'REFUSED' },
		byHand: [
			async (stage) => await rows(3)(stage).then(() => followUp(stage)),
			followUp,
			async (stage) => await rows(4)(stage).then(() => followUp(stage)),
			hearsOfFailure,
		],
	},
	'template-from-draft-to-broadcast': {
		settings: {
			templateRoutingLag: 0,
			templateReview: { verdict: 'REJECTED', afterMs: 0, reason: 'INVALID_FORMAT' },
		},
		prepare: async (stage) => {
			await addHandOver(stage);
			stage.outbox = await outboxOf(stage.host, stage.channelId, stage.example);
			const names = { [ANA]: 'Ana', [BEN]: 'Ben', [STRANGER]: 'Cleo' };
			for (const [customer, name] of Object.entries(names))
				await stage.example.insert({ customer, name }, 'Business Messaging Broadcast Recipients');
			await stage.outbox.insert(
				{ customer: STRANGER, state: 'stopped' },
				'Business Messaging Opt-Out',
			);
		},
		byHand: [
			submitDrafts('summer_sale', 'Summer'),
			submitDrafts('summer_sale_2'),
			sendApproved,
			approveAgain,
		],
	},
	alerts: {
		settings: { progression: { upTo: 'SENT', stepMs: 1 }, templateRoutingLag: 0 },
		byHand: [fail, seeFourChanges],
	},
	'connect-from-web-page': {
		// Another test may have published the example, and only one workflow can use a path.
		change: nodesChanged((node) =>
			node.name === PAGE
				? { ...node, parameters: { ...node.parameters, path: randomUUID() } }
				: node,
		),
		choices: async (_host, channelId) => ({ settings: { channelIds: [channelId] } }),
		byHand: [connectFromPage],
	},
	'opt-out': {
		prepare: async (stage) => {
			const { host, channelId, example } = stage;
			await addTemplate(stage);
			const { dataTables } = example;
			const broadcast = 'approve-before-broadcast';
			stage.another = await Example.import(
				host,
				broadcast,
				channelId,
				{ dataTables },
				// Dora's phone has a ninth digit. The name is for a channel that has names.
				broadcastTo(ANA, BEN, DORA, 'ana.b'),
			);
			stage.outbox = await outboxOf(host, channelId, stage.another);
		},
		byHand: [start('When Clicking Execute'), approve, sendAll],
	},
	'approve-in-the-chat': {
		isPublished: false,
		byHand: [start('When Clicking Execute'), start('When Clicking Execute')],
	},
	'approve-before-broadcast': {
		isPublished: false,
		change: broadcastTo(ANA, BEN, STRANGER, DORA, DORA_WITH_NINTH),
		prepare: async (stage) => {
			await addTemplate(stage);
			stage.outbox = await outboxOf(stage.host, stage.channelId, stage.example);
		},
		byHand: [start('When Clicking Execute'), approve, sendAll],
	},
	outbox: {
		change: shortWait,
		prepare: async (stage) => {
			await addTemplate(stage);
			await stage.example.insert({ customer: BEN, state: 'stopped' }, 'Business Messaging Opt-Out');
		},
		byHand: [
			async (stage) => {
				const { example } = stage;
				const row = { list: 'Sale', text: 'The sale begins.', state: 'to send' };
				const all = [ANA, BEN, STRANGER, '55-11-98888-0002'];
				await example.insert(
					all.map((customer) => ({ ...row, customer })),
					OUTBOX,
				);
				await sendRows(stage, example);
			},
			async ({ example }) => {
				const states = async () => (await example.rows(OUTBOX)).map(({ state }) => state);
				const isOver = ([ana, , stranger]: unknown[]) => ana === 'read' && stranger !== 'sent';
				await until('the statuses to be written', async () => isOver(await states()), LIMIT_MS);
				expect(await states()).toEqual(['read', 'opted out', 'delivered', 'failed']);
			},
		],
	},
	'appointment-reminder': {
		isPublished: false,
		prepare: async (stage) => {
			const { host, channelId, tenantId: tenant, example } = stage;
			await host.sandbox.post('/_sandbox/message-templates', {
				...{ name: 'appointment_reminder', status: 'APPROVED', tenant },
				body: 'Hello {{1}}, your appointment is on {{2}} at {{3}}.',
			});
			const names = { [ANA]: 'Ana', [BEN]: 'Ben', [STRANGER]: 'Cleo', [LATE]: '', [DORA]: 'Dora' };
			// Not tomorrow.
			const others: Record<string, number> = { [BEN]: 2, [STRANGER]: 0 };
			for (const [customer, name] of Object.entries(names))
				await example.insert({ customer, name, startsAt: inDays(others[customer] ?? 1) });
			stage.outbox = await outboxOf(host, channelId, example);
			// By the key, which has the ninth digit.
			await stage.outbox.insert(
				{ customer: DORA_WITH_NINTH, state: 'stopped' },
				'Business Messaging Opt-Out',
			);
		},
		byHand: [
			remind(1, 'sent', 'failed', 'opted out'),
			remind(0, 'sent', 'failed', 'opted out'),
			async (stage) => {
				const row = { columnName: 'customer', value: ANA };
				const startsAt = new Date(Date.parse(inDays(1)) + 120_000).toISOString();
				await stage.example.updateRows(row, { startsAt });
				await remind(1, 'sent', 'failed', 'opted out', 'sent')(stage);
			},
		],
	},
	'confirm-appointments': {
		byHand: [
			async ({ host, example: { workflow } }) => {
				for (const trigger of ['Set Up', 'Every Five Minutes'])
					await host.client.execute(workflow, trigger);
			},
		],
	},
	'webhook-health-check': {
		isPublished: false,
		choices: async ({ underTest: { n8nUrl } }) => ({ settings: { n8nUrl, workflowIds: [] } }),
		byHand: [reportsNothing('Every Hour')],
	},
};
