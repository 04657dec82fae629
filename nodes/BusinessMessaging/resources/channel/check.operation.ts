import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { WAIT_ATTRIBUTE } from '../../replies/questionMark';
import { thisN8n } from '../../replies/resumeAddress';
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
import { lastReceived, problemOfReach } from '../../shared/node/reachability';
import { madeByN8n } from '../webhook/getAllWebhooks.operation';

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

const PUBLISH = 'Publish it. If it is published, unpublish and publish it.';

export const check: ItemOperation = {
	option: {
		name: 'Check',
		value: 'check',
		action: 'Check channel',
		description: 'Tell why a trigger may get nothing, and what to do. It changes nothing.',
	},
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
			...problemsOfChannel(channel),
			...problemsOfWebhooks(found),
			...found.flatMap((one) => problemsOf(one, client)),
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
		const isOfTrigger =
			mark !== undefined && webhook.customAttributes?.[WAIT_ATTRIBUTE] === undefined;
		return {
			webhook,
			of: isOwn && isHere ? ofWorkflow : 'others',
			isElsewhere: isOwn && start !== '' && !isHere,
			isHeard:
				isOfTrigger && bringsMessages(webhook) && !webhook.url.startsWith(`${start}webhook-test/`),
		};
	});
}

const bringsMessages = ({ events }: Webhook): boolean =>
	events.some((event) => event.split('_').includes('RECEIVED'));

function problemsOfChannel(channel: Channel): Problem[] {
	const status = String(channel['paymentStatus'] ?? '');
	return [
		...(channel.phoneConnected === false
			? [
					{
						problem: 'The channel is not connected, so no message arrives.',
						remedy: 'Connect it with the operation Connect.',
					},
				]
			: []),
		...(status === '' || isPaidFor(status)
			? []
			: [
					{
						problem: `The channel is not paid for: its "paymentStatus" is ${status}.`,
						remedy: 'Subscribe it with the operation Subscribe, which charges the account.',
					},
				]),
	];
}

function problemsOfWebhooks(found: readonly Found[]): Problem[] {
	const heard = found.filter(
		({ isHeard, of, webhook }) => isHeard && of !== 'others' && webhook.status === 'ENABLED',
	);
	const workflows = new Map(
		heard.map(({ webhook }) => [String(madeByN8n(webhook)?.workflowId), webhook.description]),
	);
	const ofWorkflow = found.filter(({ of, isHeard }) => of === 'workflow' && isHeard);
	return [
		...(ofWorkflow.length === 0
			? [
					{
						problem: 'No trigger of this workflow gets the messages of the channel.',
						remedy: `If one should: choose the event Message received in it, and save. ${PUBLISH}`,
					},
				]
			: []),
		...(workflows.size > 1
			? [
					{
						problem: `${workflows.size} workflows of this n8n get the messages: ${[...workflows].map(([id, name]) => name || id).join('; ')}.`,
						remedy:
							'If each of them answers, a customer gets several answers. Unpublish all but one.',
					},
				]
			: []),
	];
}

function problemsOf({ webhook, of, isElsewhere }: Found, { baseUrl }: ServiceClient): Problem[] {
	const named = webhook.description || `The webhook ${webhook.id}`;
	if (isElsewhere)
		return [
			{
				problem: `${named}: it goes to another address, ${withoutSignatures(webhook.url)}: of a copy of this n8n, or a former one.`,
				remedy:
					'If this n8n moved, unpublish and publish the workflow. If no n8n uses that address any more, delete it with the operation Webhook → Delete.',
			},
		];
	if (of === 'others') return [];
	const unreachable = problemOfReach(webhook.url, baseUrl);
	return [
		...(webhook.status === 'ENABLED'
			? []
			: [
					{
						problem: `${named}: it is not enabled.`,
						remedy: 'Unpublish and publish the workflow.',
					},
				]),
		...(unreachable === undefined
			? []
			: [
					{
						problem: `${unreachable}.`,
						remedy:
							'Set WEBHOOK_URL to the address at which the service reaches this n8n, restart n8n, and publish the workflow again.',
					},
				]),
	];
}
