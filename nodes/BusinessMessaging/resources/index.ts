import * as channel from './channel';
import * as message from './message';
import type { Operation } from './shared/operation';
import * as templateWebhook from './templateWebhook';
import * as webhook from './webhook';

/** The action node's resources by their value in saved workflows. */
export const resources: Record<string, { operations: Record<string, Operation>; fields: typeof channel.fields }> = {
	channel,
	message,
	templateWebhook,
	webhook,
};
