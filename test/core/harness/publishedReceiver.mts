/** A receiver whose trigger has registered its webhook, as a published workflow has. */
import type { IDataObject } from 'n8n-workflow';

import { CHANNEL, SECRET_KEY } from '../../support/constants.mts';
import { type FakeService } from './fakeService.mts';
import {
	additionalData,
	changedStaticData,
	publish,
	triggerWorkflow,
	type TriggerOptions,
} from './n8n.mts';
import { type Receiver, startReceiver } from './receiver.mts';

export const urls = {
	production: 'http://127.0.0.1:5678/webhook',
	test: 'http://127.0.0.1:5678/webhook-test',
};

export type ReceivingOptions = [
	parameters?: IDataObject,
	options?: {
		/** Of n8n. */
		urls?: typeof urls;
		credential?: IDataObject;
		keepState?: boolean;
		isTest?: boolean;
		credentialId?: string;
	},
];

let count = 0;

/**
 * Publishes a workflow and receives for it. Each has an ID of its own, because the process
 * remembers deliveries.
 */
export async function startPublished(
	service: FakeService,
	...[
		parameters = {},
		{
			credential = {},
			keepState = true,
			isTest = false,
			credentialId = '1',
			urls: own = urls,
		} = {},
	]: ReceivingOptions
): Promise<{
	receiver: Receiver;
	secret: string;
	token: string;
	workflowId: string;
	/** What n8n stores of the trigger when it is published. */
	published: IDataObject;
}> {
	const workflowId = `workflow-${++count}`;
	const options: TriggerOptions = {
		parameters: parameters as TriggerOptions['parameters'] & object,
		workflowId,
		node: {
			credentials: { businessMessagingApi: { id: credentialId, name: 'Test' } },
		},
	};
	const credentials = { baseUrl: service.url, secretKey: SECRET_KEY, ...credential };
	const workflow = triggerWorkflow(options);
	const isManual = parameters.registration === 'manual';
	if (!isManual) await publish(workflow, additionalData(credentials, own), { isTest });
	const [webhook] = [...service.webhooks(CHANNEL), ...service.webhooks('template')].slice(-1);
	const published = changedStaticData(workflow) ?? {};
	const receiver = await startReceiver(credentials, own, {
		...options,
		...(keepState ? { staticData: published } : {}),
	});
	return {
		receiver,
		workflowId,
		published,
		secret: service.secretOf(webhook?.id ?? '') ?? '',
		token: webhook?.auth.token ?? '',
	};
}

/** Holds the receiver's store until the test opens it. */
export function heldStore() {
	let open = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	let arrive = () => {};
	const arrived = new Promise<void>((resolve) => {
		arrive = resolve;
	});
	return {
		open,
		arrived,
		wait: async () => {
			arrive();
			await opened;
		},
	};
}
