export { searchChannels } from './searchChannels';
export { searchTemplateWebhooks, searchWebhooks } from './searchWebhooks';
