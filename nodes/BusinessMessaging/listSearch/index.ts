export { searchAllTemplates } from './searchAllTemplates';
export { searchChannelTypes } from './searchChannelTypes';
export { searchChannels } from './searchChannels';
export { searchBusinesses } from './searchBusinesses';
export { searchLibraryTemplates } from './searchLibraryTemplates';
export { searchTemplates } from './searchTemplates';
export { searchTemplateWebhooks, searchWebhooks } from './searchWebhooks';
export { fallbackVariables, templateVariables } from './templateVariables';
