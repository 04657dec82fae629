/**
 * The wire, as the nodes know it. Each file is named by itself: tsx cannot see the names behind `export *` of a CommonJS file, which
 * contract/index.ts is outside the build.
 */
export * from '../nodes/BusinessMessaging/service/contract/assumptions.ts';
export * from '../nodes/BusinessMessaging/service/contract/channels.ts';
export * from '../nodes/BusinessMessaging/service/contract/common.ts';
export * from '../nodes/BusinessMessaging/service/contract/errors.ts';
export * from '../nodes/BusinessMessaging/service/contract/events.ts';
export * from '../nodes/BusinessMessaging/service/contract/media.ts';
export * from '../nodes/BusinessMessaging/service/contract/messages.ts';
export * from '../nodes/BusinessMessaging/service/contract/webhooks.ts';
export * from '../nodes/BusinessMessaging/service/signature.ts';
