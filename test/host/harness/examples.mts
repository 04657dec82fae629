import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import {
	type DataTable,
	dataTableRows,
	findDataTable,
	insertDataTableRows,
	provideDataTable,
	tablesMadeBy,
	updateDataTableRows,
} from '#scripts/n8n/dataTables.mts';
import {
	completeExample,
	CREDENTIAL_TYPE,
	type MoreChoices,
	readExample,
	tablesNeededBy,
} from '#scripts/n8n/provision.mts';
import type { FinishedExecution, StoredWorkflow, Workflow } from '#scripts/n8n/types.mts';
import { until } from '#scripts/until.mts';
import { Host, type HostUnderTest, hostUnderTest } from './host.mts';
import { createAccount } from './listener.mts';

const LIMIT_MS = 60_000;

/**
 * An account of its own, and a host with a credential for it. `servers` can have another sandbox.
 */
export async function ownAccount(
	channelNames: string[],
	servers: HostUnderTest = hostUnderTest(),
	type?: string,
) {
	const shared = new Host(servers);
	const { secretKey, tenantId, channels } = await createAccount(shared, channelNames, type);
	const credential = await shared.client.createCredential(
		`Account ${randomUUID()}`,
		CREDENTIAL_TYPE,
		{ baseUrl: servers.sandboxUrl, secretKey },
	);
	return { host: new Host({ ...servers, credential }), secretKey, tenantId, channels };
}

/** A time zone in which it is this hour now. Its name counts the other way. */
export function zoneAt(hour: number): string {
	const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
	return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** An example, imported as a user does: with the credential, the channel and its data tables. */
export class Example {
	private constructor(
		private readonly host: Host,
		readonly workflow: StoredWorkflow,
		readonly dataTables: ReadonlyMap<string, DataTable>,
	) {}

	/**
	 * Creates its data tables, except those that are chosen.
	 *
	 * @param change what a user, or a test, changes before saving
	 */
	static async import(
		host: Host,
		name: string,
		channelId: string,
		more: MoreChoices = {},
		change: (workflow: Workflow) => Workflow = (workflow) => workflow,
	): Promise<Example> {
		const example = readExample(name);
		const dataTables = new Map(more.dataTables);
		for (const [table, columns] of tablesNeededBy(example))
			if (!dataTables.has(table))
				dataTables.set(
					table,
					await provideDataTable(host.client, `${table} ${randomUUID()}`, columns),
				);
		return await Example.store(host, example, channelId, { ...more, dataTables }, change);
	}

	private static async store(
		host: Host,
		example: Workflow,
		channelId: string,
		choices: MoreChoices & { dataTables: Map<string, DataTable> },
		change: (workflow: Workflow) => Workflow,
	): Promise<Example> {
		const { credential } = host.underTest;
		const chosen = { id: channelId, name: 'Chosen' };
		// At night, nobody would be written to.
		const settings = { zone: zoneAt(12), ...choices.settings };
		const completed = completeExample(example, credential, chosen, { ...choices, settings });
		completed.settings = { ...completed.settings, timezone: settings.zone };
		const stored = host.adopt(await host.client.createWorkflow(change(completed)));
		return new Example(host, stored, choices.dataTables);
	}

	/**
	 * Leaves its data tables as they are in the file, by name, and lets its own branch *Set Up* make
	 * them. n8n 1 cannot: there they are made and chosen. For an n8n of the test's own, because other
	 * tests' tables have names that contain these.
	 */
	static async setUp(
		host: Host,
		name: string,
		channelId: string,
		more: MoreChoices = {},
		change: (workflow: Workflow) => Workflow = (workflow) => workflow,
	): Promise<Example> {
		const own = readExample(name);
		const dataTables = new Map<string, DataTable>();
		const isCurrent = host.underTest.generation === 'current';
		if (!isCurrent)
			for (const [table, columns] of tablesNeededBy(own))
				dataTables.set(table, await provideDataTable(host.client, table, columns));
		const example = await Example.store(host, own, channelId, { ...more, dataTables }, change);
		if (!isCurrent) return example;
		// Twice: the second time it finds what the first has made.
		for (const _ of [1, 2]) expectSuccess(await host.client.execute(example.workflow, 'Set Up'));
		for (const table of tablesMadeBy(own).keys()) {
			const made = await findDataTable(host.client, table);
			if (!made) throw new Error(`Set Up made no data table '${table}'`);
			dataTables.set(table, made);
		}
		return example;
	}

	async publish(): Promise<void> {
		await this.host.client.publish(this.workflow.id);
	}

	/** The production URL of its Webhook node, which has this path. */
	webhookUrl(path: string): string {
		return `${this.host.underTest.n8nUrl}/webhook/${path}`;
	}

	/** @param table its name in the example, if it is not the example's */
	async rows(table?: string): Promise<IDataObject[]> {
		return await dataTableRows(this.host.client, this.table(table));
	}

	/** Adds rows, as another workflow does. @param table as above */
	async insert(rows: IDataObject | IDataObject[], table?: string): Promise<void> {
		await insertDataTableRows(this.host.client, this.table(table), [rows].flat());
	}

	/** Writes values into the rows with this value, as a person does. @param table as above */
	async updateRows(
		where: { columnName: string; value: string },
		data: IDataObject,
		table?: string,
	): Promise<void> {
		await updateDataTableRows(this.host.client, this.table(table), where, data);
	}

	private table(name = this.workflow.name): DataTable {
		const table = this.dataTables.get(name);
		if (!table) throw new Error(`'${this.workflow.name}' has no data table '${name}'`);
		return table;
	}

	/** Runs it by hand from a trigger, and expects success. @returns a node's output */
	async run(trigger: string, node: string): Promise<IDataObject[]> {
		return itemsOf(expectSuccess(await this.host.client.execute(this.workflow, trigger)), node);
	}

	/** Waits for this many executions, and expects success of each. Oldest first. */
	async executions(count: number): Promise<FinishedExecution[]> {
		const { client } = this.host;
		const ids = await until(
			`${count} executions of '${this.workflow.name}'`,
			async () =>
				((all) => all.length >= count && all.map(({ id }) => id))(
					await client.listExecutions(this.workflow.id),
				),
			LIMIT_MS,
		);
		const finished = await Promise.all(ids.map(async (id) => await client.finishedExecution(id)));
		return finished.map(expectSuccess).sort((one, other) => Number(one.id) - Number(other.id));
	}
}

function expectSuccess(execution: FinishedExecution): FinishedExecution {
	expect({ status: execution.status, error: execution.resultData.error }).toEqual({
		status: 'success',
		error: undefined,
	});
	return execution;
}

/** A node's items of all outputs and runs. Empty if it did not run. */
export function itemsOf({ resultData }: FinishedExecution, node: string): IDataObject[] {
	return (resultData.runData[node] ?? [])
		.flatMap(({ data }) => (data?.main ?? []).flatMap((output) => output ?? []))
		.map(({ json }) => json);
}
