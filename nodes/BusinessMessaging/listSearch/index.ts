export { searchAllTemplates, searchBusinesses, searchLibraryTemplates } from './businessLists';
export { searchChannels, searchChannelTypes } from './searchChannels';
export { searchTemplates } from './searchTemplates';
export { searchTemplateWebhooks, searchWebhooks } from './searchWebhooks';
export { fallbackVariables, templateVariables } from './templateVariables';
