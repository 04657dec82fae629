import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { thisN8n } from '../../replies/waitingExecution';
import { webUrl } from '../../service/baseUrl';
import { getChannel } from '../../service/channels';
import type { ServiceClient } from '../../service/client';
import type { Channel, Webhook } from '../../service/contract';
import { asError, ServiceError } from '../../service/errors';
import { withoutSignatures } from '../../service/secrets';
import { isPaidFor } from '../../service/subscription';
import { webhookApi } from '../../service/webhooks';
import { channelField } from '../../shared/node/fields';
import type { ItemOperation } from '../../shared/node/operation';
import { readId } from '../../shared/node/parameters';
import { lastReceived, problemOfReach, remedyOfReach } from '../../shared/node/reachability';
import { isOfTrigger, madeByN8n } from '../webhook/getAllWebhooks.operation';

interface Problem {
	problem: string;
	remedy: string;
}

/** A webhook with whose it is: by its mark, and by the address, which a restored copy keeps. */
interface Found {
	webhook: Webhook;
	of: 'workflow' | 'n8n' | 'others';
	/** It has this n8n's mark, and goes to another address. */
	isElsewhere: boolean;
	/** It brings messages to a published trigger. */
	isHeard: boolean;
}

/** One problem, if there is. */
const problemIf = (is: boolean, problem: string, remedy: string): Problem[] =>
	is ? [{ problem, remedy }] : [];

export const check: ItemOperation = {
	name: 'Check',
	value: 'check',
	action: 'Check channel',
	description: 'Tell why a trigger may get nothing, and what to do. It changes nothing.',
	fields: [{ ...channelField, description: 'The channel to check' }],
	async executeItem(context, client, itemIndex) {
		const channelId = readId(context, 'channelId', 'Channel', itemIndex);
		try {
			const channel = await getChannel(client, channelId);
			const listed = await webhookApi(client, { kind: 'channel', channelId }).list();
			return report(channelId, channel, findAll(context, listed), client);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.reason !== 'role_required')
				throw asError(error);
			const { cause, hint } = error.failure;
			const problems = [{ problem: `Nothing can be read, because ${cause}.`, remedy: hint }];
			return { channelId, webhooks: [], problems };
		}
	},
};

function report(
	channelId: string,
	channel: Channel,
	found: readonly Found[],
	client: ServiceClient,
): IDataObject {
	const received = lastReceived(channelId);
	return {
		channelId,
		name: channel.name,
		connected: channel.phoneConnected !== false,
		paymentStatus: channel['paymentStatus'] ?? null,
		webhooks: found.map(({ webhook: { id, url, status, events }, of }) => ({
			...{ id, url: shownUrl(url, of), status, events, of },
		})),
		...(received ? { lastReceivedAt: received } : {}),
		problems: [
			...problemsOfConnection(channel),
			...problemsOfWebhooks(found),
			...found.flatMap((one) => problemsOf(one, client)),
			// Last, because a channel on trial, as the sandbox's is, can bring messages.
			...problemsOfPayment(channel),
		],
	};
}

/** An address of somebody else can be a secret as a whole. */
function shownUrl(url: string, of: Found['of']): string {
	const read = webUrl(url);
	return of === 'others' && read ? `${read.origin}/…` : withoutSignatures(url);
}

function findAll(context: IExecuteFunctions, listed: readonly Webhook[]): Found[] {
	const { instanceId, resumeStart = '' } = thisN8n(context);
	// Behind it stands the name of n8n's path for waiting executions.
	const start = resumeStart.slice(0, resumeStart.slice(0, -1).lastIndexOf('/') + 1);
	const { id: workflowId } = context.getWorkflow();
	return listed.map((webhook) => {
		const mark = madeByN8n(webhook);
		const isOwn = mark?.instanceId === instanceId;
		const isHere = start !== '' && webhook.url.startsWith(start);
		const ofWorkflow = mark?.workflowId === workflowId ? 'workflow' : 'n8n';
		return {
			webhook,
			of: isOwn && isHere ? ofWorkflow : 'others',
			isElsewhere: isOwn && start !== '' && !isHere,
			isHeard:
				isOfTrigger(webhook) &&
				bringsMessages(webhook) &&
				!webhook.url.startsWith(`${start}webhook-test/`),
		};
	});
}

const bringsMessages = ({ events }: Webhook): boolean =>
	events.some((event) => event.split('_').includes('RECEIVED'));

const problemsOfConnection = ({ phoneConnected }: Channel): Problem[] =>
	problemIf(
		phoneConnected === false,
		'The channel is not connected, so no message arrives.',
		'Connect it with the operation Connect.',
	);

function problemsOfPayment(channel: Channel): Problem[] {
	const status = String(channel['paymentStatus'] ?? '');
	return problemIf(
		status !== '' && !isPaidFor(status),
		`The channel is not paid for: its "paymentStatus" is ${status}.`,
		'Subscribe it with the operation Subscribe, which charges the account.',
	);
}

function problemsOfWebhooks(found: readonly Found[]): Problem[] {
	const heard = found.filter(({ isHeard, of }) => isHeard && of !== 'others');
	const workflows = new Map(
		heard
			.filter(({ webhook }) => webhook.status === 'ENABLED')
			.map(({ webhook }) => [String(madeByN8n(webhook)?.workflowId), webhook.description]),
	);
	const names = [...workflows].map(([id, name]) => name || id).join('; ');
	return [
		...problemIf(
			!heard.some(({ of }) => of === 'workflow'),
			'No trigger of this workflow gets the messages of the channel.',
			'If one should, publish this workflow. If it is published, look whether its trigger has the event Message Received, then unpublish and publish it.',
		),
		...problemIf(
			workflows.size > 1,
			`${workflows.size} workflows of this n8n get the messages: ${names}.`,
			'If each of them answers, a customer gets several answers. Unpublish all but one.',
		),
	];
}

function problemsOf({ webhook, of, isElsewhere }: Found, { baseUrl }: ServiceClient): Problem[] {
	const named = webhook.description || `The webhook ${webhook.id}`;
	if (of === 'others')
		return problemIf(
			isElsewhere,
			`${named}: it goes to another address, ${shownUrl(webhook.url, of)}: of a copy of this n8n, or a former one.`,
			'If this n8n moved, unpublish and publish the workflow. If no n8n uses that address any more, delete it with the operation Webhook → Delete.',
		);
	const unreachable = problemOfReach(webhook.url, baseUrl);
	return [
		...problemIf(
			webhook.status !== 'ENABLED',
			`${named}: it is not enabled.`,
			'Unpublish and publish the workflow.',
		),
		...problemIf(
			unreachable !== undefined,
			`${unreachable}.`,
			remedyOfReach('publish the workflow again'),
		),
	];
}
