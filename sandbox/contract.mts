/**
 * The wire contract of the nodes. It imports each file by name, because tsx cannot see the names
 * behind `export *` of a CommonJS file, which contract/index.ts is outside the build.
 */
export * from '../nodes/BusinessMessaging/service/contract/assumptions.ts';
export * from '../nodes/BusinessMessaging/service/contract/channels.ts';
export * from '../nodes/BusinessMessaging/service/contract/common.ts';
export * from '../nodes/BusinessMessaging/service/contract/contents.ts';
export * from '../nodes/BusinessMessaging/service/contract/errors.ts';
export * from '../nodes/BusinessMessaging/service/contract/events.ts';
export * from '../nodes/BusinessMessaging/service/contract/messages.ts';
export * from '../nodes/BusinessMessaging/service/contract/templates.ts';
export * from '../nodes/BusinessMessaging/service/contract/webhooks.ts';
export * from '../nodes/BusinessMessaging/service/cutText.ts';
export { normalizeBaseUrl } from '../nodes/BusinessMessaging/service/baseUrl.ts';
export { fileNameOfUrl } from '../nodes/BusinessMessaging/service/fileName.ts';
export { isDocument, typeOfBytes } from '../nodes/BusinessMessaging/service/fileType.ts';
export { identifierOf } from '../nodes/BusinessMessaging/service/recipient.ts';
export { secretRemover } from '../nodes/BusinessMessaging/service/secrets.ts';
export * from '../nodes/BusinessMessaging/service/signature.ts';
export * from '../nodes/BusinessMessaging/service/template/additional.ts';
export * from '../nodes/BusinessMessaging/service/template/definition.ts';
export { TEMPLATE_LANGUAGES } from '../nodes/BusinessMessaging/service/template/languages.ts';
export * from '../nodes/BusinessMessaging/service/template/placeholders.ts';
export * from '../nodes/BusinessMessaging/service/template/variables.ts';
export * from './media/limits.mts';
