import { webhookResource } from '../webhook';

/** Webhooks for template events: the operations are those of a channel's webhooks, without the channel. */
export const { operations, fields } = webhookResource('template');
