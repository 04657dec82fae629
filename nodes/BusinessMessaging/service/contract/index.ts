/** The wire of the service: what goes out, what comes back, what is delivered. The nodes and the sandbox read it from here. */
export * from './assumptions';
export * from './channels';
export * from './common';
export * from './errors';
export * from './events';
export * from './media';
export * from './messages';
export * from './webhooks';
