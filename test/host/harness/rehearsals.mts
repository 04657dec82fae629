import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ChannelType } from '#sandbox/channelTypes.mts';
import { connect } from '#sandbox/client/index.mts';
import { parseScript } from '#sandbox/rehearsal/parse.mts';
import { play, type PlayOptions } from '#sandbox/rehearsal/play.mts';
import { isGreen, type Outcome } from '#sandbox/rehearsal/report.mts';
import type { Problem } from '#sandbox/rehearsal/unasked.mts';
import { startSandbox } from '#sandbox/server.mts';
import { checkout } from '#scripts/checkout.mts';
import { SandboxControl } from '#scripts/n8n/sandbox.mts';
import type { Workflow } from '#scripts/n8n/types.mts';
import { Example, ownAccount } from './examples.mts';
import { type Host, hostUnderTest } from './host.mts';
import type { Models } from './models.mts';
import { type Stage, STAGINGS } from './stages.mts';

/** The rehearsals of the example workflows, one each. */
const FOLDER = join(checkout, 'workflows', 'rehearsals');

/** A test's own changes. */
export interface Changed extends Pick<PlayOptions, 'within' | 'settle'> {
	/** Changes the workflow before it is saved. */
	change?: (workflow: Workflow) => Workflow;
	/** The type of its channel. */
	type?: string;
	/** Rewrites the script, such as a number in it. */
	rewrite?: (script: string) => string;
}

/** Imports an example into a new account, publishes it, and plays its conversation. */
export async function rehearse(
	name: string,
	models: Models,
	// A run in a real n8n takes seconds, more on a busy machine.
	{ change, within = '60s', settle = '3s', type, rewrite = (script) => script }: Changed = {},
): Promise<Outcome> {
	const staging = STAGINGS[name] ?? {};
	const own = staging.settings ? await startSandbox() : undefined;
	const servers = { ...hostUnderTest(), ...(own && { sandboxUrl: own.url }) };
	if (staging.settings)
		await new SandboxControl(servers.sandboxUrl).patch('/_sandbox/settings', staging.settings);
	const { host, secretKey, tenantId, channels } = await ownAccount([name], servers, type);
	const [channelId = ''] = channels;
	try {
		const choices = await staging.choices?.(host, channelId, models);
		const example = await Example.import(host, name, channelId, choices, (workflow) =>
			[staging.change, change].reduce((changed, next) => next?.(changed) ?? changed, workflow),
		);
		const stage: Stage = {
			...{ host, channelId, tenantId, example, executionId: '' },
			publicKey: secretKey.replace('_sk_', '_pk_'),
		};
		await staging.prepare?.(stage);
		if (staging.isPublished !== false) await example.publish();
		const byHand = [...(staging.byHand ?? [])];
		const file = join(FOLDER, `${name}.yaml`);
		const sandbox = await connect(servers.sandboxUrl);
		const rehearsed = await play(
			parseScript(rewrite(readFileSync(file, 'utf8')), file),
			sandbox,
			await sandbox.channel(channelId),
			{
				folder: FOLDER,
				...{ within, settle },
				manually: async (what) => {
					await (byHand.shift() ?? missing(name, what))(stage);
				},
			},
		);
		if (!isGreen(rehearsed)) {
			const problems = [...rehearsed.problems, ...(await failuresOf(host, example))];
			return { file, ...rehearsed, problems };
		}
		expect(byHand).toEqual([]);
		// Not for a copy with a fault, nor for an execution that a person started.
		if (!change && staging.isPublished !== false) await example.executions(0);
		return { file, ...rehearsed };
	} finally {
		await host.cleanUp();
		await own?.close();
	}
}

/** What n8n says of the workflow's executions that failed, which explains what the chats show. */
export async function failuresOf(
	{ client }: Host,
	{ workflow }: Pick<Example, 'workflow'>,
): Promise<Problem[]> {
	const listed = await client.listExecutions(workflow.id);
	const failed = listed.filter(({ status }) => !['success', 'running', 'waiting'].includes(status));
	return await Promise.all(
		failed.map(async ({ id, status }) => {
			const { resultData } = await client.getExecution(id);
			return {
				kind: 'unexpected' as const,
				what: `execution ${id}: ${status}, ${resultData?.error?.message ?? ''}`,
			};
		}),
	);
}

/** Another channel of the account, connected. */
export async function addChannel(
	host: Host,
	secretKey: string,
	type: ChannelType,
): Promise<string> {
	const { id } = await host.callService<{ id: string }>('/v1/channels', secretKey, {
		...{ method: 'POST', body: { name: 'Another', type } },
	});
	await host.sandbox.post(`/_sandbox/channels/${id}/connect`, {});
	return id;
}

function missing(name: string, what: string): never {
	throw new Error(`${name}: nobody does '${what}': stages.mts has to say how`);
}
