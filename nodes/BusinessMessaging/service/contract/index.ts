/** Requests, responses and deliveries of the service. The nodes and the sandbox share them. */
export * from './assumptions';
export * from './channels';
export * from './common';
export * from './contents';
export * from './errors';
export * from './events';
export * from './messages';
export * from './templates';
export * from './webhooks';
